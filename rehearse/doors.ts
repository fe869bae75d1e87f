import { createServer, connect, type ListenOptions, type NetConnectOpts, type Server } from "node:net";

/**
 * Passes connections on. Outside of a sandbox it leads from a socket in a folder to a port, and inside from the same port to that socket.
 */
export async function openDoor(from: ListenOptions, to: NetConnectOpts): Promise<Server> {
  const door = createServer((incoming) => {
    const outgoing = connect(to);
    incoming.pipe(outgoing).pipe(incoming);
    for (const end of [incoming, outgoing])
      end.on("error", () => {
        incoming.destroy();
        outgoing.destroy();
      });
  });
  await new Promise<void>((resolve, reject) => door.once("error", reject).listen(from, resolve));
  return door;
}

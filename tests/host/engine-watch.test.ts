import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { TestPlatform } from "../support/test-platform";
import { Host } from "./processes";

/** Something that listens where an engine would. */
async function startEngine() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("close", () => sockets.delete(socket)).on("error", () => undefined));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const accepted = () => once(server, "connection");
  const dropConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  const die = () => {
    server.close();
    dropConnections();
  };
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, accepted, dropConnections, die };
}

test("the host ends with its engine, but not with one of its connections", async () => {
  const platform = await TestPlatform.start();
  const engine = await startEngine();
  const connected = engine.accepted();
  const host = await Host.start(platform.environment, {}, engine.address);
  try {
    // The first call makes the host configure the provider, which begins to watch.
    await host.check("group", "it", { parentUid: platform.root, name: "g" });
    await connected;
    const again = engine.accepted();
    engine.dropConnections();
    await again;
    expect((await host.check("group", "it", { parentUid: platform.root, name: "still here" })).failures).toEqual([]);
    engine.die();
    await host.ended();
  } finally {
    engine.die();
    await platform.close();
  }
});

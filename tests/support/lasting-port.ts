import { once } from "node:events";
import type { Server } from "node:net";

/**
 * Makes `server` listen on a port that it finds free again after it was away: systems give none below 32,768 to those who ask for any
 * free port.
 *
 * @returns the port
 */
export async function listenOnLastingPort(server: Server): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    try {
      await once(server.listen(port, "127.0.0.1"), "listening");
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
}

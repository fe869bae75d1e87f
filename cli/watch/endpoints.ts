import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { UsageError } from "../shell/exit-codes";

/** Serves `metrics` at `/metrics`. */
export function metricsEndpoint(metrics: () => string): RequestListener {
  return ({ method, url }, response) => {
    const isKnown = method === "GET" && url === "/metrics";
    response.writeHead(isKnown ? 200 : 404, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
    response.end(isKnown ? metrics() : "GET /metrics\n");
  };
}

/** Accepts deliveries of events, and calls `wake`. The content is ignored, so a forged delivery can only cause another check. */
export function eventsEndpoint(wake: () => void): RequestListener {
  return (request, response) => {
    request.resume();
    request.once("end", () => {
      const isDelivery = request.method === "POST";
      response.writeHead(isDelivery ? 204 : 405, isDelivery ? {} : { allow: "POST" }).end();
      if (isDelivery) wake();
    });
  };
}

/**
 * Listens at `host` and `port`; 0 is a free port.
 *
 * @param option which names the port: `--listen`
 * @returns the server and its address
 * @throws UsageError if listening is not possible
 */
export async function listen(listener: RequestListener, option: string, host: string, port: number): Promise<[Server, string]> {
  const server = createServer(listener);
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    const why = code === "EADDRINUSE" ? `it is in use. Pass another port with ${option} (0 picks a free one)` : code;
    throw new UsageError(`Cannot listen on ${host}:${port}: ${why}.`);
  }
  const { address, port: bound } = server.address() as AddressInfo;
  return [server, `http://${address.includes(":") ? `[${address}]` : address}:${bound}`];
}

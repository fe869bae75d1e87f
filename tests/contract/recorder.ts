import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Exchange } from "./contract";

const forwarded = ["authorization", "content-type", "accept"];

/** A loopback proxy in front of a platform that keeps every request with its answer. */
export class Recorder {
  /** In the order of the answers. */
  readonly exchanges: Exchange[] = [];
  readonly #server: Server;

  private constructor(private readonly target: string) {
    this.#server = createServer((request, response) => {
      this.#forward(request, response).catch(() => response.destroy());
    });
  }

  /** Starts a proxy on a free port. */
  static async start(target: string): Promise<Recorder> {
    const recorder = new Recorder(target);
    await new Promise<void>((resolve) => recorder.#server.listen(0, "127.0.0.1", resolve));
    return recorder;
  }

  /** Its address, without a slash at the end. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Ends every connection. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { method = "", url = "" } = request;
    const headers = forwarded.flatMap((name): [string, string][] => {
      const value = request.headers[name];
      return typeof value === "string" ? [[name, value]] : [];
    });
    const answer = await fetch(this.target + url, { method, headers, ...(body === "" ? {} : { body }) });
    const text = await answer.text();
    const contentType = answer.headers.get("content-type") ?? "";
    const [path = "", query = ""] = url.split("?");
    this.exchanges.push({ method, path, query, requestBody: body, status: answer.status, contentType, responseBody: text });
    response.writeHead(answer.status, { "content-type": contentType, date: answer.headers.get("date") ?? "" }).end(text);
  }
}

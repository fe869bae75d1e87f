import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** An answer on its way to the client. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What happens to one request: the answer to give, or `reset` to cut the connection. */
export type Interference = (
  request: { method: string; path: string; query: string },
  forward: () => Promise<Answer>,
) => Promise<Answer | "reset"> | Answer | "reset";

/** A server between client and platform that passes every request on, unless `interfere` says otherwise. */
export class Gateway {
  interfere: Interference = (_request, forward) => forward();

  private constructor(
    private readonly server: Server,
    readonly baseUrl: string,
  ) {}

  /** @param target address of the platform */
  static async start(target: string): Promise<Gateway> {
    const server = createServer((incoming, response) => {
      response.sendDate = false;
      gateway.#answer(incoming, target).then(
        (answer) => {
          if (answer === "reset") incoming.socket.resetAndDestroy();
          else response.writeHead(answer.status, answer.headers).end(answer.body);
        },
        // The platform cut the connection.
        () => incoming.socket.resetAndDestroy(),
      );
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const gateway = new Gateway(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return gateway;
  }

  async #answer(incoming: IncomingMessage, target: string): Promise<Answer | "reset"> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = "", url = "" } = incoming;
    const forward = async (): Promise<Answer> => {
      const response = await fetch(target + url, {
        method,
        headers: { authorization: incoming.headers.authorization ?? "", "content-type": "application/json" },
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
      const date = response.headers.get("date") ?? "";
      return { status: response.status, headers: { "content-type": "application/json", date }, body: await response.text() };
    };
    const [path = "", query = ""] = url.split("?");
    return this.interfere({ method, path, query }, forward);
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, "close");
  }
}

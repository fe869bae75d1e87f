import { FaultProxy } from "../support/fault-proxy";
import { call, type Reply, type TestPlatform } from "../support/test-platform";
import type { Exchange } from "./contract";

/** Calls a platform through a recording proxy, as its owner or with another token. */
export class Walk {
  /** The exchanges over the wire, in the order of the answers. */
  readonly exchanges: Exchange[] = [];
  #token = "";

  private constructor(
    readonly platform: TestPlatform,
    readonly proxy: FaultProxy,
  ) {
    proxy.interfere = async ({ method, path, url, body }, forward) => {
      const answer = await forward();
      const { status, headers, body: responseBody } = answer;
      const [, query = ""] = url.split("?");
      const contentType = headers["content-type"] ?? "";
      this.exchanges.push({ method, path, query, requestBody: body, status, contentType, responseBody });
      return answer;
    };
  }

  /** Starts a proxy in front of the platform and takes a token of its owner. */
  static async start(platform: TestPlatform): Promise<Walk> {
    const walk = new Walk(platform, await FaultProxy.start(platform.baseUrl));
    walk.#token = await platform.apiToken();
    return walk;
  }

  /** Calls the API. */
  send(method: string, path: string, body?: unknown, token = this.#token): Promise<Reply> {
    return call(method, this.proxy.url + path, body, token === "" ? {} : { authorization: `Bearer ${token}` });
  }

  /** Calls the API and expects success; returns the answer. */
  async ok(method: string, path: string, body?: unknown, token?: string): Promise<Record<string, unknown>> {
    const reply = await this.send(method, path, body, token);
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.body;
  }

  /** Calls the API and expects success; returns the uid of the answer. */
  async uid(method: string, path: string, body?: unknown): Promise<string> {
    return String((await this.ok(method, path, body))["uid"]);
  }
}

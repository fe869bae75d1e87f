import { call, type Reply, type TestPlatform } from "../support/test-platform";
import { Recorder } from "./recorder";

/** Calls a platform through a recorder, as its owner or with another token. */
export class Walk {
  #token = "";

  private constructor(
    readonly platform: TestPlatform,
    readonly recorder: Recorder,
  ) {}

  /** Starts a recorder in front of the platform and takes a token of its owner. */
  static async start(platform: TestPlatform): Promise<Walk> {
    const walk = new Walk(platform, await Recorder.start(platform.baseUrl));
    walk.#token = await platform.apiToken();
    return walk;
  }

  /** Calls the API. */
  send(method: string, path: string, body?: unknown, token = this.#token): Promise<Reply> {
    return call(method, this.recorder.url + path, body, token === "" ? {} : { authorization: `Bearer ${token}` });
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

import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator";
import { testedVersion } from "./api-version";

/** A request in the emulator's log. */
export interface LoggedRequest {
  method: string;
  path: string;
  query: string;
  body: unknown;
  /** Null until it is answered. */
  status: number | null;
}

/** An object as the platform returns it. */
export type WireObject = { uid: string; name: string } & Record<string, unknown>;

/** A JSON answer, loosely typed: what is in it is what the tests are about. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Empty if the answer is no JSON. */
  readonly body: Record<string, unknown>;
}

/** Sends a request with plain fetch. */
export async function call(method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const content = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
  const response = await fetch(url, { method, headers: { ...headers, "content-type": "application/json" }, ...content });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: readBody(text) };
}

function readBody(text: string): Reply["body"] {
  try {
    return JSON.parse(text) as Reply["body"];
  } catch {
    return {};
  }
}

/** An emulator with a client of its admin side: reads what the platform holds, and changes it behind the provider's back. */
export class TestPlatform {
  #emulator: Emulator | undefined;
  #clockOffsetSeconds = 0;

  static start(options: EmulatorOptions = {}): Promise<TestPlatform> {
    return new TestPlatform().open(options);
  }

  /** One for the tests of a file, which starts before them and ends after them. */
  static forFile(options: EmulatorOptions = {}): TestPlatform {
    const platform = new TestPlatform();
    beforeAll(() => platform.open(options));
    afterAll(() => platform.close());
    return platform;
  }

  /** Starts the emulator, on a free port. */
  async open(options: EmulatorOptions = {}): Promise<this> {
    this.#emulator = await startEmulator({ port: 0, ...options });
    return this;
  }

  get emulator(): Emulator {
    if (this.#emulator === undefined) throw new Error("the platform has not been started");
    return this.#emulator;
  }

  get baseUrl(): string {
    return this.emulator.baseUrl;
  }

  /** Uid of the root group. */
  get root(): string {
    return this.emulator.organization;
  }

  get oidcTokenFile(): string {
    return this.emulator.oidcTokenFile;
  }

  get identity(): string {
    return this.emulator.identity;
  }

  /** The emulator's own OIDC issuer. */
  get issuer(): string {
    return this.emulator.issuer;
  }

  /** The environment of a program that logs in by the token exchange. */
  get environment(): Record<string, string> {
    return {
      PLATFORM_BASE_URL: this.baseUrl,
      PLATFORM_API_VERSION: testedVersion(),
      PLATFORM_ORGANIZATION: this.root,
      PLATFORM_IDENTITY: this.identity,
      PLATFORM_OIDC_TOKEN_FILE: this.oidcTokenFile,
    };
  }

  /** All objects of a collection. */
  async objects(collection: string): Promise<WireObject[]> {
    const { objects } = (await this.admin("GET", `objects?kind=${collection}`)) as { objects: WireObject[] };
    return objects;
  }

  /** All objects, by collection. */
  async allObjects(): Promise<Record<string, WireObject[]>> {
    const { collections } = (await this.admin("GET", "objects")) as { collections: Record<string, WireObject[]> };
    return collections;
  }

  /** The object of this name. */
  async named(collection: string, name: string): Promise<WireObject> {
    const found = (await this.objects(collection)).filter((row) => row.name === name);
    if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} ${collection} are called ${name}`);
    return found[0];
  }

  /** Names of all groups below the root, sorted. */
  async groupNames(): Promise<string[]> {
    const below = (await this.objects("groups")).filter((row) => row.uid.startsWith(`${this.root}/`));
    return below.map((row) => row.name).sort();
  }

  async role(name: string): Promise<string> {
    return (await this.named("roles", name)).uid;
  }

  /** The API's requests since the log was cleared, without the token exchange. */
  async requests(): Promise<LoggedRequest[]> {
    const { requests } = (await this.admin("GET", "requests")) as { requests: LoggedRequest[] };
    return requests.filter((request) => !request.path.startsWith("/sts/"));
  }

  /** The requests that are not reads. */
  async writes(): Promise<LoggedRequest[]> {
    return (await this.requests()).filter((request) => request.method !== "GET");
  }

  async clearRequests(): Promise<void> {
    await this.admin("DELETE", "requests");
  }

  async change(collection: string, uid: string, fields: object): Promise<void> {
    await this.admin("PATCH", `objects/${collection}/${uid}`, fields);
  }

  async delete(collection: string, uid: string): Promise<void> {
    await this.admin("DELETE", `objects/${collection}/${uid}`);
  }

  async create(collection: string, parent: string, fields: object): Promise<WireObject> {
    return (await this.admin("POST", `objects/${collection}`, { parent, ...fields })) as WireObject;
  }

  async fault(match: object, fault: object, more: object = {}): Promise<void> {
    await this.admin("POST", "faults", { match, fault, ...more });
  }

  async clearFaults(): Promise<void> {
    await this.admin("DELETE", "faults");
  }

  async settings(values: object): Promise<void> {
    await this.admin("PATCH", "settings", values);
  }

  /** Moves the platform's clock so far that nothing counts as created just now (docs/platform-api.md#propagation). */
  async letTimePass(): Promise<void> {
    await this.passTime(31_000);
  }

  /** Moves the platform's clock by `ms` milliseconds. */
  async passTime(ms: number): Promise<void> {
    this.#clockOffsetSeconds += ms / 1_000;
    await this.settings({ clockOffsetSeconds: this.#clockOffsetSeconds });
  }

  /** An OIDC token of the emulator's own issuer. */
  async oidcToken(claims: object): Promise<string> {
    return String((await this.admin("POST", "oidc-tokens", claims))["token"]);
  }

  /** An API token, of the seeded identity unless `claims` name another `identity`. */
  async apiToken(claims: object = {}): Promise<string> {
    return String((await this.admin("POST", "api-tokens", claims))["token"]);
  }

  /** Calls the admin side, and expects success; returns the answer. */
  async admin(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const reply = await this.adminReply(method, path, body);
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.body;
  }

  /** Calls the admin side. */
  adminReply(method: string, path: string, body?: unknown): Promise<Reply> {
    return call(method, `${this.emulator.adminUrl}/${path}`, body);
  }

  async close(): Promise<void> {
    await this.#emulator?.close();
  }
}

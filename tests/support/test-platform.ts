import { startEmulator } from "../../emulator";
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

/** An emulator with a client of its admin side: reads what the platform holds, and changes it behind the provider's back. */
export class TestPlatform {
  #clockOffsetSeconds = 0;

  private constructor(private readonly emulator: Awaited<ReturnType<typeof startEmulator>>) {}

  /** @param sample whether the organisation also has the group `operations` of the emulator's command */
  static async start({ sample = false } = {}): Promise<TestPlatform> {
    return new TestPlatform(await startEmulator({ port: 0, sample }));
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

  async oidcToken(claims: object): Promise<string> {
    return ((await this.admin("POST", "oidc-tokens", claims)) as { token: string }).token;
  }

  async apiToken(claims: object = {}): Promise<string> {
    return ((await this.admin("POST", "api-tokens", claims)) as { token: string }).token;
  }

  async admin(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.emulator.adminUrl}/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : (JSON.parse(text) as unknown);
  }

  close(): Promise<void> {
    return this.emulator.close();
  }
}

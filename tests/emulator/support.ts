import { readFile } from "node:fs/promises";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";

/** A JSON answer, loosely typed: what is in it is what the tests are about. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** An emulator and ways to talk to it over a real socket. */
export class Bench {
  private token = "";

  private constructor(readonly emulator: Emulator) {}

  /** Starts an emulator on a free port and takes a token of the seeded identity. */
  static async start(options: EmulatorOptions = {}): Promise<Bench> {
    const bench = new Bench(await startEmulator({ port: 0, ...options }));
    bench.token = await bench.tokenOf(bench.emulator.identity);
    return bench;
  }

  /** Stops the emulator. */
  stop(): Promise<void> {
    return this.emulator.close();
  }

  /** Calls the API as the seeded identity, or with another token ("" for none). */
  api(method: string, path: string, body?: unknown, token = this.token): Promise<Reply> {
    return call(method, this.emulator.baseUrl + path, body, token === "" ? {} : { authorization: `Bearer ${token}` });
  }

  /** Calls the API and expects success; returns the body. */
  async ok(method: string, path: string, body?: unknown, token?: string): Promise<Record<string, unknown>> {
    const reply = await this.api(method, path, body, token);
    expect(reply).toMatchObject({ status: 200 });
    return reply.body;
  }

  /** Calls the admin side. */
  admin(method: string, path: string, body?: unknown): Promise<Reply> {
    return call(method, `${this.emulator.adminUrl}/${path}`, body, {});
  }

  /** Changes settings for one test. */
  async settings(patch: Record<string, unknown>): Promise<void> {
    expect((await this.admin("PATCH", "settings", patch)).status).toBe(200);
  }

  /** An API token for an identity. */
  async tokenOf(identity: string, expiresInSeconds?: number): Promise<string> {
    return String((await this.admin("POST", "api-tokens", { identity, expiresInSeconds })).body["token"]);
  }

  /** An OIDC token of the emulator's own issuer. */
  async oidcToken(request: Record<string, unknown>): Promise<string> {
    return String((await this.admin("POST", "oidc-tokens", request)).body["token"]);
  }

  /** The token in the emulator's OIDC token file. */
  oidcTokenInFile(): Promise<string> {
    return readFile(this.emulator.oidcTokenFile, "utf8");
  }

  /** Exchanges an OIDC token. */
  exchange(oidcToken: string, parameters: Record<string, string>): Promise<Reply> {
    const query = new URLSearchParams(parameters).toString();
    return call("GET", `${this.emulator.authUrl}/sts/exchange?${query}`, undefined, { authorization: `Bearer ${oidcToken}` });
  }

  /** Creates a group and returns its uid. */
  async group(name: string, parent = this.emulator.organization): Promise<string> {
    return String((await this.ok("POST", `/iam/v2beta1/groups/${parent}`, { name }))["uid"]);
  }

  /** Creates an identity that tokens of the emulator's issuer with that subject may assume; returns its uid. */
  async identity(name: string, parent = this.emulator.organization, subject = name): Promise<string> {
    const body = { name, claimMatch: { issuer: this.emulator.issuer, subject } };
    return String((await this.ok("POST", `/iam/v2beta1/identities/${parent}`, body))["uid"]);
  }

  /** Binds a role to an identity in a group and returns the binding's uid. */
  async bind(group: string, identityUid: string, roleUid: string): Promise<string> {
    return String((await this.ok("POST", `/iam/v2beta1/roleBindings/${group}`, { identityUid, roleUid }))["uid"]);
  }

  /** The uid of a built-in role. */
  async role(name: string): Promise<string> {
    const { roles } = await this.ok("GET", `/iam/v2beta1/roles?uidp.in_root=true&name=${encodeURIComponent(name)}`);
    return String((roles as { uid: string }[])[0]?.uid);
  }
}

/** Sends a request with plain fetch. */
export async function call(method: string, url: string, body: unknown, headers: Record<string, string>): Promise<Reply> {
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

/** The value of one member in every row of a list's answer. */
export function column(body: Record<string, unknown>, collection: string, member: string): unknown[] {
  return (body[collection] as Record<string, unknown>[]).map((row) => row[member]);
}

import { readFile } from "node:fs/promises";
import { Contract } from "../contract/contract";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";

/** A JSON answer, loosely typed: what is in it is what the tests are about. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** Calls besides the published ones that the emulator answers: only the root lies in no group. */
const unpublished = /^POST \/iam\/v2(beta1)?\/groups\/?$/;

let contract: Contract | undefined;

/** An emulator and ways to talk to it over a real socket. Every answer to {@link Bench.api} must keep to the published contract. */
export class Bench {
  #token = "";
  #hasFaults = false;
  readonly #violations: string[] = [];

  private constructor(readonly emulator: Emulator) {}

  /** Starts an emulator on a free port and takes a token of the seeded identity. */
  static async start(options: EmulatorOptions = {}): Promise<Bench> {
    const bench = new Bench(await startEmulator({ port: 0, ...options }));
    bench.#token = await bench.tokenOf(bench.emulator.identity);
    return bench;
  }

  /** Stops the emulator, and fails if any answer broke the contract. */
  async stop(): Promise<void> {
    await this.emulator.close();
    expect(this.#violations).toEqual([]);
  }

  /** Calls the API as the seeded identity, or with another token ("" for none). */
  async api(method: string, path: string, body?: unknown, token = this.#token): Promise<Reply> {
    const headers: Record<string, string> = token === "" ? {} : { authorization: `Bearer ${token}` };
    const reply = await call(method, this.emulator.baseUrl + path, body, headers);
    if (!this.#hasFaults) this.#violations.push(...violationsOf(method, path, reply));
    return reply;
  }

  /** Calls the API and expects success; returns the body. */
  async ok(method: string, path: string, body?: unknown, token?: string): Promise<Record<string, unknown>> {
    const reply = await this.api(method, path, body, token);
    expect(reply).toMatchObject({ status: 200 });
    return reply.body;
  }

  /** Calls the admin side. */
  admin(method: string, path: string, body?: unknown): Promise<Reply> {
    if (path === "faults") this.#hasFaults = method === "POST";
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

function violationsOf(method: string, target: string, { status, headers, text }: Reply): string[] {
  contract ??= new Contract();
  const [path = "", query = ""] = target.split("?");
  // An answer to HEAD has no body.
  if (method === "HEAD" || (status === 200 && unpublished.test(`${method} ${path}`))) return [];
  const contentType = headers.get("content-type") ?? "";
  return contract.responseViolations({ method, path, query, requestBody: "", status, contentType, responseBody: text });
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

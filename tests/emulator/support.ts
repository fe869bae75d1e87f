import { readFile } from "node:fs/promises";
import type { EmulatorOptions } from "../../emulator";
import { Contract } from "../contract/contract";
import { call, type Reply, TestPlatform, type WireObject } from "../support/test-platform";

/** Calls besides the published ones that the emulator answers: only the root lies in no group. */
const unpublished = /^POST \/iam\/v2(beta1)?\/groups\/?$/;

/** How the API refuses a call: the status and the code of each reason. */
export const refusal = {
  invalid: { status: 400, body: { code: 3 } },
  notFound: { status: 404, body: { code: 5 } },
  exists: { status: 409, body: { code: 6 } },
  denied: { status: 403, body: { code: 7 } },
  blocked: { status: 400, body: { code: 9 } },
  unserved: { status: 501, body: { code: 12 } },
  unauthenticated: { status: 401, body: { code: 16 } },
};

/** How the API refuses a body that is wrong in exactly these fields. */
export const invalidFields = (...fields: string[]) => ({
  status: 400,
  body: { code: 3, details: [{}, { fieldViolations: fields.map((field) => ({ field })) }] },
});

let contract: Contract | undefined;

/** A platform that is called over a real socket. Every answer to {@link Bench.api} must keep to the published contract. */
export class Bench extends TestPlatform {
  #token = "";
  #hasFaults = false;
  #ordinary: Record<string, unknown> | undefined;
  #serial = 0;
  readonly #violations: string[] = [];

  /** Starts an emulator on a free port and takes a token of the seeded identity. */
  static override start(options: EmulatorOptions = {}): Promise<Bench> {
    return new Bench().open(options);
  }

  override async open(options: EmulatorOptions = {}): Promise<this> {
    await super.open(options);
    this.#token = await this.tokenOf(this.identity);
    return this;
  }

  /** Stops the emulator, and fails if any answer broke the contract. */
  override async close(): Promise<void> {
    await super.close();
    expect(this.#violations).toEqual([]);
  }

  /** Calls the API as the seeded identity, or with another token ("" for none). */
  async api(method: string, path: string, body?: unknown, token = this.#token): Promise<Reply> {
    const headers: Record<string, string> = token === "" ? {} : { authorization: `Bearer ${token}` };
    const reply = await call(method, this.baseUrl + path, body, headers);
    if (!this.#hasFaults) this.#violations.push(...violationsOf(method, path, reply));
    return reply;
  }

  /** Calls the API and expects success; returns the body. */
  async ok(method: string, path: string, body?: unknown, token?: string): Promise<Record<string, unknown>> {
    const reply = await this.api(method, path, body, token);
    expect(reply).toMatchObject({ status: 200 });
    return reply.body;
  }

  /** The rows of a List. */
  async rows(path: string, token?: string): Promise<WireObject[]> {
    return Object.values(await this.ok("GET", path, undefined, token)).find(Array.isArray) as WireObject[];
  }

  /** The value of one member in every row of a List. */
  async column(member: string, path: string, token?: string): Promise<unknown[]> {
    return (await this.rows(path, token)).map((row) => row[member]);
  }

  override adminReply(method: string, path: string, body?: unknown): Promise<Reply> {
    if (path === "faults") this.#hasFaults = method === "POST";
    return super.adminReply(method, path, body);
  }

  override async settings(values: object): Promise<void> {
    this.#ordinary ??= await this.admin("GET", "settings");
    await super.settings(values);
  }

  /** Takes back what {@link Bench.settings} has changed. */
  async restoreSettings(): Promise<void> {
    if (this.#ordinary !== undefined) await super.settings(this.#ordinary);
    this.#ordinary = undefined;
  }

  /** A name that nothing else has. */
  name(noun: string): string {
    this.#serial += 1;
    return `${noun} ${this.#serial}`;
  }

  /** An API token for an identity. */
  tokenOf(identity: string, expiresInSeconds?: number): Promise<string> {
    return this.apiToken({ identity, expiresInSeconds });
  }

  /** The token in the emulator's OIDC token file. */
  oidcTokenInFile(): Promise<string> {
    return readFile(this.oidcTokenFile, "utf8");
  }

  /** Exchanges an OIDC token. */
  exchange(oidcToken: string, parameters: Record<string, string>): Promise<Reply> {
    const query = new URLSearchParams(parameters).toString();
    return call("GET", `${this.emulator.authUrl}/sts/exchange?${query}`, undefined, { authorization: `Bearer ${oidcToken}` });
  }

  /** Creates an object of the IAM API and returns its uid. */
  async make(collection: string, parent: string, body: object): Promise<string> {
    return String((await this.ok("POST", `/iam/v2beta1/${collection}/${parent}`, body))["uid"]);
  }

  /** Creates a group and returns its uid. */
  group(name: string, parent = this.root): Promise<string> {
    return this.make("groups", parent, { name });
  }

  /** Creates an identity that tokens of the emulator's issuer with the subject `name` may assume; returns its uid. */
  someone(name: string, parent = this.root): Promise<string> {
    return this.make("identities", parent, { name, claimMatch: { issuer: this.issuer, subject: name } });
  }

  /** Binds a role to an identity in a group and returns the binding's uid. */
  bind(group: string, identityUid: string, roleUid: string): Promise<string> {
    return this.make("roleBindings", group, { identityUid, roleUid });
  }
}

/** A bench for all tests of a file. After each, its settings are the ordinary ones. */
export function useBench(options: EmulatorOptions = {}): Bench {
  const bench = new Bench();
  beforeAll(() => bench.open(options));
  afterEach(() => bench.restoreSettings());
  afterAll(() => bench.close());
  return bench;
}

function violationsOf(method: string, target: string, { status, headers, text }: Reply): string[] {
  contract ??= new Contract();
  const [path = "", query = ""] = target.split("?");
  // An answer to HEAD has no body.
  if (method === "HEAD" || (status === 200 && unpublished.test(`${method} ${path}`))) return [];
  const contentType = headers.get("content-type") ?? "";
  return contract.responseViolations({ method, path, query, requestBody: "", status, contentType, responseBody: text });
}

/** The value of one member in every row of a list's answer. */
export function column(body: Record<string, unknown>, collection: string, member: string): unknown[] {
  return (body[collection] as Record<string, unknown>[]).map((row) => row[member]);
}

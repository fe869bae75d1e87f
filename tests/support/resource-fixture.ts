import { PlatformClient } from "../../provider/client/client";
import type { Clock } from "../../provider/client/clock";
import type { Timing } from "../../provider/client/retry";
import type { Caller } from "../../provider/client/token-source";
import { check, type CheckResult } from "../../provider/resources/object/check";
import { duplicates } from "../../provider/resources/object/duplicates";
import type { Declaring } from "../../provider/schema/operation";
import { PlatformError } from "../../provider/client/errors";
import { create, type Created } from "../../provider/resources/creating/create";
import { remove } from "../../provider/resources/object/delete";
import { typeToken } from "../../provider/host/plugin/resources";
import { diff } from "../../provider/resources/object/diff";
import { type Found, refresh } from "../../provider/resources/object/read";
import { update } from "../../provider/resources/object/update";
import { accountAssociation } from "../../provider/kinds/account-association";
import { externalGroupRoleMapping } from "../../provider/kinds/external-group-role-mapping";
import { group } from "../../provider/kinds/group";
import { groupInvite } from "../../provider/kinds/group-invite";
import { identity } from "../../provider/kinds/identity";
import { identityProvider } from "../../provider/kinds/identity-provider";
import { kinds as listed } from "../../provider/kinds/kinds";
import type { Inputs, Kind } from "../../provider/schema/kind";
import { repo } from "../../provider/kinds/repo";
import { role } from "../../provider/kinds/role";
import { roleBinding } from "../../provider/kinds/role-binding";
import { subscription } from "../../provider/kinds/subscription";
import { tag } from "../../provider/kinds/tag";
import { newRun, type NewRunOptions } from "../../provider/resources/run/new-run";
import type { Run } from "../../provider/resources/run/run";
import { testedVersion } from "./api-version";
import { FakeClock } from "./fake-clock";
import { FaultProxy } from "./fault-proxy";
import { digestOf, placeIn, validInputs } from "./kind-inputs";
import { TestPlatform, type WireObject } from "./test-platform";

export { digestOf };
export { expectFailure, failureOf } from "./failures";
export { accountAssociation, externalGroupRoleMapping, group, groupInvite, identity, identityProvider };
export { repo, role, roleBinding, subscription, tag };

const isInGroups = ({ parents }: Kind) => parents.segment === group.segment;

/** Every kind, for tables; what is in objects of another kind comes after that. */
export const kinds = Object.values<Kind>(listed)
  .sort((one, other) => Number(isInGroups(other)) - Number(isInGroups(one)))
  .map((kind): [string, Kind] => [kind.collection.noun, kind]);

/** Every kind with a natural key, for tables. */
export const keyedKinds = kinds.filter(([, { naturalKey }]) => naturalKey.length > 0);

/** Every kind whose objects show when they were created, for tables. */
export const timedKinds = kinds.filter(([, { fields }]) => "createTime" in fields);

/** A deadline that no request of a busy machine misses; short pauses between attempts, and for objects that are still young. */
const patient: Timing = { attemptMs: 15_000, budgetMs: 20_000, firstDelayMs: 5, longestDelayMs: 20, propagationMs: 500 };

/** How a run is opened. */
export interface RunOptions extends Omit<NewRunOptions, "adoptByDefault"> {
  adopt?: boolean;
  token?: string;
  timing?: Partial<Timing>;
  /** Default: that of the fixture. */
  clock?: Clock;
  /** Whose the token is. Default: unknown. */
  caller?: Caller | undefined;
}

/** An emulator, a fault proxy before it, and runs against them. */
export class ResourceFixture {
  platform!: TestPlatform;
  proxy!: FaultProxy;
  /** The clock of its runs, which moves that of the platform along. */
  readonly clock = new FakeClock((ms) => this.platform.passTime(ms));
  /** Uid of the built-in role `viewer`. */
  viewer!: string;
  #token = "";
  #names = 0;

  /** Starts later, so that a file can name its fixture before its tests run. */
  private constructor(private readonly timing: Partial<Timing> = {}) {}

  /** One of a single test. */
  static async start(): Promise<ResourceFixture> {
    const fixture = new ResourceFixture();
    await fixture.#start();
    return fixture;
  }

  /**
   * One fixture for the tests of a file: it starts before them, and each begins without what others have injected.
   *
   * @param timing for tests that wait for requests without an answer: their runs give those up sooner
   */
  static forFile(timing?: Partial<Timing>): ResourceFixture {
    const fixture = new ResourceFixture(timing);
    beforeAll(() => fixture.#start());
    afterAll(() => fixture.close());
    beforeEach(() => fixture.reset());
    return fixture;
  }

  async #start(): Promise<void> {
    this.platform = await TestPlatform.start();
    this.proxy = await FaultProxy.start(this.platform.baseUrl);
    this.#token = await this.platform.apiToken({ expiresInSeconds: 10_000_000 });
    this.viewer = await this.platform.role("viewer");
  }

  async close(): Promise<void> {
    await this.clock.stop();
    await this.proxy.close();
    await this.platform.close();
  }

  /** Undoes what a test has injected. */
  async reset(): Promise<void> {
    this.proxy.interfere = () => undefined;
    await this.platform.clearFaults();
    await this.platform.settings({
      duplicateNames: false,
      omitDefaults: false,
      omitTotalCount: false,
      timestampDigits: 3,
      deleteBody: "empty",
      propagationMs: 0,
      readLagMs: 0,
      listLagMs: 0,
      denials: "byOrganization",
      tokenGrants: "live",
    });
    await this.platform.clearRequests();
  }

  /** Opens a run, as one process of the provider host does. */
  run({ adopt = false, token = this.#token, timing, clock = this.clock, caller, ...more }: RunOptions = {}): Run {
    const tokens = { token: () => Promise.resolve(token), forget: () => false, caller: () => Promise.resolve(caller) };
    const { baseUrl } = this.proxy;
    const client = new PlatformClient({
      baseUrl,
      apiVersion: testedVersion(),
      tokens,
      timing: { ...patient, ...this.timing, ...timing },
      clock,
    });
    return newRun(client, { adoptByDefault: adopt, ...more });
  }

  /** Opens a run as {@link run} does, and keeps what it tells the user. */
  told(options: RunOptions = {}): { run: Run; told: string[] } {
    const told: string[] = [];
    return { told, run: this.run({ ...options, notify: (message) => told.push(message) }) };
  }

  /** The options for a run to log in as the identity `uid`, and to know it. */
  async as(uid: string): Promise<{ token: string; caller: Caller }> {
    return { token: await this.platform.apiToken({ identity: uid }), caller: { uid } };
  }

  /** Returns an unused name. */
  name(stem = "thing"): string {
    return `${stem}-${++this.#names}`;
  }

  /** Creates an empty group and returns its uid. */
  async parent(under = this.platform.root): Promise<string> {
    return (await this.platform.create("groups", under, { name: this.name("parent") })).uid;
  }

  /** Creates an identity in a group of its own and returns its uid. */
  async identity(): Promise<string> {
    const claimMatch = { issuer: "https://issuer.example", subject: this.name("subject") };
    return (await this.platform.create("identities", await this.parent(), { name: this.name("someone"), claimMatch })).uid;
  }

  /** Creates a custom role, by default for the whole organisation, and returns its uid. */
  async role(capabilities: readonly string[], parentUid = this.platform.root): Promise<string> {
    return (await this.platform.create("roles", parentUid, { name: this.name("role"), capabilities })).uid;
  }

  /** Gives the identity a role with these capabilities in `parentUid`, and returns the uid of the binding. */
  async grant(identityUid: string, parentUid: string, ...capabilities: string[]): Promise<string> {
    return (await this.colleague(roleBinding, { parentUid, identityUid, roleUid: await this.role(capabilities) })).uid;
  }

  /** Creates an empty place for objects of `kind` in a group of its own, and returns its uid. */
  async place(kind: Kind, under = this.platform.root): Promise<string> {
    return placeIn(this.platform, kind, { parentUid: await this.parent(under), roleUid: this.viewer });
  }

  /** Returns valid inputs of `kind` in `parentUid`. */
  async inputs(kind: Kind, parentUid: string): Promise<Inputs> {
    const identityUid = kind === roleBinding ? await this.identity() : "";
    const { root: organization } = this.platform;
    return validInputs(kind, { parentUid, name: this.name(), organization, roleUid: this.viewer, identityUid });
  }

  /** The resource of an object that an earlier run made, by default in a place of its own. The log has no request then. */
  async made(kind: Kind, more: Inputs = {}): Promise<Resource> {
    const inputs = await this.#inputsWith(kind, more);
    const { id, outs } = await declare(kind, inputs, this.run());
    await this.platform.clearRequests();
    return new Resource(this, { kind, uid: id, inputs, outs });
  }

  /** As {@link made}, of an object that somebody else made: the state holds the inputs only. */
  async theirs(kind: Kind, more: Inputs = {}): Promise<Resource> {
    const inputs = await this.#inputsWith(kind, more);
    const { uid } = await this.colleague(kind, inputs);
    await this.platform.clearRequests();
    return new Resource(this, { kind, uid, inputs, outs: inputs });
  }

  async #inputsWith(kind: Kind, more: Inputs): Promise<Inputs> {
    const given = more[kind.parentInput];
    return { ...(await this.inputs(kind, typeof given === "string" ? given : await this.place(kind))), ...more };
  }

  /** The object of `kind` as the platform has it; undefined where it has none of that uid. */
  async stored({ collection }: Kind, uid: string): Promise<WireObject | undefined> {
    return (await this.platform.objects(collection.segment)).find((row) => row.uid === uid);
  }

  /** A change of an object of `kind` that its inputs show. */
  async changeByHand(kind: Kind): Promise<Inputs> {
    if ("name" in kind.fields) return { name: this.name("by hand") };
    return "sink" in kind.fields ? { sink: "https://other.example" } : { roleUid: await this.platform.role("owner") };
  }

  /** The objects of `kind` right under `parentUid`. */
  async children(kind: Kind, parentUid: string): Promise<WireObject[]> {
    const rows = await this.platform.objects(kind.collection.segment);
    return rows.filter((row) => kind.observe(row).inputs[kind.parentInput] === parentUid);
  }

  /** Uids of {@link children}, sorted. */
  async uids(kind: Kind, parentUid: unknown): Promise<string[]> {
    return (await this.children(kind, String(parentUid))).map(({ uid }) => uid).sort();
  }

  /** Creates the object that `inputs` declare behind the provider's back, with `more` fields. */
  colleague(kind: Kind, { [kind.parentInput]: parentUid, ...fields }: Inputs, more: object = {}): Promise<WireObject> {
    return this.platform.create(kind.collection.segment, String(parentUid), { ...sentOf(kind, fields), ...more });
  }

  /** Paths of the requests of `method` whose path contains `path`. */
  async asked(method: string, path = ""): Promise<string[]> {
    const requests = await this.platform.requests();
    return requests.filter((request) => request.method === method && request.path.includes(path)).map((request) => request.path);
  }
}

/** The engine's knowledge of one resource. */
interface Known {
  kind: Kind;
  uid: string;
  inputs: Inputs;
  /** The state. */
  outs: Inputs;
}

/** One resource, and what the engine calls for it: each time in a run of its own, unless a test passes one. */
export class Resource {
  readonly kind: Kind;
  readonly uid: string;
  readonly inputs: Inputs;
  readonly outs: Inputs;

  constructor(
    private readonly fixture: ResourceFixture,
    known: Known,
  ) {
    ({ kind: this.kind, uid: this.uid, inputs: this.inputs, outs: this.outs } = known);
  }

  /** Uid of what it is in. */
  get place(): string {
    return String(this.inputs[this.kind.parentInput]);
  }

  /** Compares the state with the inputs, changed by `change`. */
  diff(change: Inputs = {}, run = this.fixture.run()): ReturnType<typeof diff> {
    return diff({ kind: this.kind, uid: this.uid, olds: this.outs, news: { ...this.inputs, ...change } }, run);
  }

  /** Types and logical name of the resource, as in its URN. */
  get path(): string {
    return `${typeToken(this.kind)}::${this.uid}`;
  }

  /** Checks and compares, as the engine does for a resource in the state. */
  declared(run: Run, change: Inputs = {}): ReturnType<typeof diff> {
    const { kind, path } = this;
    run.ledger.declarations.checked(path);
    const { inputs, failures } = checked({ kind, olds: this.inputs, news: { ...this.inputs, ...change }, path }, run);
    expect(failures).toEqual([]);
    return diff({ kind: this.kind, uid: this.uid, olds: this.outs, news: inputs }, run);
  }

  refresh(run = this.fixture.run()): Promise<Found | undefined> {
    return refresh(this.kind, this.uid, this.outs, run);
  }

  /** The resource with the state that a refresh gives it. */
  async refreshed(run = this.fixture.run()): Promise<Resource> {
    const { kind, uid, inputs } = this;
    return new Resource(this.fixture, { kind, uid, inputs, outs: (await this.refresh(run))?.props ?? {} });
  }

  update(change: Inputs = {}, run = this.fixture.run()): Promise<Inputs> {
    return update({ kind: this.kind, uid: this.uid, olds: this.outs, news: { ...this.inputs, ...change } }, run);
  }

  /** The resource as an update to `change` leaves it. */
  async updated(change: Inputs = {}, run = this.fixture.run()): Promise<Resource> {
    const outs = await this.update(change, run);
    return new Resource(this.fixture, { kind: this.kind, uid: this.uid, inputs: { ...this.inputs, ...change }, outs });
  }

  remove(run = this.fixture.run()): Promise<void> {
    return remove(this.kind, this.uid, this.outs, run);
  }

  /** Changes the object behind the provider's back. */
  byHand(change: object): Promise<void> {
    return this.fixture.platform.change(this.kind.collection.segment, this.uid, change);
  }

  /** Deletes the object behind the provider's back. */
  deletedByHand(): Promise<void> {
    return this.fixture.platform.delete(this.kind.collection.segment, this.uid);
  }

  /** The object as the platform has it. */
  stored(): Promise<WireObject | undefined> {
    return this.fixture.stored(this.kind, this.uid);
  }

  /** Whether the platform has the object. */
  async exists(): Promise<boolean> {
    return (await this.stored()) !== undefined;
  }
}

/** The inputs without those that the platform never gets. */
export function sentOf({ fields }: Kind, inputs: Inputs): Inputs {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => fields[name]?.by !== "local"));
}

/** Checks, and records what the program declares. */
export function checked(declaring: Declaring, run: Run): CheckResult {
  const { inputs, failures } = check(declaring, run);
  if (failures.length > 0) return { inputs, failures };
  return { inputs, failures: duplicates({ ...declaring, news: inputs }, declaring.news["adopt"], run) };
}

/** Checks and creates, as the engine does for a new resource. @throws PlatformError also for a duplicate that the check finds */
export async function declare(kind: Kind, news: Inputs, run: Run, path = `${typeToken(kind)}::new`): Promise<Created> {
  const { inputs, failures } = checked({ kind, olds: {}, news, path }, run);
  for (const { code, reason } of failures) if (code === "KEY_TAKEN") throw new PlatformError(code, reason);
  expect(failures).toEqual([]);
  return create(kind, inputs, run);
}

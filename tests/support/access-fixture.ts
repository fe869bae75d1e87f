import { dynamically, type DynamicProvider } from "../../provider/host/dynamic";
import type { Inputs } from "../../provider/schema/kind";
import { groupAccessLife } from "../../provider/resources/group-access/life";
import type { Run } from "../../provider/resources/run/run";
import { identity, ResourceFixture, roleBinding } from "./resource-fixture";
import type { WireObject } from "./test-platform";

/** The declarations of a program besides the group: `{ owner: ["zoe"] }` stands for `access` with the names as labels. */
export interface Declared {
  access: Record<string, string[]>;
  others?: "remove" | "keep";
  roles?: string[];
  exempt?: { identities?: string[]; bindingUids?: string[]; roles?: string[] };
  adopt?: boolean;
}

/** Options of {@link AccessStack.up}. */
export interface UpOptions {
  run?: Run;
  refresh?: boolean;
}

/** The provider that serves `GroupAccess` in one process of the host. */
export function accessProvider(run: Run): DynamicProvider {
  return dynamically(groupAccessLife, () => run);
}

/** A platform with people, and groups whose access is declared. */
export class AccessFixture {
  readonly roles = new Map<string, string>();
  readonly #people = new Map<string, Promise<string>>();

  private constructor(readonly fixture: ResourceFixture) {}

  /** One for the tests of a file, as {@link ResourceFixture.forFile}. */
  static forFile(...timing: Parameters<typeof ResourceFixture.forFile>): AccessFixture {
    const access = new AccessFixture(ResourceFixture.forFile(...timing));
    beforeAll(async () => {
      for (const { name, uid } of await access.platform.objects("roles")) access.roles.set(name, uid);
    });
    return access;
  }

  get platform() {
    return this.fixture.platform;
  }

  /** The uid of the identity `name`, which is created on first use. */
  person(name: string): Promise<string> {
    const claimMatch = { issuer: "https://issuer.example", subject: name };
    const create = () => this.fixture.colleague(identity, { parentUid: this.platform.root, name, claimMatch });
    const uid = this.#people.get(name) ?? create().then((row) => row.uid);
    this.#people.set(name, uid);
    return uid;
  }

  /** Gives `name` a role by hand. @returns the uid of the binding */
  async bind(groupUid: string, name: string, role: string): Promise<string> {
    const fields = { parentUid: groupUid, identityUid: await this.person(name), roleUid: this.roles.get(role) ?? role };
    return (await this.fixture.colleague(roleBinding, fields)).uid;
  }

  /** A stack that declares the access of a group. Default: of a new one */
  async stack(groupUid?: string, name?: string): Promise<AccessStack> {
    return new AccessStack(this, groupUid ?? (await this.fixture.parent()), name);
  }

  /** A stack that has been brought up with `declared`, and no request in the log. */
  async brought(declared: Declared): Promise<AccessStack> {
    const stack = await this.stack();
    await stack.up(declared);
    await this.platform.clearRequests();
    return stack;
  }

  /** Who has which role in the group, by the platform: `zoe owner`. */
  async members(groupUid: string): Promise<string[]> {
    return (await this.membersWithBindings(groupUid)).map(({ name }) => name).sort();
  }

  /** {@link members}, with the uids of their bindings. */
  async membersWithBindings(groupUid: string): Promise<{ name: string; binding: string }[]> {
    const people = await Promise.all([...this.#people].map(async ([name, uid]) => [await uid, name] as const));
    const names = new Map([...people, ...[...this.roles].map(([name, uid]) => [uid, name] as const)]);
    return (await this.#rows(groupUid)).map((row) => ({
      name: ["identity", "role"].map((each) => names.get(referenced(row, each)) ?? "?").join(" "),
      binding: row.uid,
    }));
  }

  /** The uids of the bindings in the group. */
  async bindings(groupUid: string): Promise<string[]> {
    return (await this.#rows(groupUid)).map(({ uid }) => uid).sort();
  }

  /** The inputs of a `GroupAccess`. */
  async inputs(parentUid: string, { access, others, roles, exempt, adopt }: Declared): Promise<Inputs> {
    const uids = (names: readonly string[]) => Promise.all(names.map((name) => this.person(name)));
    const members = async (names: string[]) => Object.fromEntries((await uids(names)).map((uid, at) => [names[at] ?? "", uid]));
    const { identities, ...rest } = exempt ?? {};
    const byRole = await Promise.all(Object.entries(access).map(async ([role, names]) => [role, await members(names)] as const));
    return {
      parentUid,
      access: Object.fromEntries(byRole),
      ...(others && { others }),
      ...(roles && { roles }),
      ...(exempt && { exempt: { ...rest, ...(identities && { identityUids: await uids(identities) }) } }),
      ...(adopt !== undefined && { adopt }),
    };
  }

  #rows(groupUid: string): Promise<WireObject[]> {
    return this.fixture.children(roleBinding, groupUid);
  }
}

/** The uid that a binding names, in either of its two forms. */
function referenced(row: WireObject, name: string): string {
  return (row[name] as { uid?: string } | undefined)?.uid ?? String(row[`${name}Uid`]);
}

/** The state of one `GroupAccess`, and the calls that the engine makes for it. Every run is a process of its own. */
export class AccessStack {
  /** Undefined before the first create, and after a destroy. */
  state: { id: string; inputs: Inputs; outputs: Inputs; isHalfMade: boolean } | undefined;

  constructor(
    private readonly of: AccessFixture,
    readonly groupUid: string,
    /** Logical name of the resource. */
    readonly name = "access",
  ) {}

  /** The inputs that the class passes to check. */
  async declares(declared: Declared): Promise<Inputs> {
    return { ...(await this.of.inputs(this.groupUid, declared)), __logicalName: `platform:iam:GroupAccess::${this.name}` };
  }

  /** Who the state says has which role: `zoe owner`, by label. */
  get known(): string[] {
    const access = (this.state?.outputs["access"] ?? {}) as Record<string, Record<string, string>>;
    return Object.entries(access)
      .flatMap(([role, members]) => Object.keys(members).map((label) => `${label} ${role}`))
      .sort();
  }

  /** Who has which role, by the platform: `zoe owner`. */
  members(): Promise<string[]> {
    return this.of.members(this.groupUid);
  }

  /** The uid of the binding of a member, by the state. */
  binding(name: string, role: string): string {
    const { bindings = {} } = (this.state?.outputs ?? {}) as { bindings?: Record<string, Record<string, string>> };
    return bindings[role]?.[name] ?? "";
  }

  /** @throws Error of the check, or of the step */
  async up(declared: Declared, { run = this.of.fixture.run(), refresh = false }: UpOptions = {}): Promise<void> {
    if (refresh) await this.refresh(run);
    const provider = accessProvider(run);
    const { inputs, failures } = await provider.check(this.state?.inputs ?? {}, await this.declares(declared));
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("; "));
    if (this.state === undefined) {
      await this.#keep(inputs, async () => {
        const { id, outs } = await provider.create(inputs);
        return { id, outputs: outs };
      });
      return;
    }
    const { id, outputs, isHalfMade } = this.state;
    const { changes, replaces } = await provider.diff(id, outputs, inputs);
    expect(replaces).toEqual([]);
    if (!changes && !isHalfMade) this.state = { ...this.state, inputs };
    else await this.#keep(inputs, async () => ({ id, outputs: (await provider.update(id, outputs, inputs)).outs }));
  }

  /** Makes the calls of a preview. @returns whether it finds changes, and its messages to the user */
  async preview(declared: Declared): Promise<{ changes: boolean; said: string }> {
    const said: string[] = [];
    const provider = accessProvider(this.of.fixture.run({ notify: (text) => said.push(text) }));
    const { id = "", inputs: before = {}, outputs = {} } = this.state ?? {};
    const { inputs } = await provider.check(before, await this.declares(declared));
    const { changes } = await provider.diff(id, outputs, inputs);
    return { changes, said: said.join("\n") };
  }

  /** @returns whether the engine would report drift */
  async refresh(run = this.of.fixture.run()): Promise<boolean> {
    if (this.state === undefined) return false;
    const provider = accessProvider(run);
    const { id, props, inputs } = await provider.read(this.state.id, this.state.outputs);
    const before = this.state.inputs;
    this.state = id === undefined ? undefined : { id, inputs: inputs ?? {}, outputs: props ?? {}, isHalfMade: false };
    return this.state === undefined || (await provider.diff(this.state.id, this.state.outputs, before)).changes;
  }

  async destroy(run = this.of.fixture.run()): Promise<void> {
    if (this.state !== undefined) await accessProvider(run).delete(this.state.id, this.state.outputs);
    this.state = undefined;
  }

  async #keep(inputs: Inputs, work: () => Promise<{ id: string; outputs: Inputs }>): Promise<void> {
    try {
      this.state = { inputs, isHalfMade: false, ...(await work()) };
    } catch (error) {
      const { id, properties } = error as { id?: string; properties?: Inputs };
      if (id !== undefined) this.state = { id, inputs, outputs: properties ?? {}, isHalfMade: true };
      throw error;
    }
  }
}

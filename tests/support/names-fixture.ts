import { dynamicProvider, type DynamicProvider } from "../../provider/host/dynamic";
import { asDeclared, type Inputs, type Kind } from "../../provider/schema/kind";
import { group, ResourceFixture, type RunOptions } from "./resource-fixture";
import type { TestPlatform, WireObject } from "./test-platform";

/** A resource as the engine has it. */
export interface Made {
  id: string;
  inputs: Inputs;
  outs: Inputs;
}

/** One process of the provider host, and what it prints. */
export interface HostProcess {
  of: (kind: Kind) => DynamicProvider;
  printed: string[];
}

/** The mark that resource classes pass to check in an update. */
export const update = { __isUpdate: true };

/** A group `team` with an identity `ci`, to be named by path, and processes that do what the engine asks of them. */
export class NamesFixture {
  team!: WireObject;
  ci!: WireObject;
  /** Path of the group. */
  place = "";
  /** Issuer and subject of the identity. */
  login = { issuer: "", subject: "" };

  rootName = "";
  readonly resources = ResourceFixture.forFile();

  /** One for the tests of a file, as {@link ResourceFixture.forFile}. Each test has a team of its own. */
  static forFile(): NamesFixture {
    const names = new NamesFixture();
    beforeAll(async () => {
      names.rootName = String((await names.resources.stored(group, names.platform.root))?.name);
    });
    beforeEach(() => names.reset());
    return names;
  }

  get platform(): TestPlatform {
    return this.resources.platform;
  }

  /** Makes another group with an identity. */
  async reset(): Promise<void> {
    const { resources } = this;
    const name = resources.name("team");
    this.team = await resources.platform.create("groups", resources.platform.root, { name });
    this.place = `${this.rootName}/${name}`;
    this.login = { issuer: "https://issuer.example", subject: resources.name("subject") };
    this.ci = await resources.platform.create("identities", this.team.uid, { name: "ci", claimMatch: this.login });
    await resources.platform.clearRequests();
  }

  /** A role binding, all by names. */
  named() {
    return { parentPath: this.place, identityRef: `${this.place}/ci`, roleName: "viewer" };
  }

  /** The same role binding by uids. */
  uids() {
    return { parentUid: this.team.uid, identityUid: this.ci.uid, roleUid: this.resources.viewer };
  }

  process(options: RunOptions = {}): HostProcess {
    const printed: string[] = [];
    const run = this.resources.run({ ...options, notify: (message) => printed.push(message) });
    return { of: (kind) => dynamicProvider(kind, () => run), printed };
  }

  /** Checks and creates as the engine does in an update. */
  async made(kind: Kind, news: Inputs, process = this.process()): Promise<Made> {
    const provider = process.of(kind);
    const { inputs, failures } = await provider.check({}, { ...news, ...update });
    expect(failures).toEqual([]);
    const { id, outs } = await provider.create(inputs);
    return { id, inputs, outs };
  }

  /** The diff of the program `news`. @param mark {@link update}, or nothing for a preview */
  async diffed(kind: Kind, old: Made, news: Inputs, mark: Inputs, process = this.process()) {
    const provider = process.of(kind);
    const { inputs, failures } = await provider.check(old.inputs, { ...asDeclared(kind, news), ...mark });
    expect(failures).toEqual([]);
    return { inputs, diff: await provider.diff(old.id, old.outs, inputs) };
  }

  /** Brings the resource `old` to the program `news`, as the engine does in an update. */
  async updated(kind: Kind, old: Made, news: Inputs, process = this.process()) {
    const { inputs, diff } = await this.diffed(kind, old, news, update, process);
    expect(diff).toMatchObject({ changes: true, replaces: [] });
    return { id: old.id, inputs, outs: (await process.of(kind).update(old.id, old.outs, inputs)).outs };
  }

  /** Creates an identity in the team, or in another group. */
  identity(name: string, claimMatch: object, parentUid = this.team.uid): Promise<WireObject> {
    return this.platform.create("identities", parentUid, { name, claimMatch });
  }

  customRole(parent: string, name: string, capability = "CAP_REPO_LIST"): Promise<WireObject> {
    return this.resources.platform.create("roles", parent, { name, capabilities: [capability] });
  }

  /** Uid of the role of the binding `uid`, as the platform has it. */
  async roleOf(uid: string): Promise<string | undefined> {
    const row = (await this.resources.platform.objects("roleBindings")).find((each) => each.uid === uid);
    return (row?.["role"] as { uid?: string } | undefined)?.uid;
  }
}

import type { Guarded } from "../../access/guarded";
import { connect, readConfiguration } from "../../provider/credentials";
import { type Kind, stateOf } from "../../provider/schema/kind";
import { type Drift, findDrift } from "../../drift/compare";
import { listedKinds } from "../../inventory/kinds";
import { readInventory } from "../../inventory/platform";
import { readStates } from "../../inventory/state";
import { scopeOf } from "../../inventory/state-scope";
import { TestPlatform, type WireObject } from "../support/test-platform";

/** How people and machines log in. */
export const login = (subject: string) => ({ issuer: "https://token.actions.githubusercontent.com", subject });

/** Severity, class, kind and path, as a sorted list of lines. */
export const lines = (findings: Drift["findings"]) =>
  findings.map(({ severity, class: what, kind, path }) => `${severity} ${what} ${kind} ${path}`).sort();

/** A resource of a state. */
export interface StateResource {
  urn: string;
  type: string;
  custom: true;
  id: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
  external?: true;
  delete?: true;
  deletedWith?: string;
}

/** How the engine writes secrets. */
const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
/** A secret of an exported state. */
export const encrypted = { ...mark, ciphertext: "v1:x" };
/** A secret of a state that was exported with them. */
export const plain = (value: unknown) => ({ ...mark, plaintext: JSON.stringify(value) });

/** The state with its resources changed. */
function withResources(state: string, change: (all: StateResource[]) => StateResource[]): string {
  const parsed = JSON.parse(state) as { deployment: { resources: StateResource[] } };
  return JSON.stringify({ ...parsed, deployment: { ...parsed.deployment, resources: change(parsed.deployment.resources) } });
}

/** An organisation of every kind, which a state manages as a whole. */
export class Organization {
  readonly #uids = new Map<string, string>();
  /** Settings of the run, besides those of the platform. */
  environment: Record<string, string> = {};

  private constructor(readonly platform: TestPlatform) {}

  static async start(): Promise<Organization> {
    const organization = new Organization(await TestPlatform.start());
    await organization.#plant();
    return organization;
  }

  /** The uid of the object that the tests call `name`. */
  uid(name: string): string {
    const uid = this.#uids.get(name);
    if (uid === undefined) throw new Error(`There is no ${name}.`);
    return uid;
  }

  /** Makes an object by hand. */
  async make(name: string, collection: string, parent: string, fields: object): Promise<string> {
    const { uid } = await this.platform.create(collection, parent === "" ? "" : this.uid(parent), fields);
    this.#uids.set(name, uid);
    return uid;
  }

  /** A state that manages everything below the root, as the platform has it now. */
  async state(stack = "prod", isManaged: (kind: string, row: WireObject) => boolean = () => true): Promise<string> {
    const rows = [...listedKinds].map(async ([name, kind]) =>
      (await this.platform.objects(kind.collection.segment))
        .filter((row) => row.uid.startsWith(`${this.uid("acme")}/`) && isManaged(name, row))
        .map((row) => resourceOf(kind, name, row, stack)),
    );
    return JSON.stringify({ version: 3, deployment: { resources: (await Promise.all(rows)).flat() } });
  }

  /** The state with the resource of the object `name` changed. */
  edited(state: string, name: string, change: (resource: StateResource) => void): string {
    const [uid, changed] = [this.uid(name), jest.fn(change)];
    const text = withResources(state, (all) =>
      all.map((each) => {
        if (each.id === uid) changed(each);
        return each;
      }),
    );
    if (changed.mock.calls.length === 0) throw new Error(`The state has no ${name}.`);
    return text;
  }

  /** The state without the resources of these objects. */
  without(state: string, ...names: readonly string[]): string {
    const uids = names.map((name) => this.uid(name));
    return withResources(state, (all) => all.filter(({ id }) => !uids.includes(id)));
  }

  /** The state with a resource of a type that this release does not know. */
  withRobot(state: string): string {
    return this.#with(state, "Robot", `${this.uid("acme")}/1`, {});
  }

  /** The state in which a `GroupAccess` of the group `ops` has the role binding `nightly-puller`. */
  withAccess(state: string, outputs: Record<string, unknown>, inputs = outputs): string {
    return this.#with(this.without(state, "nightly-puller"), "GroupAccess", this.uid("ops"), { inputs, outputs });
  }

  #with(state: string, kind: string, id: string, values: Partial<StateResource>): string {
    const type = `platform:iam:${kind}`;
    const urn = `urn:pulumi:prod::acme::${type}::${kind.toLowerCase()}`;
    return withResources(state, (all) => [...all, { urn, type, custom: true, id, inputs: {}, outputs: {}, ...values }]);
  }

  /** The drift of states. */
  async drift(states: readonly string[], root = "acme", guarded: Guarded = {}): Promise<Drift> {
    const client = connect(readConfiguration(undefined, { ...this.platform.environment, ...this.environment }));
    const objects = readStates(new Map(states.map((state, index) => [`state ${index}`, state])));
    return findDrift(await readInventory(client, this.uid(root), scopeOf(objects)), objects, Date.now(), guarded);
  }

  async #plant(): Promise<void> {
    const { platform } = this;
    for (const role of ["owner", "editor", "viewer"]) this.#uids.set(role, await platform.role(role));
    await this.make("acme", "groups", "", { name: "acme" });
    // The run's own access.
    await platform.create("roleBindings", this.uid("acme"), { identityUid: platform.identity, roleUid: this.uid("owner") });
    await this.make("eng", "groups", "acme", { name: "engineering", description: "Everyone who builds" });
    for (const name of ["shop", "pay", "web"]) await this.make(name, "groups", "eng", { name });
    await this.make("ops", "groups", "acme", { name: "ops" });
    await this.make("ci", "identities", "shop", { name: "ci", claimMatch: login("repo:acme/shop:ref:refs/heads/main") });
    await this.make("nightly", "identities", "ops", { name: "nightly", claimMatch: login("repo:acme/ops:ref:refs/heads/main") });
    await this.make("puller", "roles", "acme", { name: "puller", capabilities: ["CAP_REPO_LIST", "CAP_TAG_LIST"] });
    await this.bind("ci-viewer", "eng", "ci", "viewer");
    await this.bind("nightly-editor", "acme", "nightly", "editor");
    await this.bind("nightly-puller", "ops", "nightly", "puller");
    await this.make("images", "repos", "eng", { name: "images", description: "Base images" });
    await this.make("latest", "tags", "images", { name: "latest", digest: `sha256:${"1".repeat(64)}` });
    await this.make("events", "subscriptions", "acme", { sink: "https://events.example.com" });
    const oidc = { issuer: "https://sso.example.com", clientId: "platform", pkceEnabled: true };
    await this.make("sso", "identityProviders", "acme", { name: "sso", oidc, defaultRole: this.uid("viewer") });
    await this.make("admins", "externalGroupRoleMappings", "sso", {
      externalGroupId: "admins",
      roleUid: this.uid("viewer"),
      scope: this.uid("acme"),
    });
    await this.make("account", "accountAssociations", "ops", { name: "aws", amazon: { account: "1".repeat(12) } });
    const roleUid = this.uid("viewer");
    await this.make("invite", "groupInvites", "ops", { roleUid, ttl: "3600s", email: "zoe@example.com", singleUse: true });
  }

  async bind(name: string, place: string, identity: string, role: string): Promise<string> {
    return this.make(name, "roleBindings", place, { identityUid: this.uid(identity), roleUid: this.uid(role) });
  }
}

function resourceOf(kind: Kind, name: string, row: WireObject, stack: string) {
  const type = `pulumi-nodejs:dynamic/platform/${name}`;
  // As the client reads it: the admin side shows more.
  const wire = kind.collection.schema.parse(row);
  const [inputs, outputs] = [kind.observe(wire).inputs, stateOf(kind, kind.observe(wire))];
  return { urn: `urn:pulumi:${stack}::acme::${type}::${row.uid}`, custom: true, type, id: row.uid, inputs, outputs };
}

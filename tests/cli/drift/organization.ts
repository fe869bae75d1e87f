import type { Guarded } from "../../../access/guarded";
import { connect, readConfiguration } from "../../../provider/credentials";
import { type Kind, stateOf } from "../../../provider/kinds/kind";
import { type Drift, findDrift } from "../../../cli/drift/compare";
import { kindNamed, listedKinds } from "../../../inventory/kinds";
import { readInventory } from "../../../inventory/platform";
import { referencesInValue } from "../../../inventory/references";
import { readStates } from "../../../inventory/state";
import { TestPlatform, type WireObject } from "../../support/test-platform";

/** How people and machines log in. */
export const login = (subject: string) => ({ issuer: "https://token.actions.githubusercontent.com", subject });

/** Severity, class, kind and path, as a sorted list of lines. */
export const lines = (findings: Drift["findings"]) =>
  findings.map(({ severity, class: what, kind, path }) => `${severity} ${what} ${kind} ${path}`).sort();

/** An organisation of every kind, which a state manages as a whole. */
export class Organization {
  readonly #uids = new Map<string, string>();

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

  /** The drift of states. */
  async drift(states: readonly string[], root = "acme", guarded: Guarded = {}): Promise<Drift> {
    const client = connect(readConfiguration(undefined, this.platform.environment));
    const objects = readStates(new Map(states.map((state, index) => [`state ${index}`, state])));
    const named = [...objects.managed, ...objects.referred].flatMap(({ kind, value }) =>
      referencesInValue(kindNamed(kind), value),
    );
    return findDrift(await readInventory(client, this.uid(root), { named }), objects, Date.now(), guarded);
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

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parentOf } from "../../provider/client/uid";
import type { Inputs, Kind } from "../../provider/kinds/kind";
import { digestOf, sentOf } from "../support/resource-fixture";
import { TestPlatform, type WireObject } from "../support/test-platform";

/** Collections that a run may touch. */
const collections = [
  ...["groups", "identities", "roleBindings", "roles", "identityProviders", "externalGroupRoleMappings", "accountAssociations"],
  ...["repos", "tags", "groupInvites", "subscriptions"],
];

/** The secret that programs declare for an identity provider. */
export const clientSecret = "the-client-secret";

const oidc = { issuer: "https://login.example", clientId: "platform", clientSecret };

/** An object of the platform with its collection. */
export interface Placed {
  collection: string;
  object: WireObject;
}

/** Objects by uid. */
export type Snapshot = Map<string, Placed>;

/** A platform of its own for one combination, with a place for objects of one kind. */
export class KindFixture {
  #names = 0;
  /** Objects that come and go while the provider works. */
  readonly moving = new Set<string>();

  private constructor(
    readonly platform: TestPlatform,
    readonly kind: Kind,
    readonly parent: string,
    readonly otherParent: string,
    readonly roles: readonly [string, string],
    private readonly side: string,
    /** Folder of the engine's own files: one machine. */
    readonly home: string,
  ) {}

  static async start(kind: Kind): Promise<KindFixture> {
    const platform = await TestPlatform.start();
    const roles: [string, string] = [await platform.role("viewer"), await platform.role("editor")];
    const names = ["parent", "other parent", "side"];
    const groups = names.map(async (name) => (await platform.create("groups", platform.root, { name })).uid);
    const [parent = "", otherParent = "", side = ""] = await Promise.all(groups);
    const placeIn = async (group: string) => {
      if (kind.parents.segment === "groups") return group;
      if (kind.parents.segment === "repos") return (await platform.create("repos", group, { name: "images" })).uid;
      return (await platform.create("identityProviders", group, { name: "sign-in", defaultRole: roles[0], oidc })).uid;
    };
    return new KindFixture(
      platform,
      kind,
      await placeIn(parent),
      await placeIn(otherParent),
      roles,
      side,
      await mkdtemp(path.join(tmpdir(), "fixture-")),
    );
  }

  async close(): Promise<void> {
    await this.platform.close();
    await rm(this.home, { recursive: true, force: true });
  }

  get collection(): string {
    return this.kind.collection.segment;
  }

  /** A place for one more object: `parent`, or a group of its own in it for a kind of which a group has one. */
  async #room(parent: string): Promise<string> {
    if (!this.kind.sharesUid) return parent;
    return (await this.platform.create("groups", parent, { name: `room ${++this.#names}` })).uid;
  }

  /** Valid inputs that are not declared yet. */
  async inputs(parent = this.parent): Promise<Inputs> {
    const parentUid = await this.#room(parent);
    const name = `thing-${++this.#names}`;
    const claimMatch = { issuer: "https://issuer.example", subject: name };
    switch (this.collection) {
      case "groups":
        return { parentUid, name, description: "as declared" };
      case "identities":
        return { parentUid, name, description: "as declared", claimMatch };
      case "accountAssociations":
        return { parentUid, name, description: "as declared", amazon: { account: "123456789012" } };
      case "identityProviders":
        return { parentUid, name, description: "as declared", defaultRole: this.roles[0], oidc };
      case "externalGroupRoleMappings": {
        const fields = { externalGroupId: name, roleUid: this.roles[0], scope: this.platform.root };
        return { identityProviderUid: parentUid, ...fields };
      }
      case "roles":
        return { parentUid, name, description: "as declared", capabilities: ["CAP_REPO_LIST"] };
      case "repos":
        return { parentUid, name, description: "as declared", aliases: ["a:1"], deletionPolicy: "delete" };
      case "tags":
        return { repoUid: parentUid, name, digest: digestOf("a"), deletionPolicy: "delete" };
      case "groupInvites":
        // Equal invites of the same second cannot be told apart.
        return { parentUid, roleUid: this.roles[this.#names % 2] ?? "", ttl: "3600s" };
      case "subscriptions":
        return { parentUid, sink: `https://events.example/${name}` };
      default: {
        const { uid } = await this.platform.create("identities", this.side, { name, claimMatch });
        return { parentUid, identityUid: uid, roleUid: this.roles[0] };
      }
    }
  }

  /** Other inputs for the same object; for another one, which replaces it, if the kind has no update. */
  changed(inputs: Inputs): Inputs {
    if (this.collection === "externalGroupRoleMappings") return { ...inputs, roleUid: this.roles[1] };
    if (this.collection === "roleBindings") return { ...inputs, roleUid: this.roles[1] };
    if (this.collection === "tags") return { ...inputs, digest: digestOf("b"), deprecated: true };
    const fields = { ...inputs, name: `${String(inputs["name"])}-renamed`, description: "as changed" };
    if (this.collection === "groups") return fields;
    if (this.collection === "accountAssociations")
      return { ...fields, amazon: { account: "210987654321" }, google: { projectId: "acme", projectNumber: "1" } };
    if (this.collection === "repos") return { ...fields, aliases: ["a:2"], bundles: ["base"] };
    if (this.collection === "identityProviders")
      return { ...fields, defaultRole: this.roles[1], oidc: { ...oidc, clientId: "changed", groupsClaim: "groups" } };
    if (this.collection === "roles") return { ...fields, capabilities: ["CAP_REPO_LIST", "CAP_TAG_LIST"] };
    return { ...fields, claimMatch: { issuer: "https://issuer.example", subject: "changed" } };
  }

  /** Creates what `inputs` declare behind the provider's back. */
  make({ [this.kind.parentInput]: parentUid, ...fields }: Inputs, more: object = {}): Promise<WireObject> {
    return this.platform.create(this.collection, String(parentUid), { ...sentOf(this.kind, fields), ...more });
  }

  /** Creates `count` objects beside those of the program. */
  async neighbours(count: number): Promise<WireObject[]> {
    const made: WireObject[] = [];
    while (made.length < count) made.push(await this.make(await this.inputs()));
    return made;
  }

  /** Removes one neighbour, and makes another that comes first in the order of Lists. */
  async move(): Promise<void> {
    const rows = await this.platform.objects(this.collection);
    const leaver = rows.find((row) => this.moving.has(row.uid));
    if (leaver !== undefined) await this.platform.delete(this.collection, leaver.uid);
    const comer = await this.make(await this.inputs(), this.kind.sharesUid ? {} : { uid: `${this.parent}/000${this.#names}` });
    this.moving.add(comer.uid);
  }

  /** Everything that a run may touch, by uid, without fields that change on their own. */
  async snapshot(): Promise<Snapshot> {
    const placed = new Map() as Snapshot;
    // By uid, so not with the groups whose uids the objects share.
    for (const collection of collections.filter((each) => each !== "groups" || !this.kind.sharesUid))
      for (const { lastSeenTime: _seen, ...object } of await this.platform.objects(collection))
        if (!this.moving.has(object.uid) && parentOf(object.uid) !== this.side) placed.set(object.uid, { collection, object });
    return placed;
  }
}

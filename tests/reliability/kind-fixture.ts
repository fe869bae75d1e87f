import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parentOf } from "../../provider/client/uid";
import type { Inputs, Kind } from "../../provider/schema/kind";
import { changedInputs, placeIn, validInputs } from "../support/kind-inputs";
import { sentOf } from "../support/resource-fixture";
import { TestPlatform, type WireObject } from "../support/test-platform";

/** The secret that programs declare for an identity provider. */
export const clientSecret = "the-client-secret";

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
    const roleUids = new Map((await platform.objects("roles")).map(({ name, uid }) => [name, uid]));
    const roles: [string, string] = [roleUids.get("viewer") ?? "", roleUids.get("editor") ?? ""];
    const names = ["parent", "other parent", "side"];
    const groups = names.map(async (name) => (await platform.create("groups", platform.root, { name })).uid);
    const [parent = "", otherParent = "", side = ""] = await Promise.all(groups);
    const placed = (parentUid: string) => placeIn(platform, kind, { parentUid, roleUid: roles[0] });
    return new KindFixture(
      platform,
      kind,
      await placed(parent),
      await placed(otherParent),
      roles,
      side,
      await mkdtemp(path.join(tmpdir(), "fixture-")),
    );
  }

  async close(): Promise<void> {
    await this.platform.close();
    // A run that was killed may still be writing there.
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
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
    const isBinding = this.collection === "roleBindings";
    const claimMatch = { issuer: "https://issuer.example", subject: name };
    const identityUid = isBinding ? (await this.platform.create("identities", this.side, { name, claimMatch })).uid : "";
    // Equal invites of the same second cannot be told apart.
    const roleUid = this.roles[this.collection === "groupInvites" ? this.#names % 2 : 0] ?? "";
    const { root: organization } = this.platform;
    return validInputs(this.kind, { parentUid, name, organization, roleUid, identityUid, clientSecret });
  }

  /** Other inputs for the same object; for another one, which replaces it, if the kind has no update. */
  changed(inputs: Inputs): Inputs {
    return changedInputs(this.kind, inputs, this.roles[1]);
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

  /** Everything on the platform, by uid, without fields that change on their own. */
  async snapshot(): Promise<Snapshot> {
    const placed = new Map() as Snapshot;
    const { groups = [], ...others } = await this.platform.allObjects();
    // By uid, so groups do not go with objects that share their uids: these count for their own kind, groups for all others.
    for (const [collection, objects] of Object.entries(this.kind.sharesUid ? others : { ...others, groups }))
      for (const { lastSeenTime: _seen, ...object } of objects)
        if (!this.moving.has(object.uid) && parentOf(object.uid) !== this.side) placed.set(object.uid, { collection, object });
    return placed;
  }
}

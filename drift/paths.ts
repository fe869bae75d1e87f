import { pathOf } from "../access/places";
import { kindNames as names } from "../inventory/kinds";
import type { PlatformInventory } from "../inventory/platform";
import type { StateObjects } from "../inventory/state";

/** Kinds of objects whose names are part of paths. An object with the uid of its group has no such name. */
const named = [names.group, names.identity, names.role, names.identityProvider, names.repo, names.tag];

/** Names of objects for people. They come from the platform or, for a deleted object, from the states. */
export class Paths {
  readonly #declared = new Map<string, string>();

  constructor(
    private readonly inventory: PlatformInventory,
    { managed, referred }: StateObjects,
  ) {
    for (const { kind, uid, value } of [...referred, ...managed])
      if (uid !== undefined && named.includes(kind) && typeof value["name"] === "string") this.#declared.set(uid, value["name"]);
  }

  /** `acme/engineering/ci`; undefined if a name on the way is not known. */
  of(uid: string): string | undefined {
    const { objects, around } = this.inventory;
    const shown = (each: string) => named.map((kind) => (objects.get(kind, each) ?? around.get(kind, each))?.name).find(Boolean);
    return pathOf(uid, (each) => shown(each) ?? this.#declared.get(each));
  }
}

import { pathOf } from "../access/places";
import { kindNames as names } from "../inventory/kinds";
import type { PlatformInventory } from "../inventory/platform";
import type { StateObjects } from "../inventory/state";

/** Kinds of objects whose names stand in paths. What shares the uid of a group is none. */
const named = [names.group, names.identity, names.role, names.identityProvider, names.repo, names.tag];

/** Names of objects as people read them: as the platform has them, else, of what is gone, as states have them. */
export class Paths {
  readonly #declared = new Map<string, string>();

  constructor(
    private readonly inventory: PlatformInventory,
    { managed, referred }: StateObjects,
  ) {
    for (const { kind, uid, value } of [...referred, ...managed])
      if (uid !== undefined && named.includes(kind) && typeof value["name"] === "string") this.#declared.set(uid, value["name"]);
  }

  /** `acme/engineering/ci`; undefined where a name on the way is not known. */
  of(uid: string): string | undefined {
    const { objects, around } = this.inventory;
    const shown = (each: string) => named.map((kind) => (objects.get(kind, each) ?? around.get(kind, each))?.name).find(Boolean);
    return pathOf(uid, (each) => shown(each) ?? this.#declared.get(each));
  }
}

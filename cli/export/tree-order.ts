import { compareTexts } from "../../access/compare";
import { kindNamed, kindNames, listedKinds } from "../../inventory/kinds";
import { objectKey } from "../../inventory/objects";
import { parentOf } from "../../provider/client/uid";
import type { Kind } from "../../provider/schema/kind";
import type { Naming } from "./names";
import type { Resource } from "./values";

/** `resources` with parents before their contents, and siblings by the rank of their kind and by name. */
export function inTreeOrder(resources: readonly Resource[], { pathOf }: Naming): Resource[] {
  const logical = new Map(resources.map(({ object, logicalName }) => [objectKey(object), logicalName]));
  const keyed = resources.map((resource) => {
    const { object, logicalName } = resource;
    const kind = kindNamed(object.kind);
    const group = object.kind === kindNames.group ? object.uid : (object.place ?? "");
    const path = (pathOf(group) ?? group).replaceAll("/", "\0");
    const parent = parentKindOf(kind);
    const own = [rankOf(kind), logicalName];
    if (parent === undefined) return { resource, key: [path, "", ...own].join("\0") };
    // Right after the object that contains it.
    const above = logical.get(objectKey({ kind: parent.name, uid: parentOf(object.uid) ?? "" }));
    return {
      resource,
      key: [path, "", rankOf(parent.kind), ...(above === undefined ? [logicalName] : [above, ...own])].join("\0"),
    };
  });
  return keyed.sort((one, other) => compareTexts(one.key, other.key)).map(({ resource }) => resource);
}

/** The kind of the objects that contain those of `kind`; undefined if these are groups. */
function parentKindOf({ parents }: Kind): { name: string; kind: Kind } | undefined {
  const found = [...listedKinds].find(([, { segment }]) => segment === parents.segment);
  if (found === undefined || found[0] === kindNames.group) return undefined;
  return { name: found[0], kind: found[1] };
}

/** Ranks as texts with the same order. */
function rankOf({ rank }: Kind): string {
  return Number.isFinite(rank) ? String(rank).padStart(4, "0") : "last";
}

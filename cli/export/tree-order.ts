import { kindNames } from "../../inventory/kinds";
import { objectKey } from "../../inventory/objects";
import { parentOf } from "../../provider/client/uid";
import type { kinds } from "../../provider/kinds/kinds";
import { compare, type Naming } from "./names";
import type { Resource } from "./values";

type KindKey = keyof typeof kinds;

/** Kinds whose objects are in one of another kind, which comes right before them. */
const inOthers = { externalGroupRoleMapping: "identityProvider", tag: "repo" } as const satisfies Partial<
  Record<KindKey, KindKey>
>;

/** The rank of the other kinds in a group: each after those that it usually refers to. */
const ranks: Readonly<Record<Exclude<KindKey, keyof typeof inOthers>, number>> = {
  group: 0,
  role: 1,
  identity: 2,
  roleBinding: 3,
  identityProvider: 4,
  accountAssociation: 5,
  groupInvite: 6,
  subscription: 7,
  repo: 8,
};

/** Both by published names. */
const parentKinds: ReadonlyMap<string, string> = new Map(
  Object.entries(inOthers).map(([key, parent]) => [kindNames[key as KindKey], kindNames[parent]]),
);
const rankOf: ReadonlyMap<string, number> = new Map(
  Object.entries(ranks).map(([key, rank]) => [kindNames[key as KindKey], rank]),
);

/** `resources` with parents before what is in them, and siblings by kind and name. */
export function inTreeOrder(resources: readonly Resource[], { pathOf }: Naming): Resource[] {
  const logical = new Map(resources.map(({ object, logicalName }) => [objectKey(object), logicalName]));
  const keyed = resources.map((resource) => {
    const { object, logicalName } = resource;
    const group = object.kind === kindNames.group ? object.uid : (object.place ?? "");
    const path = (pathOf(group) ?? group).replaceAll("/", "\0");
    const parentKind = parentKinds.get(object.kind);
    const parent =
      parentKind === undefined ? undefined : logical.get(objectKey({ kind: parentKind, uid: parentOf(object.uid) ?? "" }));
    const rank = String(rankOf.get(parentKind ?? object.kind));
    return { resource, key: [path, "", rank, ...(parent === undefined ? [] : [parent]), logicalName].join("\0") };
  });
  return keyed.sort((one, other) => compare(one.key, other.key)).map(({ resource }) => resource);
}

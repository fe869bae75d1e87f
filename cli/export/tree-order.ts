import { kindNames } from "../../inventory/kinds";
import { objectKey } from "../../inventory/objects";
import { parentOf } from "../../provider/client/uid";
import { compare, type Naming } from "./names";
import type { Resource } from "./values";

/** The order of kinds in a group: each after those that it usually refers to. */
const order = [
  kindNames.group,
  kindNames.role,
  kindNames.identity,
  kindNames.roleBinding,
  kindNames.identityProvider,
  kindNames.accountAssociation,
  kindNames.subscription,
  kindNames.repo,
];

/** Kinds whose objects are in one of another kind, which comes right before them. */
const inOthers: Readonly<Record<string, string>> = {
  [kindNames.tag]: kindNames.repo,
  [kindNames.externalGroupRoleMapping]: kindNames.identityProvider,
};

/** `resources` with parents before what is in them, and siblings by kind and name. */
export function inTreeOrder(resources: readonly Resource[], { pathOf }: Naming): Resource[] {
  const logical = new Map(resources.map(({ object, logicalName }) => [objectKey(object), logicalName]));
  const keyed = resources.map((resource) => {
    const { object, logicalName } = resource;
    const group = object.kind === kindNames.group ? object.uid : (object.place ?? "");
    const path = (pathOf(group) ?? group).replaceAll("/", "\0");
    const parentKind = inOthers[object.kind];
    const parent =
      parentKind === undefined ? undefined : logical.get(objectKey({ kind: parentKind, uid: parentOf(object.uid) ?? "" }));
    const kind = String(order.indexOf(parentKind ?? object.kind)).padStart(2, "0");
    return { resource, key: [path, "", kind, ...(parent === undefined ? [] : [parent]), logicalName].join("\0") };
  });
  return keyed.sort((one, other) => compare(one.key, other.key)).map(({ resource }) => resource);
}

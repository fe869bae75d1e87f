import type { Verb } from "../provider/client/capability";
import { lineageOf } from "../provider/client/uid";
import type { Path } from "../provider/schema/values";
import { composites, type KindKey, kinds, values } from "../provider/kinds/kinds";
import type { Kind, ResourceKind } from "../provider/schema/kind";

/** Every kind of object that can be listed, by its published name: `iam:RoleBinding`. */
export const listedKinds: ReadonlyMap<string, Kind> = new Map(Object.values<Kind>(kinds).map((kind) => [kindName(kind), kind]));

/** The published names of the kinds that programs can declare. */
export const kindNames = Object.fromEntries(
  Object.entries<Kind>({ ...kinds, ...composites }).map(([key, kind]) => [key, kindName(kind)]),
) as Readonly<Record<KindKey | keyof typeof composites, string>>;

/** Kinds whose objects give access, in the order in which messages name them. */
export const grantingKinds: ReadonlySet<string> = new Set(
  [...listedKinds.values()]
    .filter(({ access }) => access === "gives")
    .sort((one, other) => one.rank - other.rank)
    .map(kindName),
);

/** Kinds whose objects give others a role, so that a call takes a second capability (docs/platform-api.md#capabilities). */
const givingKinds: ReadonlySet<string> = new Set([
  kindNames.identityProvider,
  kindNames.externalGroupRoleMapping,
  kindNames.groupInvite,
]);

/** The capabilities that a call for an object of a kind needs; empty if they are not documented. */
export function capabilitiesFor(kind: Kind, verb: Verb): string[] {
  const { capabilities } = kind.collection;
  if (capabilities === undefined) return [];
  const isGiving = givingKinds.has(kindName(kind)) && (verb === "CREATE" || verb === "UPDATE");
  return [`CAP_${capabilities}_${verb}`, ...(isGiving ? ["CAP_IAM_ROLE_BINDINGS_CREATE"] : [])];
}

/** True if this field decides who has access through objects of the kind. */
export function decidesAccess({ kind }: { readonly kind: string }, [field = ""]: Path): boolean {
  const isDescriptive = field === "name" || field === "description";
  return !isDescriptive && (listedKinds.get(kind)?.access ?? "none") !== "none";
}

/** Resources without an object on the platform, for which there is nothing to compare. */
export const withoutObject: ReadonlySet<string> = new Set(Object.values(values).map(kindName));

/** The published name of a kind, `iam:RoleBinding`, which ends its type in both forms of state. */
export function kindName({ name, collection }: Pick<ResourceKind, "name" | "collection">): string {
  return `${collection.area}:${name}`;
}

/**
 * The kind of the resources of a Pulumi type: `pulumi-nodejs:dynamic/platform/iam:Group`, `platform:iam:Group` or
 * `platform:iam/group:Group`.
 *
 * @returns its published name, even if this release does not know it; undefined for types of other providers
 */
export function kindOfType(type: string): string | undefined {
  const [, area, name] = /^(?:pulumi-nodejs:dynamic\/platform\/|platform:)(\w+)(?:\/\w+)?:(\w+)$/.exec(type) ?? [];
  return area === undefined || name === undefined ? undefined : `${area}:${name}`;
}

/** The kind with that published name. @throws Error if it is not listed */
export function kindNamed(name: string): Kind {
  const kind = listedKinds.get(name);
  if (kind === undefined) throw new Error(`${name} is not a kind of object.`);
  return kind;
}

/** The uid of the group that contains an object and decides who may read it; undefined for an object in no group. */
export function groupOf(kind: Kind, uid: string): string | undefined {
  return lineageOf(uid)[kind.collection.depth ?? 1];
}

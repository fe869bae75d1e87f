import { compareTexts } from "../../access/compare";
import { isAtOrBelow, parentOf } from "../../provider/client/uid";
import { kindNames } from "../../inventory/kinds";
import type { PlatformObject } from "../../inventory/objects";

/** The root of an export, and the names of objects that it refers to. */
export interface Naming {
  /** Uid of the group to export. */
  readonly root: string;
  /** Path of a group or an identity, `acme/engineering/ci`; undefined if a name on the way is unknown. */
  readonly pathOf: (uid: string) => string | undefined;
  /** Name of a role; undefined if it cannot be read. */
  readonly roleName: (uid: string) => string | undefined;
}

/**
 * The logical names of `objects`, unique in each kind. A name depends only on the path of the object. If two objects have the same path,
 * the older one keeps the name, so that a new object changes no name.
 */
export function logicalNames(objects: readonly PlatformObject[], naming: Naming): ReadonlyMap<PlatformObject, string> {
  const taken = new Set<string>();
  const named = [...objects].sort(byAge).map((object): [PlatformObject, string] => {
    const base = clean(logicalName(object, naming));
    const last = object.uid.split("/").at(-1) ?? "";
    const free = [base, `${base} (${last})`, `${base} (${object.uid})`].find((name) => !taken.has(`${object.kind} ${name}`));
    const name = free ?? object.uid;
    taken.add(`${object.kind} ${name}`);
    return [object, name];
  });
  return new Map(named);
}

/** Older first, then by uid. */
export function byAge(one: PlatformObject, other: PlatformObject): number {
  return compareTexts(createTime(one), createTime(other)) || compareTexts(one.uid, other.uid);
}

function createTime({ row }: PlatformObject): string {
  const { createTime: time } = row as { createTime?: unknown };
  // A tag has no creation time. Times without a fraction are parsed to sort correctly among the others.
  return typeof time === "string" && !Number.isNaN(Date.parse(time)) ? new Date(time).toISOString() : "";
}

function logicalName(object: PlatformObject, naming: Naming): string {
  const { kind, value, place, name } = object;
  const text = (field: string) => (typeof value[field] === "string" ? value[field] : "");
  switch (kind) {
    case kindNames.group:
      return relativePath(object.uid, naming);
    case kindNames.roleBinding: {
      const identityUid = text("identityUid");
      const role = naming.roleName(text("roleUid")) ?? text("roleUid");
      const at = parentOf(identityUid) === place ? "" : `@${relativePath(place ?? "", naming) || "/"}`;
      return `${relativePath(identityUid, naming)}:${role}${at}`;
    }
    case kindNames.externalGroupRoleMapping: {
      const provider = relativePath(text("identityProviderUid"), naming);
      const role = naming.roleName(text("roleUid")) ?? text("roleUid");
      return `${provider}:${text("externalGroupId")}:${role}`;
    }
    case kindNames.accountAssociation:
      return relativePath(object.uid, naming) || (name ?? "");
    case kindNames.subscription: {
      const { host = "", pathname = "" } = URL.parse(text("sink")) ?? {};
      return within(place, `${host}${pathname}`, naming);
    }
    case kindNames.tag:
      return `${relativePath(parentOf(object.uid) ?? "", naming)}:${name ?? ""}`;
    default:
      return within(place, name ?? object.uid.split("/").at(-1) ?? "", naming);
  }
}

function within(place: string | undefined, name: string, naming: Naming): string {
  const path = place === undefined ? "" : relativePath(place, naming);
  return path === "" ? name : `${path}/${name}`;
}

/**
 * The path of an object in programs. It starts below the root of the organisation. Outside of the export it is the whole path after a
 * slash, and with unknown names it is the uid.
 */
function relativePath(uid: string, { root, pathOf }: Naming): string {
  const path = pathOf(uid);
  if (path === undefined) return uid;
  const above = parentOf(root);
  if (!isAtOrBelow(uid, root)) return `/${path}`;
  const base = above === undefined ? pathOf(root) : pathOf(above);
  if (base === undefined) return path;
  return path === base ? "" : path.slice(base.length + 1);
}

/** `name` without characters with a meaning in a URN, and without those that a terminal interprets or hides. */
function clean(name: string): string {
  const text = name
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "_")
    .replaceAll(/:{2,}/g, ":");
  return text === "" ? "unnamed" : text;
}

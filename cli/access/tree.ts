import { ancestorsOf, pathOf } from "../../access/places";
import type { Snapshot } from "../../access/snapshot";
import { type Source, sourcesOf } from "../../access/ways";
import { kindNames as names } from "../../inventory/kinds";
import type { PlatformObject } from "../../inventory/objects";
import type { PlatformInventory } from "../../inventory/platform";
import { platformSnapshot } from "../../inventory/platform-snapshot";
import { literal } from "../../provider/client/printable";
import { parentOf } from "../../provider/client/uid";
import { oneLine } from "../one-line";
import { authentication } from "./authentication";

/** What a tree is drawn from. */
export type Drawn = Pick<PlatformInventory, "root" | "objects" | "around" | "unreadable">;

/**
 * The tree below the root, a line for each object: a group, an identity as `@name` with how it authenticates, and whatever gives a
 * role as `role → who`. Identities are paths from the root of their organisation. Ends with what could not be read.
 */
export function drawTree(drawn: Drawn): string {
  const { root, objects } = drawn;
  const snapshot = platformSnapshot(drawn);
  const nameOf = namesOf(snapshot);
  const grants = Map.groupBy(
    sourcesOf(snapshot, (uid) => uid),
    ({ place }) => place,
  );
  const at = (place: string) =>
    (grants.get(place) ?? []).map((source) => `${nameOf(source.roleUid)} → ${holderText(source, nameOf)}`);
  const [groups, identities] = [names.group, names.identity].map((kind) =>
    Map.groupBy(objects.of(kind), ({ uid }) => parentOf(uid)),
  );
  const lines = [`${nameOf(root)}/`];
  const draw = (group: string, inherited: string[], indent: string) => {
    const here = identities?.get(group) ?? [];
    const own = here.map((identity) => `@${ownName(identity, here)}  ${authentication(identity.row)}`);
    const leaves = [...inherited, ...[...own, ...at(group)].sort()];
    const subgroups = (groups?.get(group) ?? []).sort(byName);
    const count = leaves.length + subgroups.length;
    leaves.forEach((leaf, index) => lines.push(`${indent}${index === count - 1 ? "└─" : "├─"} ${leaf}`));
    subgroups.forEach((child, index) => {
      const isLast = leaves.length + index === count - 1;
      const { description } = child.value;
      const words = typeof description === "string" && description !== "" ? `  ${oneLine(description)}` : "";
      lines.push(`${indent}${isLast ? "└─" : "├─"} ${ownName(child, subgroups)}/${words}`);
      draw(child.uid, [], `${indent}${isLast ? "   " : "│  "}`);
    });
  };
  const inherited = ancestorsOf(root).flatMap((place) => at(place).map((line) => `${line}  (from ${nameOf(place)}/)`));
  draw(root, inherited, "");
  const missing = snapshot.unreadable.map(({ what, reason }) => `- ${oneLine(`${what}: ${reason}`)}`);
  if (missing.length > 0) lines.push("", "Not shown:", ...missing);
  return lines.join("\n");
}

/** Who has the role, or can take it up. */
function holderText({ holder, through, loginUid = "" }: Source, nameOf: (uid: string) => string): string {
  switch (through.kind) {
    case "externalGroupRoleMapping":
      return `members of ${literal(holder.externalGroupId)} at ${nameOf(loginUid)}`;
    case "identityProvider":
      return `whoever signs in at ${nameOf(loginUid)} for the first time`;
    case "groupInvite":
      return holder.email === undefined ? `whoever accepts the invite ${through.uid}` : `${literal(holder.email)}, by an invite`;
    case "accountAssociation":
      return oneLine(holder.account ?? through.uid);
    default:
      return nameOf(loginUid);
  }
}

/**
 * Names objects by their path from the root of the organisation, `acme/engineering/ci`, and built-in roles by their name. The uid
 * stands beside a path that does not identify, and instead of a path that is not known.
 */
function namesOf({ groups, identities, roles, providers = new Map() }: Snapshot): (uid: string) => string {
  const kinds = [groups, identities, roles, providers].map((kind) => new Map([...kind].filter(([, { name }]) => name !== "")));
  const nameOf = (uid: string) => kinds.find((kind) => kind.has(uid))?.get(uid)?.name;
  const found = new Map<string, string>();
  for (const kind of kinds) {
    const paths = new Map([...kind.keys()].map((uid) => [uid, pathOf(uid, nameOf)]));
    const counts = Map.groupBy(paths.values(), (path) => path);
    for (const [uid, path] of paths) {
      const isUnique = path !== undefined && counts.get(path)?.length === 1;
      const name = oneLine(path ?? nameOf(uid) ?? uid);
      found.set(uid, isUnique ? name : `${name} (${uid})`);
    }
  }
  return (uid) => found.get(uid) ?? uid;
}

/** The name of an object under its parent; with its uid where a sibling has the same one. */
function ownName({ uid, name = "" }: PlatformObject, siblings: readonly PlatformObject[]): string {
  const isShared = siblings.some((other) => other.uid !== uid && other.name === name);
  return isShared ? `${oneLine(name)} (${uid})` : oneLine(name);
}

function byName(one: PlatformObject, other: PlatformObject): number {
  return (one.name ?? "").localeCompare(other.name ?? "") || one.uid.localeCompare(other.uid);
}

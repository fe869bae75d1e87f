import { holder } from "../../access/holders";
import { describeLogin } from "../../access/prose/describe-login";
import { personInWords } from "../../access/prose/person";
import { accessFrom } from "../../access/effective";
import { ancestorsOf, pathOf } from "../../access/places";
import type { Named, Snapshot } from "../../access/snapshot";
import { kindNames } from "../../inventory/kinds";
import type { PlatformObject } from "../../inventory/objects";
import type { PlatformInventory } from "../../inventory/platform";
import { loginIn } from "../../inventory/snapshot-of";
import { parentOf } from "../../provider/client/uid";
import { oneLine } from "../text/one-line";
import { roleText } from "../text/severity-text";
import { holderText } from "./holder";

/** The content of a tree. */
export interface Drawn extends Pick<PlatformInventory, "root" | "objects"> {
  /** Who may do what there. */
  readonly snapshot: Snapshot;
}

/** An object in a group. */
interface Leaf {
  /** The text for sorting. */
  readonly text: string;
  /** The same text in colours. */
  readonly shown: string;
}

/**
 * The tree below the root, a line for each object. A group stands alone, an identity is `@name` with who can log in as it, and a grant is
 * `role → who`. Identities are paths from the root of their organisation. Ends with the parts that could not be read.
 */
export function drawTree({ root, objects, snapshot }: Drawn): string {
  const nameOf = namesOf(snapshot);
  const grants = Map.groupBy(accessFrom(snapshot, root), ({ at, inheritedFrom = at }) => inheritedFrom.uid);
  const at = (place: string) =>
    (grants.get(place) ?? []).map((grant): Leaf => {
      const [name, holder] = [nameOf(grant.role.uid), ` → ${holderText(grant, nameOf)}`];
      return { text: name + holder, shown: roleText(grant, name) + holder };
    });
  const [groups, identities] = [kindNames.group, kindNames.identity].map((kind) =>
    Map.groupBy(objects.of(kind), ({ uid }) => parentOf(uid)),
  );
  const lines = [`${nameOf(root)}/`];
  const draw = (group: string, inherited: readonly Leaf[], indent: string) => {
    const here = identities?.get(group) ?? [];
    const own = here.map((identity): Leaf => {
      const text = `@${ownName(identity, here)}  ${describeLogin(loginIn(identity.value))}`;
      return { text, shown: text };
    });
    const leaves = [...inherited, ...[...own, ...at(group)].sort((one, other) => (one.text < other.text ? -1 : 1))];
    const subgroups = (groups?.get(group) ?? []).sort(byName);
    const count = leaves.length + subgroups.length;
    leaves.forEach(({ shown }, index) => lines.push(`${indent}${index === count - 1 ? "└─" : "├─"} ${shown}`));
    subgroups.forEach((child, index) => {
      const isLast = leaves.length + index === count - 1;
      const { description } = child.value;
      const words = typeof description === "string" && description !== "" ? `  ${oneLine(description)}` : "";
      lines.push(`${indent}${isLast ? "└─" : "├─"} ${ownName(child, subgroups)}/${words}`);
      draw(child.uid, [], `${indent}${isLast ? "   " : "│  "}`);
    });
  };
  const inherited = ancestorsOf(root).flatMap((place) =>
    at(place).map(({ text, shown }) => ({ text, shown: `${shown}  (from ${nameOf(place)}/)` })),
  );
  draw(root, inherited, "");
  const missing = snapshot.unreadable.map(({ what, reason }) => `- ${oneLine(`${what}: ${reason}`)}`);
  if (missing.length > 0) lines.push("", "Not shown:", ...missing);
  return lines.join("\n");
}

/**
 * Names objects by their path from the root of the organisation, `acme/engineering/ci`, people by their login, and built-in roles by their
 * name. The uid is added to a name that is not unique, and replaces an unknown name.
 */
function namesOf(snapshot: Snapshot): (uid: string) => string {
  const { groups, identities, roles, providers = new Map<string, Named>() } = snapshot;
  const kinds = [groups, identities, roles, providers];
  const nameOf = (uid: string) => kinds.map((kind) => kind.get(uid)?.name).find(Boolean);
  const person = (uid: string) => (identities.has(uid) ? personInWords(holder(snapshot, uid)) : undefined);
  const called = (uid: string) => person(uid) ?? pathOf(uid, nameOf);
  const found = new Map<string, string>();
  for (const kind of kinds) {
    const names = new Map([...kind.keys()].map((uid) => [uid, called(uid)]));
    const counts = Map.groupBy(names.values(), (name) => name);
    for (const [uid, name = nameOf(uid)] of names) {
      const isUnique = names.get(uid) !== undefined && counts.get(name)?.length === 1;
      if (name !== undefined) found.set(uid, isUnique ? oneLine(name) : `${oneLine(name)} (${uid})`);
    }
  }
  return (uid) => found.get(uid) ?? uid;
}

/** The name of an object under its parent, with its uid if a sibling has the same name. */
function ownName({ uid, name = "" }: PlatformObject, siblings: readonly PlatformObject[]): string {
  const isShared = siblings.some((other) => other.uid !== uid && other.name === name);
  return isShared ? `${oneLine(name)} (${uid})` : oneLine(name);
}

function byName(one: PlatformObject, other: PlatformObject): number {
  return (one.name ?? "").localeCompare(other.name ?? "") || one.uid.localeCompare(other.uid);
}

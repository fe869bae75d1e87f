import { ancestorsOf, pathOf } from "../../access/places";
import { printable } from "../../provider/client/printable";
import { parentOf } from "../../provider/client/uid";
import type { WireGroup } from "../../provider/kinds/group";
import type { WireIdentity } from "../../provider/kinds/identity";
import type { WireRole } from "../../provider/kinds/role";
import { boundIdentity, boundRole, type WireRoleBinding } from "../../provider/kinds/role-binding";
import { authentication } from "./authentication";

/** What a tree is drawn from. */
export interface Organization {
  /** The group at the top of the tree. */
  root: WireGroup;
  /** Every group whose name is known: those below the root, its ancestors, and the parents of what is bound here. */
  groups: readonly WireGroup[];
  identities: readonly WireIdentity[];
  /** Roles that the bindings do not name. */
  roles: readonly Pick<WireRole, "uid" | "name">[];
  /** Bindings of the root, of every group below it, and of its ancestors, whose roles apply here too. */
  bindings: readonly WireRoleBinding[];
  /** What could not be read, a sentence each. */
  missing: readonly string[];
}

/**
 * The tree below the root, a line for each object: a group, an identity as `@name` with how it authenticates, a role binding as
 * `role → identity`. Bound identities are paths from the root of their organisation. Ends with what could not be read.
 */
export function drawTree(organization: Organization): string {
  const { root, groups, identities, bindings, missing } = organization;
  const nameOf = namesOf(organization);
  const grant = (binding: WireRoleBinding) => `${nameOf(boundRole(binding))} → ${nameOf(boundIdentity(binding))}`;
  const at = (place: string) => bindings.filter((binding) => parentOf(binding.uid) === place).map(grant);
  const lines = [`${nameOf(root.uid)}/`];
  const draw = (group: WireGroup, inherited: string[], indent: string) => {
    const leaves = [
      ...inherited,
      ...[
        ...identities
          .filter(({ uid }) => parentOf(uid) === group.uid)
          .map((identity) => `@${ownName(identity, identities)}  ${authentication(identity)}`),
        ...at(group.uid),
      ].sort(),
    ];
    const subgroups = groups
      .filter(({ uid }) => parentOf(uid) === group.uid)
      .sort((one, other) => one.name.localeCompare(other.name) || one.uid.localeCompare(other.uid));
    const count = leaves.length + subgroups.length;
    leaves.forEach((leaf, index) => lines.push(`${indent}${index === count - 1 ? "└─" : "├─"} ${leaf}`));
    subgroups.forEach((child, index) => {
      const isLast = leaves.length + index === count - 1;
      const description = child.description ? `  ${oneLine(child.description)}` : "";
      lines.push(`${indent}${isLast ? "└─" : "├─"} ${ownName(child, groups)}/${description}`);
      draw(child, [], `${indent}${isLast ? "   " : "│  "}`);
    });
  };
  draw(
    root,
    ancestorsOf(root.uid).flatMap((place) => at(place).map((line) => `${line}  (from ${nameOf(place)}/)`)),
    "",
  );
  if (missing.length > 0) lines.push("", "Not shown:", ...missing.map((sentence) => `- ${oneLine(sentence)}`));
  return lines.join("\n");
}

interface Named {
  uid: string;
  name: string;
}

/**
 * Names objects by their path from the root of the organisation, `acme/engineering/ci`, and built-in roles by their name. The uid
 * stands beside a path that does not identify, and instead of a path that is not known.
 */
function namesOf({ root, groups, identities, roles, bindings }: Organization): (uid: string) => string {
  // A binding repeats the names of what it binds, which may be outside the Lists read here.
  const kinds: Named[][] = [
    [root, ...groups],
    [...bindings.flatMap(({ identity }) => identity ?? []), ...identities],
    [...bindings.flatMap(({ role }) => role ?? []), ...roles],
  ];
  const named = new Map(kinds.flat().flatMap(({ uid, name }) => (name ? [[uid, oneLine(name)]] : [])));
  const names = new Map<string, string>();
  for (const kind of kinds) {
    const paths = new Map([...new Set(kind.map(({ uid }) => uid))].map((uid) => [uid, pathOf(uid, (each) => named.get(each))]));
    const all = [...paths.values()];
    for (const [uid, path] of paths) {
      const isUnique = path !== undefined && all.indexOf(path) === all.lastIndexOf(path);
      const name = path ?? named.get(uid);
      if (name !== undefined) names.set(uid, isUnique ? name : `${name} (${uid})`);
    }
  }
  return (uid) => names.get(uid) ?? uid;
}

/** The name of an object under its parent; with its uid where a sibling has the same one. */
function ownName({ uid, name }: Named, all: readonly Named[]): string {
  const isShared = all.some((other) => other.uid !== uid && other.name === name && parentOf(other.uid) === parentOf(uid));
  return isShared ? `${oneLine(name)} (${uid})` : oneLine(name);
}

/** The platform's text on one line, without anything that a terminal interprets. */
function oneLine(text: string): string {
  return printable(text).replaceAll("\n", "\\n");
}

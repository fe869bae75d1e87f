import type { Node } from "./model";
import type { Random } from "./random";

/**
 * A random tree of `groups` groups, with an identity in some of them and a binding of each.
 *
 * @returns resources whose roles are names of built-in ones
 */
export function randomOrganization(random: Random, groups: number): Node[] {
  const names: string[] = [];
  const nodes: Node[] = [];
  while (names.length < groups) {
    const name = `group-${names.length}`;
    const parent = random.of([undefined, ...names]);
    const description = random.of(["", "Made by the program"]);
    nodes.push({ kind: "group", name, title: name, parent, adopt: false, description });
    names.push(name);
  }
  for (const name of ["identity-0", "identity-1", "identity-2"]) {
    const parent = random.of(names);
    nodes.push({ kind: "identity", name, title: name, parent, adopt: false, description: "", subject: name });
    const place = random.of([undefined, parent]);
    nodes.push({ kind: "roleBinding", name: `${name}-viewer`, parent: place, adopt: false, identity: name, role: "viewer" });
  }
  return nodes;
}

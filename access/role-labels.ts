import { builtInRole, isBuiltIn } from "../provider/kinds/role";
import { pathOf } from "./places";
import type { Snapshot } from "./snapshot";

/**
 * The names of roles for people. A custom role with the name of another or a built-in role is called by its path, so that nobody mistakes
 * it for that role.
 *
 * @returns undefined for a role whose name is not known
 */
export function roleLabels({ roles, groups }: Pick<Snapshot, "groups" | "roles">): (uid: string) => string | undefined {
  const named = Map.groupBy(roles.keys(), (uid) => roles.get(uid)?.name);
  return (uid) => {
    const name = roles.get(uid)?.name;
    if (name === undefined || isBuiltIn(uid)) return name;
    if (!builtInRole.test(name) && (named.get(name)?.length ?? 0) < 2) return name;
    return pathOf(uid, (each) => (groups.get(each) ?? roles.get(each))?.name) ?? `${name} (${uid})`;
  };
}

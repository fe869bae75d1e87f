import { builtInRole, isBuiltIn } from "../provider/kinds/role";
import { pathOf } from "./places";
import type { Snapshot } from "./snapshot";

/**
 * What people call roles: by name. A role of an organisation that has the name of another role, or of a built-in one, is called by
 * its path, so that it cannot pass for that.
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

import { ancestorsOf } from "../../access/places";
import type { PlatformClient } from "../../provider/client/client";
import { messageOf } from "../../provider/client/errors";
import { group, type WireGroup } from "../../provider/kinds/group";
import { identity } from "../../provider/kinds/identity";
import { role, type WireRole } from "../../provider/kinds/role";
import { boundIdentity, boundRole, roleBinding, type WireRoleBinding } from "../../provider/kinds/role-binding";
import type { Organization } from "./tree";

/**
 * Reads what the tree below `uid` is drawn from. Only the group itself must be readable: everything else that is not is named
 * in `missing`, so that no grant is left out silently.
 */
export async function readOrganization(client: PlatformClient, uid: string): Promise<Organization> {
  const missing: string[] = [];
  const orMissing = async <Row>(what: string, rows: Promise<Row[]>): Promise<Row[]> =>
    rows.catch((error: unknown) => {
      missing.push(`${what}: ${messageOf(error)}`);
      return [];
    });
  const below = { descendantsOf: uid };
  const above = ancestorsOf(uid);
  const [root, groupsBelow, ancestors, identitiesBelow, bindingsBelow, ...bindingsAbove] = await Promise.all([
    client.get(group.collection, uid),
    orMissing("Groups below", client.list(group.collection, below)),
    Promise.all(
      above.map((place) =>
        orMissing(
          `Group ${place} above and its name`,
          client.get(group.collection, place).then((row) => [row]),
        ),
      ),
    ),
    orMissing("Identities", client.list(identity.collection, below)),
    orMissing("Roles bound here and below", client.list(roleBinding.collection, below)),
    ...above.map((place) =>
      orMissing(`Roles bound at ${place} above`, client.list(roleBinding.collection, { childrenOf: place })),
    ),
  ]);
  const bindings = [...bindingsBelow, ...bindingsAbove.flat()];
  const known = [...groupsBelow, ...ancestors.flat()];
  const bound = bindings.flatMap((binding) => [boundIdentity(binding), boundRole(binding)]);
  const [elsewhere, rolesFound] = await Promise.all([
    orMissing("Names of groups elsewhere", groupsOf(client, bound, [root, ...known])),
    orMissing("Names of roles", unnamedRoles(client, bindings)),
  ]);
  return { root, groups: [...known, ...elsewhere], identities: identitiesBelow, roles: rolesFound, bindings, missing };
}

/** The groups that the paths of `uids` need besides those that are known. */
async function groupsOf(client: PlatformClient, uids: string[], known: WireGroup[]): Promise<WireGroup[]> {
  const seen = new Set(known.map(({ uid }) => uid));
  const wanted = [...new Set(uids.flatMap(ancestorsOf))].filter((uid) => !seen.has(uid));
  return wanted.length > 0 ? client.list(group.collection, { uids: wanted }) : [];
}

/** The roles that `bindings` bind without naming them. */
async function unnamedRoles(client: PlatformClient, bindings: readonly WireRoleBinding[]): Promise<WireRole[]> {
  const wanted = [...new Set(bindings.filter(({ role }) => !role?.name).map(boundRole))].filter((uid) => uid !== "");
  return wanted.length > 0 ? client.list(role.collection, { uids: wanted }) : [];
}

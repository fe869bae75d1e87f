import { type Known, knownOffline } from "../../../cli/review/known";
import { type InventoryObject, ObjectIndex } from "../../../inventory/objects";
import { builtInRoles, groupOf, organization, type Platform, type Thing, uidOn } from "./platform";

/** The objects that the platform shows before the update. */
export function shownOn(platform: Platform): Known {
  const objects = platform.all.map((thing): InventoryObject => {
    const { kind, parent, title, who, role, login, allows, detail } = thing;
    const place = { parentUid: parent };
    const values: Record<Thing["kind"], object> = {
      Group: { ...(parent !== "" && place), name: title },
      Identity: { ...place, name: title, claimMatch: login },
      Role: { ...place, name: title, capabilities: allows },
      RoleBinding: { ...place, identityUid: who, roleUid: role },
      IdentityProvider: { ...place, name: title, defaultRole: role, oidc: { issuer: detail, clientId: "c" } },
      ExternalGroupRoleMapping: { identityProviderUid: parent, externalGroupId: detail, roleUid: role, scope: organization },
      GroupInvite: { ...place, roleUid: role, ...(detail && { email: detail }) },
      AccountAssociation: { ...place, name: title, amazon: { account: detail } },
    };
    const group = groupOf(thing);
    return { kind: `iam:${kind}`, uid: uidOn(thing), place: group === "" ? undefined : group, value: { ...values[kind] } };
  });
  const builtIn = [...builtInRoles].map(([name, { uid, capabilities }]) => [uid, { name, capabilities }] as const);
  const custom = platform.all.flatMap(({ uid, title, allows }) =>
    allows === undefined ? [] : [[uid, { name: title, capabilities: allows }] as const],
  );
  const builtIns = new Map([...builtInRoles].map(([name, role]) => [name, role.capabilities]));
  const index = new ObjectIndex(objects);
  const isGone = (kind: string, uid: string) => !index.has(kind, uid);
  return { ...knownOffline(), builtIns, objects, isGone, roles: new Map([...builtIn, ...custom]) };
}

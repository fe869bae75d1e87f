import { accountAssociation } from "./account-association";
import { externalGroupRoleMapping } from "./external-group-role-mapping";
import { group } from "./group";
import { identity } from "./identity";
import { identityProvider } from "./identity-provider";
import { role } from "./role";
import { roleBinding } from "./role-binding";

/** Every kind that programs can declare. */
export const kinds = { group, identity, roleBinding, role, identityProvider, externalGroupRoleMapping, accountAssociation };

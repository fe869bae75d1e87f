import { accountAssociation } from "./account-association";
import { externalGroupRoleMapping } from "./external-group-role-mapping";
import { group } from "./group";
import { groupAccess } from "./group-access";
import { identity } from "./identity";
import { identityProvider } from "./identity-provider";
import { role } from "./role";
import { roleBinding } from "./role-binding";

/** Every kind of object that programs can declare. */
export const kinds = { group, identity, roleBinding, role, identityProvider, externalGroupRoleMapping, accountAssociation };

/** What programs can declare besides: several objects of the platform as one resource. */
export const composites = { groupAccess };

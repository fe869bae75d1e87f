import { accountAssociation } from "./account-association";
import { advisory } from "./advisory";
import { externalGroupRoleMapping } from "./external-group-role-mapping";
import { group } from "./group";
import { groupAccess } from "./group-access";
import { groupInvite } from "./group-invite";
import { identity } from "./identity";
import { identityProvider } from "./identity-provider";
import { registryCredentials } from "./registry-credentials";
import { repo } from "./repo";
import { role } from "./role";
import { roleBinding } from "./role-binding";
import { subscription } from "./subscription";
import { tag } from "./tag";

/** Every kind of object that programs can declare. */
export const kinds = {
  group,
  identity,
  roleBinding,
  role,
  identityProvider,
  externalGroupRoleMapping,
  accountAssociation,
  repo,
  tag,
  groupInvite,
  subscription,
};

/** What else programs can declare: several objects of the platform as one resource. */
export const composites = { groupAccess };

/** What else programs can declare: values that the platform has no object for. */
export const values = { registryCredentials };

/** Every kind of object that data sources read. */
export const readableKinds = { ...kinds, advisory };

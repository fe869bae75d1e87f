import { externalGroupRoleMapping } from "./external-group-role-mapping";
import { group } from "./group";
import { groupInvite } from "./group-invite";
import { identity } from "./identity";
import { identityProvider } from "./identity-provider";
import { repo } from "./repo";
import { role } from "./role";
import { roleBinding } from "./role-binding";
import { subscription } from "./subscription";
import { tag } from "./tag";

/** Every kind that programs can declare. */
export const kinds = {
  group,
  identity,
  roleBinding,
  role,
  identityProvider,
  externalGroupRoleMapping,
  repo,
  tag,
  groupInvite,
  subscription,
};

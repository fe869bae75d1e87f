import { accountAssociation } from "../../provider/kinds/account-association";
import { advisory } from "../../provider/kinds/advisory";
import { externalGroupRoleMapping } from "../../provider/kinds/external-group-role-mapping";
import { group } from "../../provider/kinds/group";
import { identity } from "../../provider/kinds/identity";
import { repo } from "../../provider/kinds/repo";
import { role } from "../../provider/kinds/role";
import { roleBinding } from "../../provider/kinds/role-binding";
import { tag } from "../../provider/kinds/tag";

export const { collection: groups } = group;
export const { collection: identities } = identity;
export const { collection: roles } = role;
export const { collection: roleBindings } = roleBinding;
export const { collection: repos } = repo;
export const { collection: tags } = tag;
export const { collection: advisories } = advisory;
export const { collection: accountAssociations } = accountAssociation;
export const { collection: externalGroupRoleMappings } = externalGroupRoleMapping;

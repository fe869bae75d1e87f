import { group } from "../../provider/kinds/group";
import { identity } from "../../provider/kinds/identity";
import { role } from "../../provider/kinds/role";
import { roleBinding } from "../../provider/kinds/role-binding";

export const { collection: groups } = group;
export const { collection: identities } = identity;
export const { collection: roles } = role;
export const { collection: roleBindings } = roleBinding;

import { group } from "./group";
import { groupAccess } from "./group-access";
import { identity } from "./identity";
import { role } from "./role";
import { roleBinding } from "./role-binding";

/** Every kind of object that programs can declare. */
export const kinds = { group, identity, roleBinding, role };

/** What programs can declare besides: several objects of the platform as one resource. */
export const composites = { groupAccess };

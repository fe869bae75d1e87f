import { advisory } from "./advisory";
import { group } from "./group";
import { identity } from "./identity";
import { repo } from "./repo";
import { role } from "./role";
import { roleBinding } from "./role-binding";
import { tag } from "./tag";

/** Every kind that programs can declare. */
export const kinds = { group, identity, roleBinding, role };

/** Every kind that data sources read. */
export const readableKinds = { ...kinds, repo, tag, advisory };

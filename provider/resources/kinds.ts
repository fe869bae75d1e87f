import { group } from "./group";
import { identity } from "./identity";
import type { Kind } from "./kind";
import { roleBinding } from "./role-binding";

/** Every kind of resource. */
export const kinds: readonly Kind[] = [group, identity, roleBinding];

import { advisories } from "./advisories";
import { groups } from "./groups";
import { identities } from "./identities";
import { repos, tags } from "./registry";
import { roleBindings } from "./role-bindings";
import { roles } from "./roles";
import type { Kind } from "./kind";

/** Every kind that the emulator serves. */
export const kinds: readonly Kind[] = [groups, identities, roles, roleBindings, repos, tags, advisories];

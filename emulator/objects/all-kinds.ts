import { accountAssociations } from "./account-associations";
import { advisories } from "./advisories";
import { externalGroupRoleMappings } from "./external-group-role-mappings";
import { groupInvites } from "./group-invites";
import { groups } from "./groups";
import { identities } from "./identities";
import { identityProviders } from "./identity-providers";
import { repos, tags } from "./registry";
import { roleBindings } from "./role-bindings";
import { roles } from "./roles";
import { subscriptions } from "./subscriptions";
import type { Kind } from "./kind";

/** Every kind that has calls of its own by uid. */
export const kinds: readonly Kind[] = [
  groups,
  identities,
  roles,
  roleBindings,
  identityProviders,
  externalGroupRoleMappings,
  accountAssociations,
  groupInvites,
  subscriptions,
  repos,
  tags,
  advisories,
];

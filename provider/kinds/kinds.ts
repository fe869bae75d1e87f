import { accountAssociation } from "./account-association";
import { advisory } from "./advisory";
import { externalGroupRoleMapping } from "./external-group-role-mapping";
import { group } from "./group";
import { groupAccess } from "./group-access";
import { groupInvite } from "./group-invite";
import { identity } from "./identity";
import { identityProvider } from "./identity-provider";
import { repo } from "./repo";
import { role } from "./role";
import { roleBinding } from "./role-binding";
import { subscription } from "./subscription";
import { tag } from "./tag";

/** Every kind of object that programs can declare, in the order of pages and messages: the only list of them in `provider/`. */
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

/** The key of a kind: its name with a small first letter, and the member of `pulumi-platform/provider` that serves it. */
export type KindKey = keyof typeof kinds;

/** What else programs can declare: several objects of the platform as one resource. */
export const composites = { groupAccess };

/** Every kind of object that data sources read. */
export const readableKinds = { ...kinds, advisory };

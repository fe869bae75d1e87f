import "./client/needs-node";
import { dynamically, dynamicProvider } from "./host/dynamic";
import { kinds } from "./kinds/kinds";
import { groupAccessLife } from "./resources/group-access/life";
import { registryCredentialsLife } from "./resources/registry-credentials/life";

// The `__provider` text in every state names these exports: never rename or remove one (docs/contributing/engine.md#provider-text).
// Each is written out: an ES module imports by name only what Node.js finds in the text of this file.

/** Serves groups to the engine. */
export const group = dynamicProvider(kinds.group);
/** Serves identities to the engine. */
export const identity = dynamicProvider(kinds.identity);
/** Serves role bindings to the engine. */
export const roleBinding = dynamicProvider(kinds.roleBinding);
/** Serves custom roles to the engine. */
export const role = dynamicProvider(kinds.role);
/** Serves pull tokens of registries to the engine. */
export const registryCredentials = dynamically(registryCredentialsLife);
/** Serves the complete access of groups to the engine. */
export const groupAccess = dynamically(groupAccessLife);
/** Serves identity providers to the engine. */
export const identityProvider = dynamicProvider(kinds.identityProvider);
/** Serves external group role mappings to the engine. */
export const externalGroupRoleMapping = dynamicProvider(kinds.externalGroupRoleMapping);
/** Serves account associations to the engine. */
export const accountAssociation = dynamicProvider(kinds.accountAssociation);
/** Serves repos to the engine. */
export const repo = dynamicProvider(kinds.repo);
/** Serves tags to the engine. */
export const tag = dynamicProvider(kinds.tag);
/** Serves group invites to the engine. */
export const groupInvite = dynamicProvider(kinds.groupInvite);
/** Serves subscriptions to the engine. */
export const subscription = dynamicProvider(kinds.subscription);

import { dynamicProvider } from "./host/dynamic";
import { group as groupKind } from "./resources/group";
import { identity as identityKind } from "./resources/identity";
import { roleBinding as roleBindingKind } from "./resources/role-binding";

// The text in `__provider` of every state names these exports: they live for ever (DESIGN §6).

/** Serves groups to the engine. */
export const group = dynamicProvider(groupKind);
/** Serves identities to the engine. */
export const identity = dynamicProvider(identityKind);
/** Serves role bindings to the engine. */
export const roleBinding = dynamicProvider(roleBindingKind);

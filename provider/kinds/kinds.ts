import { advisory } from "./advisory";
import { groupAccess } from "./group-access";
import * as kinds from "./list";
import { registryCredentials } from "./registry-credentials";

export { kinds };

/** The key of a kind. It is its name with a small first letter, and the member of `pulumi-platform/provider` that serves it. */
export type KindKey = keyof typeof kinds;

/** Resources that consist of several objects of the platform. */
export const composites = { groupAccess };

/** Resources that are values without an object on the platform. */
export const values = { registryCredentials };

/** Every kind of object that data sources read. */
export const readableKinds = { ...kinds, advisory };

// Not the types of the constants, because only `typeof` a declaration shows its doc comments in editors.
/** Everything that programs can declare, by key. */
export type ResourceKinds = typeof kinds & {
  readonly groupAccess: typeof groupAccess;
  readonly registryCredentials: typeof registryCredentials;
};

/** The kinds that data sources read, by key. */
export type ReadableKinds = typeof kinds & { readonly advisory: typeof advisory };

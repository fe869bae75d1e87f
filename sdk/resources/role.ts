import { role } from "../../provider/kinds/role";
import { type ArgsOf, type OutputsOf, resourceClass, type ResourceClass } from "./declared";

/** The arguments of a {@link Role}. */
export type RoleArgs = ArgsOf<typeof role>;

/** The outputs of a {@link Role} besides `uid`. */
export interface Role extends OutputsOf<typeof role> {}

// Annotated, so that the emitted types keep the doc comments of the declaration.
const RoleResource: ResourceClass<typeof role> = resourceClass(role);

/**
 * A custom role: a named set of capabilities, granted by role bindings. Built-in roles can only be read.
 *
 * @example
 * ```ts
 * import { Role } from "pulumi-platform";
 *
 * export const puller = new Role("puller", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   capabilities: ["CAP_REPO_LIST", "CAP_REPO_BLOBS_GET", "CAP_TAG_LIST", "CAP_MANIFEST_LIST"],
 * });
 * ```
 */
export class Role extends RoleResource {}

import { externalGroupRoleMapping } from "../../provider/kinds/external-group-role-mapping";
import { type ArgsOf, type OutputsOf, resourceClass, type ResourceClass } from "./declared";

/** The arguments of an {@link ExternalGroupRoleMapping}. */
export type ExternalGroupRoleMappingArgs = ArgsOf<typeof externalGroupRoleMapping>;

/** The outputs of an {@link ExternalGroupRoleMapping} besides `uid`. */
export interface ExternalGroupRoleMapping extends OutputsOf<typeof externalGroupRoleMapping> {}

// Annotated, so that the emitted types keep the doc comments of the declaration.
const ExternalGroupRoleMappingResource: ResourceClass<typeof externalGroupRoleMapping> = resourceClass(externalGroupRoleMapping);

/**
 * A mapping: people who are in a group of the identity provider when they sign in get a role. It cannot be updated, so every change
 * replaces it.
 *
 * @example
 * ```ts
 * import { ExternalGroupRoleMapping, getRoleOutput } from "pulumi-platform";
 *
 * const root = "0123456789abcdef0123456789abcdef01234567";
 *
 * export const engineers = new ExternalGroupRoleMapping("engineers-editor", {
 *   identityProviderUid: `${root}/0123456789abcdef`,
 *   externalGroupId: "engineers",
 *   roleUid: getRoleOutput({ name: "editor" }).uid,
 *   scope: root,
 * });
 * ```
 */
export class ExternalGroupRoleMapping extends ExternalGroupRoleMappingResource {}

import * as data from "../functions/data-sources";
import { type ArgsOf, type OutputsOf, resourceClass } from "../resources/declared";

/** The arguments of an {@link ExternalGroupRoleMapping}. */
export type ExternalGroupRoleMappingArgs = ArgsOf<"externalGroupRoleMapping">;

/** The outputs of an {@link ExternalGroupRoleMapping} besides `uid`. */
export interface ExternalGroupRoleMapping extends OutputsOf<"externalGroupRoleMapping"> {}

/**
 * A mapping, which gives a role to people who are in a group of the identity provider when they sign in. It cannot be updated, so every change
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
export class ExternalGroupRoleMapping extends resourceClass("externalGroupRoleMapping") {}

/** Which external group role mapping: by its uid, or by identity provider, external group, role and scope. */
export type GetExternalGroupRoleMappingArgs = data.GetArgsOf<"externalGroupRoleMapping">;

/** An external group role mapping as the platform returns it. */
export interface GetExternalGroupRoleMappingResult extends data.GetResultOf<"externalGroupRoleMapping"> {}

const { one, oneOutput, all, allOutput } = data.dataSources("externalGroupRoleMapping");

/**
 * One external group role mapping, by its uid or by its mapping.
 *
 * @example
 * ```ts
 * import { getExternalGroupRoleMappingOutput, getRoleOutput } from "pulumi-platform";
 *
 * export const mappingUid = getExternalGroupRoleMappingOutput({
 *   identityProviderUid: "0123456789abcdef0123456789abcdef01234567/89abcdef01234567",
 *   externalGroupId: "platform-admins",
 *   roleUid: getRoleOutput({ name: "owner" }).uid,
 *   scope: "0123456789abcdef0123456789abcdef01234567",
 * }).uid;
 * ```
 */
export const getExternalGroupRoleMapping: data.GetFunction<GetExternalGroupRoleMappingArgs, GetExternalGroupRoleMappingResult> =
  one;

/** {@link getExternalGroupRoleMapping} for arguments that may be outputs. */
export const getExternalGroupRoleMappingOutput: data.GetOutputFunction<
  GetExternalGroupRoleMappingArgs,
  GetExternalGroupRoleMappingResult
> = oneOutput;

/** Filters and order of {@link getExternalGroupRoleMappings}. */
export type GetExternalGroupRoleMappingsArgs = data.ListArgsOf<"externalGroupRoleMapping">;

/** The result of {@link getExternalGroupRoleMappings}. */
export interface GetExternalGroupRoleMappingsResult extends data.ListResultOf<"externalGroupRoleMapping"> {}

/**
 * Every external group role mapping that the filters select.
 *
 * @example
 * ```ts
 * import { getExternalGroupRoleMappingsOutput, getIdentityProviderOutput } from "pulumi-platform";
 *
 * const provider = getIdentityProviderOutput({ name: "corporate" });
 * export const mapped = getExternalGroupRoleMappingsOutput({ identityProviderUid: provider.uid });
 * ```
 */
export const getExternalGroupRoleMappings: data.ListFunction<
  GetExternalGroupRoleMappingsArgs,
  GetExternalGroupRoleMappingsResult
> = all;

/** {@link getExternalGroupRoleMappings} for arguments that may be outputs. */
export const getExternalGroupRoleMappingsOutput: data.ListOutputFunction<
  GetExternalGroupRoleMappingsArgs,
  GetExternalGroupRoleMappingsResult
> = allOutput;

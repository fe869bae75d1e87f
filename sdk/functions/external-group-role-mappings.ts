import { externalGroupRoleMapping } from "../../provider/kinds/external-group-role-mapping";
import {
  dataSources,
  type GetArgsOf,
  type GetFunction,
  type GetResultOf,
  type ListArgsOf,
  type ListFunction,
  type ListResultOf,
} from "./data-sources";
import type { GetOutputFunction, ListOutputFunction } from "./output-form";

const externalGroupRoleMappings = dataSources(externalGroupRoleMapping);

/** Which external group role mapping: by its uid, or by identity provider, external group, role and scope. */
export type GetExternalGroupRoleMappingArgs = GetArgsOf<typeof externalGroupRoleMapping>;

/** An external group role mapping as the platform returns it. */
export interface GetExternalGroupRoleMappingResult extends GetResultOf<typeof externalGroupRoleMapping> {}

/**
 * One external group role mapping, by its uid or by what it maps.
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
export const getExternalGroupRoleMapping: GetFunction<GetExternalGroupRoleMappingArgs, GetExternalGroupRoleMappingResult> =
  externalGroupRoleMappings.one;

/** {@link getExternalGroupRoleMapping} for arguments that may be outputs. */
export const getExternalGroupRoleMappingOutput: GetOutputFunction<
  GetExternalGroupRoleMappingArgs,
  GetExternalGroupRoleMappingResult
> = externalGroupRoleMappings.oneOutput;

/** Filters and order of {@link getExternalGroupRoleMappings}. */
export type GetExternalGroupRoleMappingsArgs = ListArgsOf<typeof externalGroupRoleMapping>;

/** The result of {@link getExternalGroupRoleMappings}. */
export interface GetExternalGroupRoleMappingsResult extends ListResultOf<typeof externalGroupRoleMapping> {}

/**
 * Every external group role mapping that the filters select.
 *
 * @example
 * ```ts
 * import { getExternalGroupRoleMappingsOutput, getIdentityProviderOutput } from "pulumi-platform";
 *
 * const provider = getIdentityProviderOutput({ name: "corporate" });
 * const all = getExternalGroupRoleMappingsOutput({ identityProviderUid: provider.uid });
 * export const mapped = all.externalGroupRoleMappings.apply((mappings) => mappings.map((mapping) => mapping.externalGroupId));
 * ```
 */
export const getExternalGroupRoleMappings: ListFunction<GetExternalGroupRoleMappingsArgs, GetExternalGroupRoleMappingsResult> =
  externalGroupRoleMappings.all;

/** {@link getExternalGroupRoleMappings} for arguments that may be outputs. */
export const getExternalGroupRoleMappingsOutput: ListOutputFunction<
  GetExternalGroupRoleMappingsArgs,
  GetExternalGroupRoleMappingsResult
> = externalGroupRoleMappings.allOutput;

import { role } from "../../provider/kinds/role";
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

const roles = dataSources(role);

/** Which role: by its uid or by its name. */
export type GetRoleArgs = GetArgsOf<typeof role>;

/** A role as the platform returns it. */
export interface GetRoleResult extends GetResultOf<typeof role> {}

/**
 * One role, by its uid or by its name. Without `parentUid`, a built-in role of that name takes precedence over custom roles.
 *
 * @example
 * ```ts
 * import { getRoleOutput } from "pulumi-platform";
 *
 * export const viewerUid = getRoleOutput({ name: "viewer" }).uid;
 * ```
 */
export const getRole: GetFunction<GetRoleArgs, GetRoleResult> = roles.one;

/** {@link getRole} for arguments that may be outputs. */
export const getRoleOutput: GetOutputFunction<GetRoleArgs, GetRoleResult> = roles.oneOutput;

/** Filters and order of {@link getRoles}. */
export type GetRolesArgs = ListArgsOf<typeof role>;

/** The result of {@link getRoles}. */
export interface GetRolesResult extends ListResultOf<typeof role> {}

/**
 * Every role that the filters select, built-in and custom ones.
 *
 * @example
 * ```ts
 * import { getRolesOutput } from "pulumi-platform";
 *
 * export const builtIn = getRolesOutput({ inRoot: true }).roles.apply((roles) => roles.map((role) => role.name));
 * ```
 */
export const getRoles: ListFunction<GetRolesArgs, GetRolesResult> = roles.all;

/** {@link getRoles} for arguments that may be outputs. */
export const getRolesOutput: ListOutputFunction<GetRolesArgs, GetRolesResult> = roles.allOutput;

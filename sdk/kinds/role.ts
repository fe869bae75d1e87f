import * as data from "../functions/data-sources";
import { type ArgsOf, type OutputsOf, resourceClass } from "../resources/declared";

export type { Capability } from "../../provider/kinds/role";

/** The arguments of a {@link Role}. */
export type RoleArgs = ArgsOf<"role">;

/** The outputs of a {@link Role} besides `uid`. */
export interface Role extends OutputsOf<"role"> {}

/**
 * A custom role, which is a named set of capabilities, granted by role bindings. Built-in roles can only be read.
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
export class Role extends resourceClass("role") {}

/** Which role: by its uid or by its name. */
export type GetRoleArgs = data.GetArgsOf<"role">;

/** A role as the platform returns it. */
export interface GetRoleResult extends data.GetResultOf<"role"> {}

const { one, oneOutput, all, allOutput } = data.dataSources("role");

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
export const getRole: data.GetFunction<GetRoleArgs, GetRoleResult> = one;

/** {@link getRole} for arguments that may be outputs. */
export const getRoleOutput: data.GetOutputFunction<GetRoleArgs, GetRoleResult> = oneOutput;

/** Filters and order of {@link getRoles}. */
export type GetRolesArgs = data.ListArgsOf<"role">;

/** The result of {@link getRoles}. */
export interface GetRolesResult extends data.ListResultOf<"role"> {}

/**
 * Every role that the filters select, built-in and custom ones.
 *
 * @example
 * ```ts
 * import { getRolesOutput } from "pulumi-platform";
 *
 * export const builtIn = getRolesOutput({ inRoot: true });
 * ```
 */
export const getRoles: data.ListFunction<GetRolesArgs, GetRolesResult> = all;

/** {@link getRoles} for arguments that may be outputs. */
export const getRolesOutput: data.ListOutputFunction<GetRolesArgs, GetRolesResult> = allOutput;

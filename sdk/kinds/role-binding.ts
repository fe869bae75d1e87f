import * as data from "../functions/data-sources";
import { type ArgsOf, type OutputsOf, resourceClass } from "../resources/declared";

/** The arguments of a {@link RoleBinding}. */
export type RoleBindingArgs = ArgsOf<"roleBinding">;

/** The name of an object that a binding references. */
export interface Named {
  /** Name of the object. */
  readonly name: string;
}

/** The outputs of a {@link RoleBinding} besides `uid`. */
export interface RoleBinding extends OutputsOf<"roleBinding"> {}

/**
 * A role binding, which gives one identity one role in one group. Name it by identity and role, never by its position in a list, because
 * removing one would then change all later ones.
 *
 * @example
 * ```ts
 * import { getRoleOutput, RoleBinding } from "pulumi-platform";
 *
 * export const deployerEditor = new RoleBinding("deployer-editor", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   identityUid: "0123456789abcdef0123456789abcdef01234567/0123456789abcdef",
 *   roleUid: getRoleOutput({ name: "editor" }).uid,
 * });
 * ```
 */
export class RoleBinding extends resourceClass("roleBinding") {}

/** Which role binding: by its uid, or by parent, identity and role. */
export type GetRoleBindingArgs = data.GetArgsOf<"roleBinding">;

/** A role binding as the platform returns it. */
export interface GetRoleBindingResult extends data.GetResultOf<"roleBinding"> {}

const { one, oneOutput, all, allOutput } = data.dataSources("roleBinding");

/**
 * One role binding, by its uid or by parent, identity and role.
 *
 * @example
 * ```ts
 * import { getRoleBindingOutput, getRoleOutput } from "pulumi-platform";
 *
 * export const bindingUid = getRoleBindingOutput({
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   identityUid: "0123456789abcdef0123456789abcdef01234567/0123456789abcdef",
 *   roleUid: getRoleOutput({ name: "viewer" }).uid,
 * }).uid;
 * ```
 */
export const getRoleBinding: data.GetFunction<GetRoleBindingArgs, GetRoleBindingResult> = one;

/** {@link getRoleBinding} for arguments that may be outputs. */
export const getRoleBindingOutput: data.GetOutputFunction<GetRoleBindingArgs, GetRoleBindingResult> = oneOutput;

/** Filters and order of {@link getRoleBindings}. */
export type GetRoleBindingsArgs = data.ListArgsOf<"roleBinding">;

/** The result of {@link getRoleBindings}. */
export interface GetRoleBindingsResult extends data.ListResultOf<"roleBinding"> {}

/**
 * Every role binding that the filters select.
 *
 * @example
 * ```ts
 * import { getRoleBindingsOutput, getRoleOutput } from "pulumi-platform";
 *
 * export const owners = getRoleBindingsOutput({ role: getRoleOutput({ name: "owner" }).uid });
 * ```
 */
export const getRoleBindings: data.ListFunction<GetRoleBindingsArgs, GetRoleBindingsResult> = all;

/** {@link getRoleBindings} for arguments that may be outputs. */
export const getRoleBindingsOutput: data.ListOutputFunction<GetRoleBindingsArgs, GetRoleBindingsResult> = allOutput;

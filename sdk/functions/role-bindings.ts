import { roleBinding } from "../../provider/kinds/role-binding";
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

const roleBindings = dataSources(roleBinding);

/** Which role binding: by its uid, or by parent, identity and role. */
export type GetRoleBindingArgs = GetArgsOf<typeof roleBinding>;

/** A role binding as the platform returns it. */
export interface GetRoleBindingResult extends GetResultOf<typeof roleBinding> {}

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
export const getRoleBinding: GetFunction<GetRoleBindingArgs, GetRoleBindingResult> = roleBindings.one;

/** {@link getRoleBinding} for arguments that may be outputs. */
export const getRoleBindingOutput: GetOutputFunction<GetRoleBindingArgs, GetRoleBindingResult> = roleBindings.oneOutput;

/** Filters and order of {@link getRoleBindings}. */
export type GetRoleBindingsArgs = ListArgsOf<typeof roleBinding>;

/** The result of {@link getRoleBindings}. */
export interface GetRoleBindingsResult extends ListResultOf<typeof roleBinding> {}

/**
 * Every role binding that the filters select.
 *
 * @example
 * ```ts
 * import { getRoleBindingsOutput, getRoleOutput } from "pulumi-platform";
 *
 * const owners = getRoleBindingsOutput({ role: getRoleOutput({ name: "owner" }).uid });
 * export const ownerNames = owners.roleBindings.apply((bindings) => bindings.map((binding) => binding.identity?.name));
 * ```
 */
export const getRoleBindings: ListFunction<GetRoleBindingsArgs, GetRoleBindingsResult> = roleBindings.all;

/** {@link getRoleBindings} for arguments that may be outputs. */
export const getRoleBindingsOutput: ListOutputFunction<GetRoleBindingsArgs, GetRoleBindingsResult> = roleBindings.allOutput;

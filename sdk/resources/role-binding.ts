import { roleBinding } from "../../provider/kinds/role-binding";
import { type ArgsOf, type OutputsOf, resourceClass, type ResourceClass } from "./declared";

/** The arguments of a {@link RoleBinding}. */
export type RoleBindingArgs = ArgsOf<typeof roleBinding>;

/** The name of an object that a binding references. */
export interface Named {
  readonly name: string;
}

/** The outputs of a {@link RoleBinding} besides `uid`. */
export interface RoleBinding extends OutputsOf<typeof roleBinding> {}

// Annotated, so that the emitted types keep the doc comments of the declaration.
const RoleBindingResource: ResourceClass<typeof roleBinding> = resourceClass(roleBinding);

/**
 * A role binding: one identity has one role in one group. Name it by identity and role, never by its
 * position in a list: removing one would then change all that follow.
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
export class RoleBinding extends RoleBindingResource {}

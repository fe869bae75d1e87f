import { boundIdentity, boundRole, roleBinding, type WireRoleBinding } from "../../provider/kinds/role-binding";
import { uid } from "../../provider/kinds/inputs";
import { type ByUid, type Either, type GetFunction, sourceOfOne } from "./get-function";
import { type ListArgs, type ListFunction, sourceOfAll } from "./list-function";
import { type GetOutputFunction, type ListOutputFunction, outputForm } from "./output-form";
import { plainForm, type Source } from "./source";

/** A role binding by what it binds. */
export interface RoleBindingByParts {
  /** Uid of the group in which the role is granted. */
  parentUid: string;
  /** Uid of the identity that has the role. */
  identityUid: string;
  /** Uid of the role. */
  roleUid: string;
}

/** Which role binding: by its uid or by what it binds. */
export type GetRoleBindingArgs = Either<ByUid, RoleBindingByParts>;

/** An object that a role binding refers to, as it is now. */
export interface BoundObject {
  readonly uid: string;
  readonly name: string;
  /** Empty if unset. */
  readonly description: string;
}

/** The identity of a role binding, as it is now. */
export interface BoundIdentity extends BoundObject {
  /** Subject of its claim match; empty if it has none or a pattern. */
  readonly subject: string;
  /** Issuer of its claim match; empty if it has none or a pattern. */
  readonly issuer: string;
}

/** A role binding as the platform returns it. */
export interface GetRoleBindingResult {
  readonly uid: string;
  /** Null or absent if the identity was deleted. */
  readonly identity?: BoundIdentity | null | undefined;
  readonly group?: BoundObject | null | undefined;
  /** Null or absent if the role was deleted. */
  readonly role?: BoundObject | null | undefined;
  readonly identityUid: string;
  readonly roleUid: string;
  /** RFC 3339. */
  readonly createTime: string | null;
}

/** The platform may leave `identityUid` and `roleUid` empty beside the expanded objects (docs/platform-api.md#empty-uids). Results always fill both. */
function withBareUids(binding: WireRoleBinding): GetRoleBindingResult {
  return { ...binding, identityUid: boundIdentity(binding), roleUid: boundRole(binding) };
}

const found = sourceOfOne("getRoleBinding", {
  collection: roleBinding.collection,
  key: { parentUid: uid, identityUid: uid, roleUid: uid },
  query: ({ parentUid, identityUid, roleUid }) => ({ childrenOf: parentUid, identity: identityUid, role: roleUid }),
});
const one: Source<GetRoleBindingResult> = {
  ...found,
  read: async (...asked) => withBareUids(await found.read(...asked)),
};

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
export const getRoleBinding: GetFunction<GetRoleBindingArgs, GetRoleBindingResult> = plainForm(one);

/** {@link getRoleBinding} for arguments that may be outputs. */
export const getRoleBindingOutput: GetOutputFunction<GetRoleBindingArgs, GetRoleBindingResult> = outputForm(one);

/** Filters and order of {@link getRoleBindings}. */
export interface GetRoleBindingsArgs extends ListArgs {
  /** Only bindings of the identity with this uid. */
  identity?: string | undefined;
  /** Only bindings in the group with this uid, not in those below it. */
  group?: string | undefined;
  /** Only bindings of the role with this uid. */
  role?: string | undefined;
}

/** The result of {@link getRoleBindings}. */
export interface GetRoleBindingsResult {
  readonly roleBindings: GetRoleBindingResult[];
}

const all: Source<GetRoleBindingsResult> = sourceOfAll(
  "getRoleBindings",
  roleBinding.collection,
  { identity: uid, group: uid, role: uid },
  (rows) => ({
    roleBindings: rows.map(withBareUids),
  }),
);

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
export const getRoleBindings: ListFunction<GetRoleBindingsArgs, GetRoleBindingsResult> = plainForm(all);

/** {@link getRoleBindings} for arguments that may be outputs. */
export const getRoleBindingsOutput: ListOutputFunction<GetRoleBindingsArgs, GetRoleBindingsResult> = outputForm(all);

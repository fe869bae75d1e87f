import { isValues, type Values } from "../../schema/values";
import {
  accessKey,
  entriesOf,
  groupAccess,
  keepsOthers,
  type Member,
  membersIn,
  textsOf,
  roleUidsIn,
} from "../../kinds/group-access";
import { declaredInputs, type Inputs, naturalKeyOf } from "../../schema/kind";
import { roleBinding, type WireRoleBinding } from "../../kinds/role-binding";
import { type ShownBinding, shownOf } from "../../kinds/shown-binding";
import { PlatformError } from "../../client/errors";
import type { Run } from "../run/run";

/** A member whose role is known by its uid. */
export interface Wanted extends Member {
  readonly roleUid: string;
}

/** A member with the role binding that it has on the platform. */
export interface Bound extends Wanted {
  readonly binding: string;
  /** When the binding was created, RFC 3339; possibly a later time. Undefined if unknown. */
  readonly createTime?: string | undefined;
  /** How its identity logged in when it became a member. Undefined if unknown. */
  readonly login?: string | undefined;
}

/** Uids of roles as a program writes them. */
export type RoleUids = ReadonlyMap<string, string>;

/** The key of a member within its group, from role and identity. */
export function pairOf({ roleUid, identityUid }: Pick<Wanted, "roleUid" | "identityUid">): string {
  return `${roleUid} ${identityUid}`;
}

/** The key of a member as the program writes it, from role and identity. */
export function writtenPairOf({ role, identityUid }: Pick<Member, "role" | "identityUid">): string {
  return JSON.stringify([role, identityUid]);
}

/** The key of an entry of `access`, from role and label. */
export function slotOf({ role, label }: Pick<Member, "role" | "label">): string {
  return JSON.stringify([role, label]);
}

/** The uids of roles in `state`, and those that check has found for `inputs`. */
export function knownRoles(inputs: Inputs, state: Values): Map<string, string> {
  return new Map([...roleUidsIn(state), ...roleUidsIn(inputs)]);
}

/** The members that `inputs` declare, with the uids of their roles as far as those are known. */
export function wantedIn(inputs: Inputs, roleUids: RoleUids): Wanted[] {
  return membersIn(inputs["access"]).map((member) => ({ ...member, roleUid: roleUids.get(member.role) ?? member.role }));
}

/** All role bindings of the group itself, as the platform returns them. @throws PlatformError */
export function rowsIn(groupUid: string, run: Run): Promise<WireRoleBinding[]> {
  return run.client.list(roleBinding.collection, { childrenOf: groupUid });
}

/** The same, as members are compared with them. @throws PlatformError see {@link shownBy} */
export async function shownIn(groupUid: string, run: Run): Promise<ShownBinding[]> {
  return (await rowsIn(groupUid, run)).map(shownBy);
}

/** True if the program, or the run, sets `adopt` for the access. */
export function adopts(inputs: Inputs, run: Run): boolean {
  const key = accessKey(inputs);
  return key !== undefined && run.ledger.declarations.adopts(key);
}

/** True if the create of a member may adopt an existing binding. Beside others, the binding may belong to another stack. */
export function mayAdopt(inputs: Inputs, run: Run): boolean {
  return !keepsOthers(inputs) || adopts(inputs, run);
}

/** @throws PlatformError `UNEXPECTED_ANSWER` if the row does not show its identity or its role */
export function shownBy(row: WireRoleBinding): ShownBinding {
  const shown = shownOf(row);
  if (shown.identityUid === "" || shown.roleUid === "")
    throw new PlatformError("UNEXPECTED_ANSWER", `role binding ${row.uid}: the platform does not show its identity and role.`);
  return shown;
}

/** The role binding of a member, as the inputs of a `RoleBinding`. */
export function bindingInputs(groupUid: string, { identityUid, roleUid }: Pick<Wanted, "roleUid" | "identityUid">): Inputs {
  return { parentUid: groupUid, identityUid, roleUid };
}

/** The role bindings in a state, with the role and the label that its program writes. */
export function bindingsIn(state: Values): Omit<Bound, "identityUid">[] {
  const roleUids = roleUidsIn(state);
  return entriesOf(state["bindings"]).flatMap(([role, members]) => {
    const roleUid = roleUids.get(role);
    if (roleUid === undefined) return [];
    return entriesOf(members).map(([label, binding]) => ({ role, label, roleUid, binding: String(binding) }));
  });
}

/** The members in a state. */
export function boundIn(state: Values): Bound[] {
  const bindings = new Map(bindingsIn(state).map((each) => [slotOf(each), each]));
  const { newestCreateTime: newest, logins } = state;
  const time = typeof newest === "string" && { createTime: newest };
  const known = new Map(
    entriesOf(logins).flatMap(([role, members]) =>
      entriesOf(members).map(([label, login]) => [slotOf({ role, label }), String(login)] as const),
    ),
  );
  return membersIn(state["access"]).flatMap((member) => {
    const bound = bindings.get(slotOf(member));
    if (bound === undefined) return [];
    return [{ ...member, roleUid: bound.roleUid, binding: bound.binding, login: known.get(slotOf(member)), ...time }];
  });
}

/** The members in a state that its inputs do not declare: a half-failed update stored its inputs but did not remove them. */
export function leftMembers(inputs: Values, state: Values): Bound[] {
  if (inputs["access"] === undefined) return [];
  const declared = new Set(membersIn(inputs["access"]).map(writtenPairOf));
  return boundIn(state).filter((member) => !declared.has(writtenPairOf(member)));
}

/** Roles as the program writes them, in every place where it may name one. */
export function rolesIn({ access, roles, exempt }: Values): string[] {
  const exemptRoles = isValues(exempt) ? textsOf(exempt["roles"]) : [];
  return [...new Set([...entriesOf(access).map(([role]) => role), ...textsOf(roles), ...exemptRoles])];
}

/** The state of an access whose `members` exist. */
export function stateWith(inputs: Inputs, members: readonly Bound[], roleUids: RoleUids): Inputs {
  const declared = declaredInputs(groupAccess, {
    ...inputs,
    access: nested(members, ({ identityUid, written }) => written ?? identityUid),
  });
  const newest = newestOf(members);
  const logins = nested(
    members.filter(({ login }) => login !== undefined),
    ({ login = "" }) => login,
  );
  const used = [...roleUids].filter(([role]) => rolesIn(declared).includes(role));
  return {
    ...declared,
    roleUids: Object.fromEntries(used.sort()),
    bindings: nested(members, ({ binding }) => binding),
    ...(Object.keys(logins).length > 0 && { logins }),
    ...(newest !== undefined && { newestCreateTime: newest }),
  };
}

/** The member of the state for access of others, kept by `adopt` and shown by no refresh since. */
const othersKept = "__othersKept";

/** `state`, with the fact if others have kept access. A refresh shows that access, and so leaves the fact out. */
export function withOthersKept(state: Inputs, areKept: boolean): Inputs {
  return areKept ? { ...state, [othersKept]: true } : state;
}

/** True if others have access that an earlier run has kept, and no refresh has shown since. */
export function hasOthersKept(state: Values): boolean {
  return state[othersKept] === true;
}

/** The latest time at which one of `members` was created; undefined if none is known. */
function newestOf(members: readonly Bound[]): string | undefined {
  const times = members.flatMap(({ createTime = "" }) => (Number.isNaN(Date.parse(createTime)) ? [] : [createTime]));
  return times.sort((one, other) => Date.parse(one) - Date.parse(other)).at(-1);
}

function nested<Value>(members: readonly Bound[], valueOf: (member: Bound) => Value): Record<string, Record<string, Value>> {
  const byRole = Map.groupBy(members, ({ role }) => role);
  return Object.fromEntries(
    [...byRole]
      .map(([role, all]): [string, Record<string, Value>] => [
        role,
        Object.fromEntries(
          all.map((member): [string, Value] => [member.label, valueOf(member)]).sort(([one], [other]) => (one < other ? -1 : 1)),
        ),
      ])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/**
 * Records that the program declares the role bindings of `members`. No other resource of it deletes them then.
 *
 * @param adopts whether the create of a member whose binding is gone may adopt another one
 * @throws PlatformError `FAILED_PRECONDITION` if another resource is deleting one
 */
export function claimMembers(groupUid: string, members: readonly Bound[], run: Run, adopts: boolean): void {
  for (const member of members) {
    const key = declareMember(groupUid, member, run, adopts);
    run.ledger.claim(roleBinding, member.binding, { key, path: undefined });
    if (key !== undefined) run.ledger.notes.takenOver(key, member.binding);
  }
}

/**
 * Records that the program declares the role binding of a member.
 *
 * @param adopts whether its create may adopt an existing binding
 * @returns the natural key of the binding
 */
export function declareMember(groupUid: string, member: Wanted, run: Run, adopts: boolean): string | undefined {
  const key = naturalKeyOf(roleBinding, bindingInputs(groupUid, member));
  if (key !== undefined) run.ledger.declarations.checkMember(key, adopts);
  return key;
}

/** True if a check of this run has seen the access that `inputs` declare: a refresh knows the state only. */
export function isChecked(inputs: Inputs, run: Run): boolean {
  const key = accessKey(inputs);
  return key !== undefined && run.ledger.declarations.has(key);
}

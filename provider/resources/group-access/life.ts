import type { Problem } from "../../schema/declaration";
import { accessKey, groupAccess, keepsOthers, membersIn } from "../../kinds/group-access";
import { hasUnknown, unknownValue } from "../../schema/inputs";
import type { Inputs } from "../../schema/kind";
import type { Operation } from "../../schema/operation";
import { roleBinding } from "../../kinds/role-binding";
import { check } from "../object/check";
import { diff } from "../object/diff";
import { bothOf } from "../ledger/declarations";
import { lifeOf, type Verbs } from "../object/life";
import { deletionOf } from "../guards/change";
import { announceNewMeanings } from "../naming/new-meaning";
import type { Run } from "../run/run";
import { rejectMove } from "../object/update";
import { foreseeRemovals } from "./foresee";
import { checkAccessNames, resolveMembers } from "./names";
import { createAccess } from "./create";
import { boundIn, claimMembers, isChecked, knownRoles, mayAdopt, pairOf, rolesIn, wantedIn, writtenPairOf } from "./members";
import { announceRootRemovals, declaredTwice, memberNames } from "./messages";
import { getAccess, refreshAccess } from "./read";
import { removeAccess } from "./remove";
import { ManagedScope } from "./scope";
import { announceUnfinished } from "./unfinished";
import { updateAccess } from "./update";

const verbs: Verbs = {
  check(declaring, run) {
    const { olds, news, path } = declaring;
    const result = check(declaring, run);
    const key = accessKey(result.inputs);
    if (key === undefined || result.failures.length > 0) return result;
    const isInState = Object.keys(olds).length > 0;
    if (isInState) run.ledger.accessInState.set(key, olds);
    const adopt = typeof news["adopt"] === "boolean" ? news["adopt"] : undefined;
    const other = run.ledger.declarations.check(key, { path, adopt, old: isInState ? accessKey(olds) : null });
    return other === undefined ? result : { ...result, failures: [managedTwice(other, path, result.inputs)] };
  },

  diff({ path, ...operation }, run) {
    const { uid, olds, news } = operation;
    // Several of them may manage different roles of one group, so none owns the uid of the group.
    const result = diff(operation, run);
    if (result.replaces.length > 0) return result;
    // An unknown `access` may mean that the engine is about to replace an identity in it, and deletes the old one first. To find that out,
    // it compares this resource before it checks it.
    if (news["access"] === unknownValue)
      for (const { binding } of boundIn(olds)) run.ledger.following.add(roleBinding.collection, binding);
    if (!isChecked(news, run)) return result;
    claimKept(uid, olds, news, run);
    if (!hasUnknown(news))
      announceRemovals(uid, { ...operation, path: path ?? run.ledger.declarations.pathOf(accessKey(news)) }, run);
    announceUnfinished(uid, olds, news, run);
    return result;
  },

  checkNames: checkAccessNames,

  foresee: foreseeRemovals,

  async create(kind, inputs, run) {
    await run.guards.pass({ is: "create", kind, wanted: inputs }, run);
    return createAccess(await resolveMembers({ kind, olds: {}, news: inputs }, run), run);
  },

  get: (_kind, uid, run) => getAccess(uid, run),

  async refresh(kind, uid, state, run) {
    const [observed] = await Promise.all([refreshAccess(uid, state, run), announceNewMeanings(kind, state, run)]);
    return observed;
  },

  async update(declared, run) {
    const { kind, uid, olds: state, news: wanted } = declared;
    await run.guards.pass({ is: "update", kind, uid, state, wanted, differing: [] }, run);
    const operation = { ...declared, news: await resolveMembers(declared, run) };
    rejectMove(operation);
    return updateAccess(operation, run);
  },

  async remove(kind, uid, state, run, path) {
    const { isOpen } = await run.guards.pass(deletionOf({ kind, uid, state, path }), run);
    if (isOpen) await removeAccess(uid, state, run);
  },
};

/** The life of a `GroupAccess`: that of one resource, over the role bindings of one group. */
export const groupAccessLife = lifeOf(groupAccess, verbs);

function managedTwice(one: string, other: string | undefined, inputs: Inputs): Problem {
  const [what, wayOut] = keepsOthers(inputs)
    ? ["the same labels in the access of the same group", "Write other labels in one of the two, or merge them."]
    : ["the access of the same group", "Remove one of the two."];
  const reason = `${bothOf(one, other, "declare")} ${what}. ${wayOut}`;
  return { property: "parentUid", reason, code: "KEY_TAKEN" };
}

/** Claims the existing members that the program still declares: a dropped `RoleBinding` must not delete them. */
function claimKept(groupUid: string, olds: Inputs, news: Inputs, run: Run): void {
  const declared = new Set(membersIn(news["access"]).map(writtenPairOf));
  const kept = boundIn(olds).filter((member) => declared.has(writtenPairOf(member)));
  claimMembers(groupUid, kept, run, mayAdopt(news, run));
}

/**
 * Tells the user, in the diff and so in a preview, what an update would remove. Nothing while the uid of a role is unknown.
 *
 * @throws PlatformError `KEY_TAKEN` if a `RoleBinding` of this program owns one of the bindings
 */
function announceRemovals(groupUid: string, { olds, news, path }: Omit<Operation, "kind" | "uid">, run: Run): void {
  const roleUids = knownRoles(news, olds);
  const isNamed = membersIn(news["access"]).some(({ identityUid }) => identityUid === unknownValue);
  if (isNamed || rolesIn(news).some((role) => !roleUids.has(role))) return;
  run.ledger.access.require({ kind: groupAccess, inputs: news, path }, roleUids);
  const scope = new ManagedScope(news, roleUids);
  const declared = new Set(wantedIn(news, roleUids).map(pairOf));
  const leaving = boundIn(olds).filter((member) => !declared.has(pairOf(member)));
  const removed = leaving.filter((member) => !scope.isExempt(member));
  announceRootRemovals({ uid: groupUid, news }, removed, run);
  const both = leaving.filter((member) => scope.covers(member) && run.ledger.has(roleBinding, member.binding));
  if (both.length > 0) throw declaredTwice(memberNames(both));
}

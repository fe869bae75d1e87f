import type { Problem } from "../../schema/declaration";
import { accessKey, groupAccess, membersIn } from "../../kinds/group-access";
import { hasUnknown, unknownValue } from "../../schema/inputs";
import type { Inputs } from "../../schema/kind";
import { roleBinding } from "../../kinds/role-binding";
import { check } from "../object/check";
import { diff } from "../object/diff";
import { bothDeclare } from "../ledger/declarations";
import { lifeOf, type Verbs } from "../object/life";
import { announceNewMeanings } from "../naming/new-meaning";
import type { Run } from "../run/run";
import { rejectMove } from "../object/update";
import { checkAccessNames, resolveMembers } from "./names";
import { ownRemovals } from "./own-removals";
import { createAccess } from "./create";
import { boundIn, claimMembers, isChecked, knownRoles, pairOf, rolesIn, wantedIn, writtenPairOf } from "./members";
import { announceRootRemovals, declaredTwice, memberNames } from "./messages";
import { getAccess, refreshAccess } from "./read";
import { removeAccess } from "./remove";
import { ManagedScope } from "./scope";
import { announceUnfinished } from "./unfinished";
import { updateAccess } from "./update";

const verbs: Verbs = {
  check(declaring, run) {
    const { olds, news, logicalName } = declaring;
    const result = check(declaring, run);
    const key = accessKey(result.inputs);
    if (key === undefined || result.failures.length > 0) return result;
    const { adopt } = news;
    run.ledger.declarations.declare(key, typeof adopt === "boolean" ? adopt : undefined, logicalName);
    if (Object.keys(olds).length > 0) run.ledger.accessInState.set(key, olds);
    const old = Object.keys(olds).length > 0 ? accessKey(olds) : null;
    return { ...result, failures: repeated(key, old, run, logicalName) };
  },

  diff(operation, run) {
    const { uid, olds, news } = operation;
    const result = diff(operation, run);
    if (result.replaces.length > 0) return result;
    // An unknown `access` may mean that the engine is about to replace an identity in it, and deletes the old one first.
    if (news["access"] === unknownValue)
      for (const { binding } of boundIn(olds)) run.ledger.facts.tell(["follows its identity", binding]);
    claimDeclared(uid, olds, news, run);
    announceUnfinished(uid, olds, news, run);
    return result;
  },

  checkNames: checkAccessNames,

  async lockouts(_kind, uid, change, run) {
    return change.replaces.length > 0 ? [] : ownRemovals(uid, change, run);
  },

  async create(kind, inputs, run) {
    return createAccess(await resolveMembers({ kind, olds: {}, news: inputs }, run), run);
  },

  get: (_kind, uid, run) => getAccess(uid, run),

  async refresh(kind, uid, state, run) {
    const [observed] = await Promise.all([refreshAccess(uid, state, run), announceNewMeanings(kind, state, run)]);
    return observed;
  },

  async update(declared, run) {
    const operation = { ...declared, news: await resolveMembers(declared, run) };
    rejectMove(operation);
    return updateAccess(operation, run);
  },

  remove: (_kind, uid, state, run) => removeAccess(uid, state, run),
};

/** The life of a `GroupAccess`: that of one resource, over the role bindings of one group. */
export const groupAccessLife = lifeOf(groupAccess, verbs);

/** @param old the key of the inputs in state; null for a new resource */
function repeated(key: string, old: string | undefined | null, run: Run, logicalName: string | undefined): Problem[] {
  if (run.ledger.declarations.checked(key, old).is !== "duplicate") return [];
  const both = bothDeclare(run.ledger.declarations.nameOf(key), logicalName);
  const reason = `${both} the access of the same group. Remove one of the two.`;
  return [{ property: "parentUid", reason, code: "KEY_TAKEN" }];
}

/** Claims the members that exist and that the program still declares: a `RoleBinding` that the program drops must not delete them. */
function claimDeclared(groupUid: string, olds: Inputs, news: Inputs, run: Run): void {
  if (!isChecked(news, run)) return;
  const declared = new Set(membersIn(news["access"]).map(writtenPairOf));
  const kept = boundIn(olds).filter((member) => declared.has(writtenPairOf(member)));
  claimMembers(groupUid, kept, run);
  announceRemovals(groupUid, olds, news, run);
}

/**
 * Tells the other processes and the user, in the diff and so in a preview, what an update would remove. Nothing while a value, or the
 * uid of a role, is unknown.
 *
 * @throws PlatformError `KEY_TAKEN` if a `RoleBinding` of this program has one of the bindings
 */
function announceRemovals(groupUid: string, olds: Inputs, news: Inputs, run: Run): void {
  const roleUids = knownRoles(news, olds);
  const isNamed = membersIn(news["access"]).some(({ identityUid }) => identityUid === unknownValue);
  if (hasUnknown(news) || isNamed || rolesIn(news).some((role) => !roleUids.has(role))) return;
  const scope = new ManagedScope(news, roleUids);
  const members = wantedIn(news, roleUids);
  run.ledger.access.tell({ groupUid, inputs: news, scope, members });
  const declared = new Set(members.map(pairOf));
  const leaving = boundIn(olds).filter((member) => !declared.has(pairOf(member)));
  const removed = leaving.filter((member) => !scope.isExempt(member));
  announceRootRemovals(groupUid, removed, run);
  const both = leaving.filter((member) => scope.covers(member) && run.ledger.has(roleBinding, member.binding));
  if (both.length > 0) throw declaredTwice(memberNames(both));
}

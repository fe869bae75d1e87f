import { groupText } from "../../client/known-paths";
import { PlatformError } from "../../client/errors";
import { literal } from "../../client/printable";
import { accessKey, entriesOf, groupAccess, keepsOthers, roleUidsIn } from "../../kinds/group-access";
import { type Inputs, naturalKeyOf } from "../../schema/kind";
import { roleBinding } from "../../kinds/role-binding";
import type { ShownBinding } from "../../kinds/shown-binding";
import { shareChildren } from "../creating/look-up";
import { isOwnedFor } from "../creating/ownership";
import type { Run } from "../run/run";
import {
  bindingInputs,
  type Bound,
  boundIn,
  declareMember,
  mayAdopt,
  pairOf,
  rolesIn,
  type RoleUids,
  rowsIn,
  shownBy,
  type Wanted,
  wantedIn,
} from "./members";
import { bindingNames, changedMeanwhile, declaredTwice } from "./messages";
import { rejectSynonyms, resolveRoles } from "./roles";
import { ManagedScope, withinReach } from "./scope";

/** The declared members of a `GroupAccess`, and the existing bindings. */
export interface Comparison {
  readonly roleUids: RoleUids;
  readonly scope: ManagedScope;
  /** All role bindings of the group. */
  readonly shown: readonly ShownBinding[];
  /** Declared members that exist; beside others, only those in the state. */
  readonly kept: readonly Bound[];
  /** The other declared members. The create of each decides whether it may adopt a binding that exists. */
  readonly missing: readonly Wanted[];
  /**
   * Role bindings that `access` does not list, without the exempt ones and those of other resources. Beside others, only changed
   * bindings of the state, whose identity or role the state does not know.
   */
  readonly undeclared: readonly ShownBinding[];
}

/**
 * Compares what `inputs` declare with what exists, and records for the whole run what they declare.
 *
 * @param state its state; empty for a new one
 * @throws PlatformError if the roles or the role bindings cannot be read; `KEY_TAKEN`, `INVALID_INPUT` if declarations contradict each
 *   other; `CHANGED_MEANWHILE` if somebody else has changed a role binding of a declared member
 */
export async function compareAccess(inputs: Inputs, state: Inputs, run: Run): Promise<Comparison> {
  const groupUid = String(inputs["parentUid"]);
  const roleUids = await resolveRoles(groupUid, rolesIn(inputs), { state: roleUidsIn(state), checked: roleUidsIn(inputs) }, run);
  rejectSynonyms(
    entriesOf(inputs["access"]).map(([role]) => role),
    roleUids,
  );
  const scope = new ManagedScope(inputs, roleUids);
  const path = run.ledger.declarations.pathOf(accessKey(inputs));
  run.ledger.access.require({ kind: groupAccess, inputs, path }, roleUids);
  const rows = await rowsIn(groupUid, run);
  shareChildren(roleBinding, groupUid, rows, run);
  const shown = rows.map(shownBy);
  const had = boundIn(state);
  const reach = withinReach(inputs, had, shown);
  const byPair = new Map(reach.map((each) => [pairOf(each), each]));
  const wanted = wantedIn(inputs, roleUids);
  requireSameHolders(groupUid, { before: had, wanted, shown }, run);
  const mayBeAdopted = mayAdopt(inputs, run);
  for (const member of wanted) declareMember(groupUid, member, run, mayBeAdopted);
  const declared = new Set(wanted.map(pairOf));
  const before = new Map(had.map((member) => [pairOf(member), member]));
  const kept = wanted.flatMap((member) => {
    const [existing, known] = [byPair.get(pairOf(member)), before.get(pairOf(member))];
    if (existing === undefined) return [];
    const { binding, createTime } = existing;
    return [{ ...member, binding, createTime, login: known?.login ?? existing.login }];
  });
  const isKept = new Set(kept.map(pairOf));
  rejectExempt([...kept, ...wanted], scope);
  const isManaged = keepsOthers(inputs)
    ? (each: ShownBinding) => !before.has(pairOf(each))
    : (each: ShownBinding) => scope.covers(each);
  const undeclared = reach.filter((each) => isManaged(each) && !declared.has(pairOf(each)));
  rejectDeclared(groupUid, undeclared, run);
  return {
    roleUids,
    scope,
    shown,
    kept,
    missing: wanted.filter((member) => !isKept.has(pairOf(member))),
    undeclared: undeclared.filter(({ binding }) => !run.ledger.inState.has(roleBinding.collection, binding)),
  };
}

/**
 * Makes sure that nobody else has changed the identity or the role of a role binding of a declared member
 * (docs/decisions/0041-compare-before-write.md).
 *
 * @throws PlatformError `CHANGED_MEANWHILE`
 */
function requireSameHolders(
  groupUid: string,
  { before, wanted, shown }: { before: readonly Bound[]; wanted: readonly Wanted[]; shown: readonly ShownBinding[] },
  run: Run,
): void {
  const declared = new Set(wanted.map(({ identityUid }) => identityUid));
  const changed = before.flatMap((member) => {
    const now = shown.find(({ binding }) => binding === member.binding);
    const isChanged = now !== undefined && pairOf(now) !== pairOf(member);
    return isChanged && !run.ledger.inState.has(roleBinding.collection, now.binding) ? [{ member, now }] : [];
  });
  // The diff claimed it as a declared one, which it no longer is.
  for (const { now } of changed) run.ledger.release(roleBinding, now.binding);
  const ofDeclared = changed.filter(({ member }) => declared.has(member.identityUid));
  if (ofDeclared.length === 0) return;
  const error = changedMeanwhile(ofDeclared);
  if (!run.overwrites) throw error;
  run.notify(`warning: GroupAccess of ${groupText(groupUid)}: ${error.message}`);
}

/** @throws PlatformError `INVALID_INPUT` if a declared member is also exempt: it would keep its access when `access` drops it */
function rejectExempt(members: readonly (Wanted | Bound)[], scope: ManagedScope): void {
  const exempt = members.find((member) => scope.isExempt({ binding: "", ...member }));
  if (exempt === undefined) return;
  const { role, label } = exempt;
  const binding = "binding" in exempt ? ` (role binding ${exempt.binding})` : "";
  throw new PlatformError(
    "INVALID_INPUT",
    `${literal(label)} as ${role}${binding} is both in \`access\` and in \`exempt\`. Remove it from one of the two. Nothing was sent.`,
  );
}

/**
 * A `RoleBinding` that this update changes to give something else contradicts nothing.
 *
 * @throws PlatformError `KEY_TAKEN` if one of the bindings to remove belongs to a `RoleBinding` of this program, of any provider
 */
function rejectDeclared(groupUid: string, undeclared: readonly ShownBinding[], run: Run): void {
  const both = undeclared.filter((shown) =>
    isOwnedFor(roleBinding, shown.binding, naturalKeyOf(roleBinding, bindingInputs(groupUid, shown)), run),
  );
  if (both.length > 0) throw declaredTwice(bindingNames(both));
}

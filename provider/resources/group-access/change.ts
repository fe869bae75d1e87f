import { codeOf, messageOf, PlatformError, withContext } from "../../client/errors";
import { list, literal } from "../../client/printable";
import { accessKey, entriesOf, type Member, membersIn } from "../../kinds/group-access";
import { type Inputs, keyOf } from "../../kinds/kind";
import { roleBinding } from "../../kinds/role-binding";
import type { Created } from "../creating/create";
import { CreatedButFailed } from "../creating/created-but-failed";
import { shareChildren, verifyParent } from "../creating/natural-key";
import { rejectLeaving } from "../claims/following";
import type { Run } from "../run";
import { markManaged } from "../claims/sole-owner";
import { addMembers, type Failure } from "./gains";
import { declaredTwice, type Losses, removeMembers } from "./losses";
import {
  bindingInputs,
  type Bound,
  boundIn,
  claim,
  declare,
  namesOf,
  pairOf,
  rolesIn,
  type RoleUids,
  roleUidsIn,
  Scope,
  type Shown,
  shownIn,
  stateWith,
  type Wanted,
} from "./members";
import { confirmSight } from "./read";
import { rejectSynonyms, resolveRoles } from "./roles";

/** What is declared, and what exists. */
interface Comparison {
  readonly groupUid: string;
  readonly roleUids: RoleUids;
  readonly scope: Scope;
  /** All role bindings of the group. */
  readonly shown: readonly Shown[];
  /** Declared members that exist. */
  readonly kept: readonly Bound[];
  /** Declared members that do not exist. */
  readonly missing: readonly Wanted[];
  /** Role bindings that should not be there. */
  readonly undeclared: readonly Shown[];
}

/**
 * Gives the declared identities their roles. Role bindings that exist already are taken over. Nothing is removed: no preview has shown
 * it.
 *
 * @throws PlatformError `KEY_TAKEN` if somebody else has access and `adopt` is not set; nothing was sent
 * @throws CreatedButFailed if only some members could be added
 */
export async function create(inputs: Inputs, run: Run): Promise<Created> {
  const groupUid = String(inputs["parentUid"]);
  const what = `create access of group ${groupUid}`;
  const key = accessKey(inputs);
  const compared = await explained(what, async () => {
    await verifyParent(run, roleBinding, inputs);
    const comparison = await compare(run, inputs, new Map());
    if (comparison.shown.length === 0) await confirmSight(run, groupUid);
    return comparison;
  });
  const { kept, missing, undeclared, roleUids } = compared;
  if (undeclared.length > 0 && (key === undefined || !run.adopts(key))) throw othersHaveAccess(what, undeclared);
  takeOver(run, groupUid, kept);
  const { added, failures } = await addMembers(run, groupUid, missing);
  const members = [...kept, ...added];
  const state = stateWith(inputs, members, roleUids);
  if (failures.length > 0) {
    // What was taken over must be in the state: a RoleBinding that had it before may be dropped from there.
    if (members.length === 0) throw plainError(what, failures);
    throw new CreatedButFailed(groupUid, state, messageFor(what, failures));
  }
  announce(run, groupUid, undeclared);
  return { id: groupUid, outs: state };
}

/**
 * Adds and removes members: first all gains, then exactly those losses that the state shows, and therefore the preview. Others who have
 * access are announced; the next refresh shows them.
 *
 * @returns the outputs for state
 * @throws CreatedButFailed with what was done, if not all of it was
 */
export async function update(groupUid: string, olds: Inputs, news: Inputs, run: Run): Promise<Inputs> {
  const what = `update access of group ${groupUid}`;
  const before = boundIn(olds);
  const { shown, kept, missing, undeclared, roleUids, scope } = await explained(what, () => compare(run, news, roleUidsIn(olds)));
  const declared = new Set([...kept, ...missing].map(pairOf));
  const [released, leaving] = partition(
    before.filter((member) => !declared.has(pairOf(member))),
    (member) => scope.isExempt(member),
  );
  announceReleased(run, groupUid, released);
  takeOver(run, groupUid, kept);
  const { added, failures } = await addMembers(run, groupUid, missing);
  const members = [...kept, ...added];
  const known = new Set(before.map(pairOf));
  const isChanged = members.some((member) => !known.has(pairOf(member)));
  const stateNow = (rest: readonly Bound[]) =>
    stateWith(news, [...members, ...relabelled(rest, members)], new Map([...roleUidsIn(olds), ...roleUids]));
  if (failures.length > 0) {
    if (!isChanged) throw plainError(what, failures);
    throw new CreatedButFailed(groupUid, stateNow(leaving), messageFor(what, failures, "Nothing was removed."));
  }
  const losses = await removeMembers(run, groupUid, leaving, {
    shown,
    evenIfChanged: false,
    isExclusive: (member) => scope.covers(member),
    inputs: news,
  }).catch((error: unknown): Pick<Losses, "removed" | "failures"> => {
    // Nothing was removed yet, but what was added must be in the state.
    return { removed: [], failures: leaving.map((member) => ({ member, error })) };
  });
  const rest = leaving.filter((member) => !losses.removed.includes(member));
  if (losses.failures.length > 0) {
    if (!isChanged && losses.removed.length === 0) throw plainError(what, losses.failures);
    throw new CreatedButFailed(groupUid, stateNow(rest), messageFor(what, losses.failures));
  }
  const gone = new Set(leaving.map(pairOf));
  announce(
    run,
    groupUid,
    undeclared.filter((other) => !gone.has(pairOf(other))),
  );
  return stateNow(rest);
}

/**
 * Removes all members in the state, except those that a `RoleBinding` of this program has. A declared member is never exempt.
 *
 * @throws PlatformError with the members that remain
 */
export async function remove(groupUid: string, state: Inputs, run: Run): Promise<void> {
  const leaving = boundIn(state);
  // Without a List, the bindings in state are deleted, and their deletion is proven one by one.
  const shown = await shownIn(run, groupUid).catch(() => undefined);
  const { awaited, failures } = await removeMembers(run, groupUid, leaving, {
    shown,
    evenIfChanged: true,
    isExclusive: () => false,
    inputs: state,
  });
  if (awaited.length > 0) throw notTakenOver(groupUid, awaited);
  if (failures.length > 0) throw plainError(`delete access of group ${groupUid}`, failures);
}

async function compare(run: Run, inputs: Inputs, known: RoleUids): Promise<Comparison> {
  const groupUid = String(inputs["parentUid"]);
  const roleUids = await resolveRoles(run, groupUid, rolesIn(inputs), known);
  rejectSynonyms(
    entriesOf(inputs["access"]).map(([role]) => role),
    roleUids,
  );
  const scope = new Scope(inputs, roleUids);
  run.authority.manage(inputs, scope.roles);
  const shown = await shownIn(run, groupUid, (rows) => {
    shareChildren(run, roleBinding, groupUid, rows);
  });
  const byPair = new Map(shown.map((each) => [pairOf(each), each.binding]));
  const wanted = membersIn(inputs["access"]).map((member) => ({ ...member, roleUid: roleUids.get(member.role) ?? member.role }));
  for (const member of wanted) declare(run, groupUid, member);
  markManaged({ groupUid, inputs, roles: scope.roles, exemptRoles: scope.exemptRoles, members: wanted }, run);
  const declared = new Set(wanted.map(pairOf));
  const kept = wanted.flatMap((member) => {
    const binding = byPair.get(pairOf(member));
    return binding === undefined ? [] : [{ ...member, binding }];
  });
  rejectExempt([...kept, ...wanted], scope);
  rejectDeclared(
    run,
    shown.filter((each) => scope.covers(each) && !declared.has(pairOf(each))),
  );
  return {
    groupUid,
    roleUids,
    scope,
    shown,
    kept,
    missing: wanted.filter((member) => !byPair.has(pairOf(member))),
    undeclared: shown.filter(
      (each) => scope.covers(each) && !declared.has(pairOf(each)) && !run.inState.has(roleBinding.collection, each.binding),
    ),
  };
}

/** @throws PlatformError `INVALID_INPUT` if a declared member is exempt, too: once dropped, it would keep its access */
function rejectExempt(members: readonly (Wanted | Bound)[], scope: Scope): void {
  const exempt = members.find((member) => scope.isExempt({ binding: "", ...member }));
  if (exempt === undefined) return;
  const { role, label } = exempt;
  const binding = "binding" in exempt ? ` (role binding ${exempt.binding})` : "";
  throw new PlatformError(
    "INVALID_INPUT",
    `${literal(label)} as ${role}${binding} is both in \`access\` and in \`exempt\`. Remove it from one of the two. Nothing was sent.`,
  );
}

/** @throws PlatformError `KEY_TAKEN` if a `RoleBinding` of this program, of any provider, has one of the bindings to remove */
function rejectDeclared(run: Run, undeclared: readonly Shown[]): void {
  const both = undeclared.filter(({ binding }) => run.holds(roleBinding, binding));
  if (both.length > 0) throw declaredTwice(namesOf(both));
}

/**
 * Claims role bindings that this resource did not create, also for other processes of the run.
 *
 * @throws PlatformError `FAILED_PRECONDITION` if another resource has begun to delete one: it would be counted as access, and be gone
 */
function takeOver(run: Run, groupUid: string, kept: readonly Bound[]): void {
  for (const member of kept) {
    const key = keyOf(roleBinding, bindingInputs(groupUid, member));
    if (key !== undefined) run.startCreate(key);
  }
  claim(run, groupUid, kept);
  rejectLeaving(`access of group ${groupUid}`, kept, ({ role, label }) => `${literal(label)} as ${role}`, run);
}

/** Members to remove, under labels that no declared member has. */
function relabelled(rest: readonly Bound[], members: readonly Bound[]): Bound[] {
  const used = new Set(members.map(({ role, label }) => JSON.stringify([role, label])));
  return rest.map((member) =>
    used.has(JSON.stringify([member.role, member.label]))
      ? { ...member, label: `${member.label} (${member.identityUid})` }
      : member,
  );
}

function announce(run: Run, groupUid: string, undeclared: readonly Shown[]): void {
  if (undeclared.length === 0) return;
  run.notify(
    `warning: GroupAccess of ${groupUid}: others have access that it does not list: ${namesOf(undeclared)}. They keep it: no preview has ` +
      "shown their removal. `pulumi up --refresh --run-program` shows it, then removes them.",
  );
}

function announceReleased(run: Run, groupUid: string, released: readonly Bound[]): void {
  if (released.length === 0) return;
  const named = list(released.map(({ role, label, binding }) => `${literal(label)} as ${role} (role binding ${binding})`));
  run.notify(`warning: GroupAccess of ${groupUid}: they keep their access, because \`exempt\` now names them: ${named}.`);
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function othersHaveAccess(what: string, undeclared: readonly Shown[]): PlatformError {
  return new PlatformError(
    "KEY_TAKEN",
    `${what}: others have access that it does not list: ${namesOf(undeclared)}. Nothing was sent. Options: list them in \`access\`; ` +
      "name them in `exempt`; manage some roles only, with `roles`; or set `adopt: true` (or PLATFORM_ADOPT=true for one run), then they " +
      "keep their access until a refresh and its preview show their removal.",
  );
}

function notTakenOver(groupUid: string, awaited: readonly Bound[]): PlatformError {
  const named = list(awaited.map(({ role, label }) => `${literal(label)} as ${role}`));
  const why = `other resources of this program declare role bindings of it, and did not take them over: ${named}. They were not removed.`;
  return new PlatformError("KEY_TAKEN", `delete access of group ${groupUid}: ${why} Set \`adopt: true\` on those resources.`);
}

async function explained<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw withContext(what, error);
  }
}

function plainError(what: string, failures: readonly Failure<Member>[]): PlatformError {
  const [first] = failures;
  return new PlatformError(codeOf(first?.error), messageFor(what, failures), { cause: first?.error });
}

/** Most failures that one message explains. */
const mostExplained = 5;

function messageFor(what: string, failures: readonly Failure<Member>[], then = ""): string {
  const causes = failures
    .slice(0, mostExplained)
    .map(({ member: { role, label }, error }) => `${literal(label)} as ${role}: ${messageOf(error)}`);
  const more = failures.length > mostExplained ? [`and ${failures.length - mostExplained} more.`] : [];
  return [`${what}:`, ...causes, ...more, ...(then === "" ? [] : [then]), "Run again: the next run continues."].join(" ");
}

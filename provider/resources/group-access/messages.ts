import { groupText } from "../../client/known-paths";
import { causeOf, codeOf, messageOf, PlatformError, withContext, worstFirst } from "../../client/errors";
import { list, options, literal, shortList } from "../../client/printable";
import { changedUnseen } from "../object/changed-meanwhile";
import { parentOf } from "../../client/uid";
import { keepsOthers, type Member } from "../../kinds/group-access";
import { bindingName, type ShownBinding } from "../../kinds/shown-binding";
import type { Inputs } from "../../schema/kind";
import type { Operation } from "../../schema/operation";
import { CreatedButFailed } from "../creating/created-but-failed";
import type { Run } from "../run/run";
import type { MemberFailure } from "./add-members";
import type { Bound } from "./members";

/** Members by role and label as the program writes them, with their role bindings. */
export function memberNames(members: readonly Bound[]): string {
  return list(members.map(({ role, label, binding }) => `${literal(label)} as ${role} (role binding ${binding})`));
}

/** Role bindings, by the names of their identities and roles; at most ten. */
export function bindingNames(shown: readonly ShownBinding[]): string {
  return shortList(shown.map(bindingName), mostNamed);
}

const mostNamed = 10;

/** Tells the user who has access that the program does not declare, and keeps it. */
export function announceUndeclared(groupUid: string, undeclared: readonly ShownBinding[], run: Run): void {
  if (undeclared.length === 0) return;
  run.notify(
    `warning: GroupAccess of ${groupText(groupUid)}: others have access that it does not list: ${bindingNames(undeclared)}. They keep it: no preview has ` +
      "shown their removal. `pulumi up --refresh --run-program` shows it, then removes them.",
  );
}

/** Tells the user who loses access that somebody else has given since the last run: no preview has shown it. */
export function announceRemoved({ uid, news }: Pick<Operation, "uid" | "news">, unseen: readonly ShownBinding[], run: Run): void {
  if (unseen.length === 0) return;
  run.notify(
    `warning: GroupAccess of ${groupText(uid)}: somebody else has ${given(news)} since the last run: ${bindingNames(unseen)}. This update ` +
      `removes it. To let somebody keep access, ${waysToKeep(news)}.`,
  );
}

/** How somebody else gives access that a `GroupAccess` removes. Beside others, only by a role binding that belongs to it. */
function given(inputs: Inputs): string {
  return keepsOthers(inputs) ? "changed a role binding of this resource, and so given access," : "given access";
}

/** The ways to let a member keep its access. Beside others, nothing is exempt. */
function waysToKeep(inputs: Inputs): string {
  return `list the member in \`access\`${keepsOthers(inputs) ? "" : ", or name the identity in `exempt`"}`;
}

/** Tells the user whose access to a whole organisation an update removes: the engine's diff shows only uids. */
export function announceRootRemovals({ uid, news }: Pick<Operation, "uid" | "news">, leaving: readonly Bound[], run: Run): void {
  if (parentOf(uid) !== undefined || leaving.length === 0) return;
  run.notify(
    `warning: GroupAccess of the organisation ${groupText(uid)}: the update takes access to all of it from ${memberNames(leaving)}. ` +
      `To let somebody keep it, ${waysToKeep(news)}.`,
  );
}

/** Tells the user who keeps access because the program exempts it now. */
export function announceReleased(groupUid: string, released: readonly Bound[], run: Run): void {
  if (released.length === 0) return;
  run.notify(
    `warning: GroupAccess of ${groupText(groupUid)}: they keep their access, because \`exempt\` now names them: ${memberNames(released)}.`,
  );
}

/** The error of a create where others have access and `adopt` is not set. */
export function othersHaveAccess(what: string, undeclared: readonly ShownBinding[]): PlatformError {
  return new PlatformError(
    "KEY_TAKEN",
    `${what}: others have access that it does not list: ${bindingNames(undeclared)}. Nothing was sent.` +
      options([
        "List them in `access`.",
        "Name them in `exempt`.",
        "Manage some roles only, with `roles`.",
        "Set `adopt: true` (or PLATFORM_ADOPT=true for one run): then they keep their access until a refresh and its preview show their removal.",
      ]),
  );
}

/** The error of a delete if role bindings that this program declares were not taken over: by other resources, or by its own replacement. */
export function notTakenOver(groupUid: string, awaited: readonly Bound[]): PlatformError {
  const named = list(awaited.map(({ role, label }) => `${literal(label)} as ${role}`));
  const why = `this program declares role bindings of it that nothing took over: ${named}. They were not removed.`;
  return new PlatformError(
    "KEY_TAKEN",
    `delete access of group ${groupText(groupUid)}: ${why}\nIf other resources declare them, set \`adopt: true\` on those. ` +
      "If this resource is being replaced, remove `deleteBeforeReplace`: a replacement that is created first keeps them.",
  );
}

/** The error about role bindings of declared members that somebody else has changed. */
export function changedMeanwhile(changed: readonly { member: Bound; now: ShownBinding }[]): PlatformError {
  const named = changed.map(({ member, now }) => `${memberNames([member])} is now for ${bindingName(now)}`);
  return new PlatformError("CHANGED_MEANWHILE", changedUnseen(shortList(named, mostNamed)));
}

/** Tells the user who has access that the state does not know: the `up` of this refresh may remove it without asking. */
export function announceFound(groupUid: string, found: readonly ShownBinding[], state: Inputs, run: Run): void {
  if (found.length === 0) return;
  const wayOut = keepsOthers(state)
    ? "List whoever should keep access in `access` first."
    : "Name whoever should keep access in `exempt` first.";
  run.notify(
    `warning: GroupAccess of ${groupText(groupUid)}: somebody else has ${given(state)} since the last run: ${bindingNames(found)}. An \`up\` with this ` +
      `refresh removes what the program does not list, and all of it if this resource has left the program. ${wayOut}`,
  );
}

/** The error about bindings that a `GroupAccess` would remove and a `RoleBinding` declares. */
export function declaredTwice(bindings: string): PlatformError {
  const ways = "List it in `access`, name the identity in `exempt`, or remove the RoleBinding.";
  return new PlatformError(
    "KEY_TAKEN",
    `a RoleBinding of this program declares what a GroupAccess of it would remove: ${bindings}. Nothing was removed. ${ways}`,
  );
}

/** The error if no member was changed. Its code is that of the worst failure. */
export function plainError(what: string, failures: readonly MemberFailure<Member>[]): PlatformError {
  const cause = worstOf(failures);
  return new PlatformError(codeOf(cause), messageFor(what, failures), { cause });
}

/** The error if some members were changed, with their state. Its code is the worst failure's. */
export function partlyFailed(
  [groupUid, state]: readonly [string, Inputs],
  what: string,
  failures: readonly MemberFailure<Member>[],
  then = "",
): CreatedButFailed {
  return new CreatedButFailed(groupUid, state, messageFor(what, failures, then), worstOf(failures));
}

function worstOf(failures: readonly MemberFailure<Member>[]): unknown {
  return worstFirst(failures, ({ error }) => error)[0]?.error;
}

/** Most failures that one message explains. */
const mostExplained = 5;

/** The failures of an operation `what` on several members, for its error. @param then the consequence, as a sentence */
function messageFor(what: string, failures: readonly MemberFailure<Member>[], then = ""): string {
  const explained = worstFirst(failures, ({ error }) => error).slice(0, mostExplained);
  const causes = explained.map(({ member: { role, label }, error }) => `${literal(label)} as ${role}: ${causeOf(error)}`);
  const advice = new Set(explained.flatMap(({ error }) => messageOf(error).split("\n").slice(1)));
  const more = failures.length > mostExplained ? [`and ${failures.length - mostExplained} more.`] : [];
  const next = [...(then === "" ? [] : [then]), "Run again: the next run continues."];
  return [`${what}: ${causes.join("\n")}`, ...more, ...advice, next.join(" ")].join("\n");
}

/** The result of `work`; an error names the place as `what`, by its name at that time. */
export async function inContext<Result>(what: () => string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw withContext(what(), error);
  }
}

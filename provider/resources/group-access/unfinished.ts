import { groupText } from "../../client/known-paths";
import { list, literal } from "../../client/printable";
import { accessKey, type Member, membersIn } from "../../kinds/group-access";
import { unknownValue } from "../../schema/inputs";
import type { Inputs } from "../../schema/kind";
import type { Run } from "../run/run";
import { boundIn, knownRoles, slotOf, writtenPairOf } from "./members";
import { ManagedScope } from "./scope";

/**
 * Tells the user what an earlier run has left undone. The engine compares the program with the inputs in state. After a failed
 * update those already are the new ones, so its preview shows nothing.
 *
 * @param state the outputs in state: what exists
 */
// See docs/contributing/engine.md#errors-with-an-id.
export function announceUnfinished(groupUid: string, state: Inputs, news: Inputs, run: Run): void {
  const before = run.ledger.accessInState.get(accessKey(news) ?? "");
  if (before === undefined || news["access"] === unknownValue) return;
  const pairsIn = ({ access }: Inputs) => new Set(membersIn(access).map(writtenPairOf));
  const [declared, shown, existing] = [pairsIn(news), pairsIn(before), pairsIn(state)];
  const scope = new ManagedScope(news, knownRoles(news, state));
  const awaited = new Set(
    membersIn(news["access"]).flatMap((member) => (member.identityUid === unknownValue ? [slotOf(member)] : [])),
  );
  const removed = boundIn(state).filter(
    (member) =>
      !declared.has(writtenPairOf(member)) &&
      !shown.has(writtenPairOf(member)) &&
      !awaited.has(slotOf(member)) &&
      !scope.isExempt(member),
  );
  const added = membersIn(news["access"]).filter(
    (member) => member.identityUid !== unknownValue && !existing.has(writtenPairOf(member)) && shown.has(writtenPairOf(member)),
  );
  const rest = [
    ...(removed.length > 0
      ? [`remove ${list(removed.map(({ binding, ...member }) => `${memberName(member)} (role binding ${binding})`))}`]
      : []),
    ...(added.length > 0 ? [`add ${list(added.map(memberName))}`] : []),
  ];
  if (rest.length === 0) return;
  run.notify(
    `warning: GroupAccess of ${groupText(groupUid)}: an earlier run did not finish. The next \`up\` will ${list(rest)}.`,
  );
}

function memberName({ role, label, identityUid }: Member): string {
  return `${literal(label)} as ${role} (identity ${identityUid})`;
}

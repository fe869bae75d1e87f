import path from "node:path";
import { PlatformError } from "../../provider/client/errors";
import { literal } from "../../provider/client/printable";
import { version } from "../../provider/client/version";
import { differenceBetween, type Difference, type FactChange, isDifferent, type ObjectChange } from "../../rehearse/difference";
import { callText, nounOf, valueText } from "../../rehearse/words";
import type { LedgerDocument } from "../documents/ledger";
import type { RehearseDocument } from "../documents/rehearse";
import { UsageError } from "../shell/exit-codes";
import { oneLine } from "../text/one-line";
import { readLedger } from "./ledger-file";

/** The rehearsal of a file. */
interface Earlier {
  readonly file: string;
  readonly ledger: LedgerDocument;
}

/** A rehearsal, compared with that of a file. */
export interface Compared extends Earlier {
  readonly now: LedgerDocument;
  readonly difference: Difference;
}

/** Requires that the options of files fit together. @throws UsageError */
export function verifyFiles({ like, save, saveAnyway }: { like?: string; save?: string; saveAnyway?: boolean }): void {
  if (saveAnyway === true && save === undefined) throw new UsageError("--save-anyway needs --save FILE.");
  // The next comparison would be with what nobody has reviewed.
  if (like !== undefined && save !== undefined && path.resolve(like) === path.resolve(save))
    throw new UsageError("--like and --save name the same file. Save to another one.");
}

/** Reads the file to compare with. @throws PlatformError `INVALID_INPUT` if this release cannot compare with it, or if it has expired */
export async function readEarlier(file: string): Promise<Earlier> {
  const ledger = await readLedger(file);
  const fail = (problem: string) =>
    new PlatformError(
      "INVALID_INPUT",
      `Compare with ${literal(file)}: ${problem} Rehearse without --like, and have the result reviewed instead.`,
    );
  if (ledger.release !== version) throw fail(`It was made by release ${literal(ledger.release)}, and this is ${version}.`);
  // Not `>=`: a date that is none is never valid.
  if (!(Date.now() < Date.parse(ledger.expires))) throw fail(`It expired at ${ledger.expires}.`);
  return { file, ledger };
}

/** Compares a rehearsal with an earlier one. */
export function comparedWith(earlier: Earlier, now: LedgerDocument): Compared {
  return { ...earlier, now, difference: differenceBetween(earlier.ledger, now) };
}

/** True if the rehearsal differs from the file's. */
export function isOther({ difference }: Compared): boolean {
  return isDifferent(difference);
}

/** The title of the differences. */
export function titleOf(compared: Compared): string {
  return `Differs from ${sourceText(compared)}:`;
}

/** A sentence for a rehearsal without a difference. */
export function sameText(compared: Compared): string {
  return `The calls that may give access and the objects that they name are as in ${sourceText(compared)}.`;
}

/** The differences, each in words. */
export function linesOf({ difference: { callsThen, callsNow, objects, facts }, ledger, now }: Compared): string[] {
  return [
    ...callsNow.map((call) => `only now: ${callText(call, now.objects)}`),
    ...callsThen.map((call) => `only then: ${callText(call, ledger.objects)}`),
    ...objects.map(objectText),
    ...facts.map(factText),
  ];
}

/** The comparison as a part of the document for programs. */
export function documentOf({ file, ledger, difference }: Compared): NonNullable<RehearseDocument["rehearsal"]["like"]> {
  return {
    ...{ file, made: ledger.made, differs: isDifferent(difference) },
    ...(ledger.commit !== undefined && { commit: ledger.commit }),
    callsThen: [...difference.callsThen],
    callsNow: [...difference.callsNow],
    objects: difference.objects.map(({ kind, path: at, then, now }) => ({ kind, path: at, then: [...then], now: [...now] })),
    facts: [...difference.facts],
  };
}

function sourceText({ file, ledger: { made, commit } }: Compared): string {
  return oneLine(`the rehearsal in ${file} (${made}${commit === undefined ? "" : `, commit ${commit}`})`);
}

function objectText({ kind, path: at, then, now }: ObjectChange): string {
  const sides = [then, now] as const;
  const fields = [...new Set([...then, ...now].flatMap(({ decides }) => Object.keys(decides)))];
  const changes = fields.flatMap((field) => {
    const [was, is] = sides.map((side) => side.map(({ decides }) => decides[field])) as [unknown[], unknown[]];
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [fieldText(field, was, is)];
  });
  const [uidsThen, uidsNow] = sides.map((side) => side.map(({ uid = "" }) => uid).join());
  const own = uidsThen === uidsNow ? [] : [ownText(then, now)];
  return `changed since: ${nounOf(kind)} ${at}: ${[...own, ...changes].join("; ") || "it changes in another way"}`;
}

/** How a field differs. Of lists, such as the capabilities of a role, only the members that differ are shown. */
function fieldText(field: string, was: readonly unknown[], is: readonly unknown[]): string {
  const texts = (values: readonly unknown[]) => [...new Set(values.flat().map((value) => valueText(value, [])))];
  const [then, now] = [texts(was), texts(is)];
  if (![...was, ...is].every((value) => Array.isArray(value)))
    return `${field} was ${then.join(", then ") || "not known"} and is ${now.join(", then ") || "not known"}`;
  const [added, removed] = [now.filter((each) => !then.includes(each)), then.filter((each) => !now.includes(each))];
  const parts = [
    ...(added.length > 0 ? [`now also ${added.join(", ")}`] : []),
    ...(removed.length > 0 ? [`no longer ${removed.join(", ")}`] : []),
  ];
  return `${field} ${parts.join(", ") || "in another order"}`;
}

/** How an object at a path is another one than before. */
function ownText(then: ObjectChange["then"], now: ObjectChange["now"]): string {
  if (then.length === 0 || now.length === 0) return "only one of the two rehearsals names it";
  const isOld = (side: ObjectChange["then"]) => side.some(({ uid }) => uid !== undefined);
  if (isOld(then) === isOld(now)) return "it is another object";
  return isOld(now) ? "it exists already" : "it does not exist any more";
}

function factText({ what, then, now }: FactChange): string {
  if (what === "error" || what === "undecided")
    return `${then === undefined ? "only now" : "only then"}, ${what}: ${now ?? then ?? ""}`;
  return `${what} was ${then ?? "not known"} and is ${now ?? "not known"}`;
}

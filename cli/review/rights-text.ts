import { holderInWords } from "../../access/prose/person";
import type { Unreadable } from "../../access/snapshot";
import { shortList } from "../../provider/client/printable";
import type { Review } from "./review";

/** Most calls with one reason that a line names. */
const mostNamed = 5;

/** Whether the caller may make the calls of the update, in lines; none where the platform was not asked, or nothing is called. */
export interface RightsText {
  /** Whose rights these are. */
  readonly title: string;
  readonly refused: readonly string[];
  /** What is not checked; if nothing is wrong, a line that says so. */
  readonly others: readonly string[];
}

/** The rights of the caller in words. */
export function rightsText({ rights }: Review): RightsText {
  if (rights === undefined) return { title: "", refused: [], others: [] };
  const { caller, by, calls } = rights;
  const refused = byReason(rights.refused).map((line) => `refused: ${line}`);
  const unchecked = byReason(rights.unchecked).map((line) => `not checked: ${line}`);
  const none = calls === 0 || refused.length > 0 ? [] : [`no call is refused (${calls} in the preview)`];
  const whose = caller === undefined ? "the caller" : `${holderInWords(caller)} (${by})`;
  return { title: `Rights of ${whose} for the update`, refused, others: unchecked.length > 0 ? unchecked : none };
}

/** A line for each reason. */
export function byReason(findings: readonly Unreadable[]): string[] {
  const groups = Map.groupBy(findings, ({ reason }) => reason);
  return [...groups].map(([reason, all]) => {
    const calls = new Set(all.map(({ what }) => what));
    return `${shortList([...calls], mostNamed)}: ${reason}`;
  });
}

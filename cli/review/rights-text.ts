import { holderInWords } from "../../access/prose/person";
import type { Unreadable } from "../../access/snapshot";
import { shortList } from "../../provider/client/printable";
import type { Review } from "./review";

/** Most calls with one reason that a line names. */
const mostNamed = 5;

/** The rights of the caller for the calls of the update, in lines. Empty if the platform was not asked, or if the update makes no call. */
export interface RightsText {
  /** A title that names the caller. */
  readonly title: string;
  readonly refused: readonly string[];
  /** The unchecked calls, or else a line saying that none is refused. */
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

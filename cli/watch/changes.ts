import { isDeepStrictEqual } from "node:util";
import type { Finding } from "../documents/drift";
import type { WatchDocument } from "../documents/watch";
import type { Round } from "./round";

/** What happened to a finding between two rounds. */
export interface Change {
  readonly event: WatchDocument["event"];
  readonly finding: Finding;
}

/** The findings that are known to exist. */
export class Memory {
  #known = new Map<string, Finding>();

  /** The findings, also those that the last rounds could not confirm. */
  get findings(): Finding[] {
    return [...this.#known.values()];
  }

  /** What is new in `round`. Nothing counts as resolved by a round that could not read everything. */
  take(round: Round): Change[] {
    if (round.result === "failed") return [];
    const found = new Map(round.findings.map((finding) => [keyOf(finding), finding]));
    const changes = [...found].flatMap(([key, finding]): Change[] => {
      const before = this.#known.get(key);
      if (before === undefined) return [{ event: "appeared", finding }];
      return isDeepStrictEqual(lasting(before), lasting(finding)) ? [] : [{ event: "changed", finding }];
    });
    const gone = [...this.#known].filter(([key]) => !found.has(key));
    // Whether it was read is a fact of this round; everything else needs a whole one.
    const resolved = gone.filter(([, finding]) => round.result !== "unreadable" || finding.class === "unreadable");
    const kept = gone.filter((entry) => !resolved.includes(entry));
    this.#known = new Map([...kept, ...found]);
    return [...changes, ...resolved.map(([, finding]): Change => ({ event: "resolved", finding }))];
  }
}

function keyOf({ class: what, kind, uid, urn = "" }: Finding): string {
  return [what, kind, uid, urn].join("\n");
}

/** What stays the same while nothing changes: the reason why something is unreadable names the request, and so differs in each round. */
function lasting(finding: Finding): Finding {
  return finding.class === "unreadable" ? { ...finding, message: "" } : finding;
}

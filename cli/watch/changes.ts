import { isDeepStrictEqual } from "node:util";
import { kindNames } from "../../inventory/kinds";
import { quoted } from "../../provider/client/printable";
import type { Finding } from "../../drift/finding";
import { findingKey } from "../../drift/baseline";
import type { WatchDocument } from "../documents/watch";
import type { Round } from "./round";

/** The kind of a finding about a check itself. */
const checkKind = "watch:Check";

/** The event of a finding between two rounds. */
export interface Change {
  readonly event: WatchDocument["event"];
  readonly finding: Finding;
}

/** The findings that are known to exist. */
export class Memory {
  #known = new Map<string, Finding>();

  /** The findings, including those that the last rounds could not confirm. */
  get findings(): Finding[] {
    return [...this.#known.values()];
  }

  /** The news of `round`. An incomplete round resolves only findings about parts that were unreadable before. */
  take(round: Round): Change[] {
    if (round.result === "failed") return this.#miss(round.reason);
    const found = worstByKey(this.#ranked(round.findings));
    const changes = [...found].flatMap(([key, finding]): Change[] => {
      const before = this.#known.get(key);
      if (before === undefined) return [{ event: "appeared", finding }];
      return isDeepStrictEqual(lasting(before), lasting(finding)) ? [] : [{ event: "changed", finding }];
    });
    const gone = [...this.#known].filter(([key]) => !found.has(key));
    const unreadable = new Set(round.findings.filter((finding) => finding.class === "unreadable").map(({ kind }) => kind));
    // A finding about an unreadable part is resolved when the part is readable again, unless its whole kind is unreadable. Any other
    // finding is resolved only by a complete round.
    const isRead = (finding: Finding) =>
      finding.class === "unreadable" && !(finding.urn !== undefined && unreadable.has(finding.kind));
    const resolved = gone.filter(([, finding]) => round.result !== "unreadable" || isRead(finding));
    const kept = gone.filter((entry) => !resolved.includes(entry));
    this.#known = new Map([...kept, ...found]);
    return [...changes, ...resolved.map(([, finding]): Change => ({ event: "resolved", finding }))];
  }

  /** A check without a result is a finding until a check has a result again. Silence must not pass for "no drift". */
  #miss(reason: string): Change[] {
    const place = { kind: checkKind, uid: "drift", path: "drift" };
    const message = `Cannot tell: the check failed, and nothing was compared: ${quoted(reason)}`;
    const finding: Finding = { class: "unreadable", severity: "high", ...place, message };
    const key = findingKey(finding);
    if (this.#known.has(key)) return [];
    this.#known.set(key, finding);
    return [{ event: "appeared", finding }];
  }

  /** `findings`. If roles could not be listed, they have their previous severity, because an unreadable role is ranked as control. */
  #ranked(findings: readonly Finding[]): readonly Finding[] {
    const isRankKnown = !findings.some(
      (each) => each.class === "unreadable" && each.kind === kindNames.role && each.urn === undefined,
    );
    if (isRankKnown) return findings;
    return findings.map((finding) => {
      const before = this.#known.get(findingKey(finding));
      const isSame = finding.class !== "unreadable" && isDeepStrictEqual(before?.fields, finding.fields);
      return (isSame ? before : undefined) ?? finding;
    });
  }
}

/** One object may have changed in two ways. @param findings the worst first */
function worstByKey(findings: readonly Finding[]): Map<string, Finding> {
  return new Map([...Map.groupBy(findings, findingKey)].flatMap(([key, [worst]]) => (worst === undefined ? [] : [[key, worst]])));
}

/** The finding without the id of a request, which differs in each round. */
function lasting(finding: Finding): Finding {
  return { ...finding, message: finding.message.replaceAll(/ \(request [^()]*\)/g, "") };
}

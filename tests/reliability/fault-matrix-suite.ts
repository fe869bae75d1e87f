import type { Kind } from "../../provider/schema/kind";
import type { Timing } from "../../provider/client/retry";
import { withConcurrency } from "../support/concurrency";
import { testedDoor } from "../support/door";
import { longTimeouts, shortTimeouts } from "../support/timeouts";
import { type Combination, combinations, play, sample, titleOf, type Verdict } from "./fault-matrix";
import { faults } from "./faults";
import { documentedCombinations } from "./documented-counts";
import { writeFigures } from "./figures";
import { Random } from "./random";
import { isLong } from "../support/tier";

const seed = 8;

/**
 * All of them; through the plugin, whose code differs in the translation of messages only, every third, because neighbours differ in the
 * duration, and the first of each fault.
 */
function played(all: Combination[]): Combination[] {
  if (testedDoor() === "dynamic") return all;
  return all.filter(({ fault }, at) => at % 3 === 0 || all.findIndex((other) => other.fault === fault) === at);
}

/**
 * Declares the tests of the fault matrix of one kind. Each kind has a test file of its own, so that they run in parallel. That file
 * replaces sdk/platform-client by tests/support/program-client.
 */
export function testFaultMatrix(kind: Kind): void {
  jest.setTimeout(7_200_000);

  const verdicts = new Map<Combination, Verdict>();
  let chosen: Combination[];
  let all: Combination[];

  beforeAll(async () => {
    all = await combinations(kind);
    chosen = isLong ? played(all) : sample(all, new Random(seed));
    await playAll(chosen, shortTimeouts);
    // On a busy machine a deadline may have passed although nothing went wrong.
    const doubtful = chosen.filter((combination) => verdicts.get(combination)?.shortfalls.length);
    await playAll(doubtful, longTimeouts);
  });

  /** Plays `combinations`. A violation stays on record, whatever a second play shows. */
  async function playAll(combinations: Combination[], timing: Timing): Promise<void> {
    await withConcurrency(combinations, async (combination) => {
      const earlier = verdicts.get(combination)?.violations ?? [];
      const verdict = await play(combination, timing);
      verdicts.set(combination, { ...verdict, violations: [...earlier, ...verdict.violations] });
    });
  }

  function problems(name: "violations" | "shortfalls"): Record<string, string[]> {
    const found = [...verdicts].filter(([, verdict]) => verdict[name].length > 0);
    return Object.fromEntries(found.map(([combination, verdict]) => [titleOf(combination), verdict[name]]));
  }

  test("no duplicate, no object unknown to state, no state entry without its object, no wrong deletion", () => {
    expect(problems("violations")).toEqual({});
  });

  test("a transient fault goes unnoticed; an error names object and cause; the same command succeeds after the fault", () => {
    expect(problems("shortfalls")).toEqual({});
  });

  if (isLong && testedDoor() === "dynamic")
    test("docs/contributing/reliability.md says how many combinations there are", () => {
      expect(documentedCombinations().get(kind.collection.noun)).toBe(all.length);
    });

  test("every fault is tried, and the counts are written down", async () => {
    const count = (key: (combination: Combination) => string) => {
      const counts: Record<string, number> = {};
      for (const combination of chosen) counts[key(combination)] = (counts[key(combination)] ?? 0) + 1;
      return counts;
    };
    const byFault = count(({ fault }) => fault.name);
    // An object that shares its parent's uid is looked up by Get, so its Lists may have no pages.
    const possible = faults.filter(({ name }) => !kind.sharesUid || name !== "page token that repeats");
    expect(Object.keys(byFault)).toEqual(expect.arrayContaining(possible.map((fault) => fault.name)));
    await writeFigures(`fault-matrix-${kind.collection.segment}`, {
      ...(!isLong && { seed }),
      combinations: chosen.length,
      ofAll: all.length,
      succeededAllTheSame: [...verdicts.values()].filter((verdict) => verdict.isHealed).length,
      violations: Object.keys(problems("violations")).length,
      byVerb: count(({ lifecycle }) => lifecycle.verb),
      byFault,
    });
  });
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Timing } from "../../provider/client/retry";
import { type Combination, combinations, play, sample, titleOf, type Verdict } from "./fault-matrix";
import { faults } from "./faults";
import { inLanes } from "./lanes";
import { longPatience, patience } from "./patience";
import { Random } from "./random";

const isLong = Boolean(process.env["LONG"]);
const seed = 8;
const summaryFile = path.resolve(__dirname, "../../.state/reliability/fault-matrix.json");

jest.setTimeout(7_200_000);

const originalHome = process.env["PULUMI_HOME"];
const home = mkdtempSync(path.join(tmpdir(), "fault-matrix-"));
const verdicts = new Map<Combination, Verdict>();
let chosen: Combination[];

beforeAll(async () => {
  process.env["PULUMI_HOME"] = home;
  const all = await combinations();
  chosen = isLong ? all : sample(all, new Random(seed));
  await playAll(chosen, patience);
  // A deadline may have passed because the machine was busy.
  const doubtful = chosen.filter((combination) => verdicts.get(combination)?.shortfalls.length);
  await playAll(doubtful, longPatience);
});

afterAll(() => {
  if (originalHome === undefined) delete process.env["PULUMI_HOME"];
  else process.env["PULUMI_HOME"] = originalHome;
  rmSync(home, { recursive: true, force: true });
});

/** Plays `combinations`; what must never be stays on record, whatever a second play shows. */
async function playAll(combinations: Combination[], timing: Timing): Promise<void> {
  await inLanes(combinations, async (combination) => {
    const earlier = verdicts.get(combination)?.violations ?? [];
    const verdict = await play(combination, timing);
    verdicts.set(combination, { ...verdict, violations: [...earlier, ...verdict.violations] });
  });
}

function problems(name: "violations" | "shortfalls"): Record<string, string[]> {
  const found = [...verdicts].filter(([, verdict]) => verdict[name].length > 0);
  return Object.fromEntries(found.map(([combination, verdict]) => [titleOf(combination), verdict[name]]));
}

test("no object twice, none that state does not know, no state entry without its object, no wrong deletion", () => {
  expect(problems("violations")).toEqual({});
});

test("what passes is not noticed; an error names object and cause; the same command succeeds when the fault is over", () => {
  expect(problems("shortfalls")).toEqual({});
});

test("every fault, verb and kind has its turn, and the counts are written down", () => {
  const count = (key: (combination: Combination) => string) => {
    const counts: Record<string, number> = {};
    for (const combination of chosen) counts[key(combination)] = (counts[key(combination)] ?? 0) + 1;
    return counts;
  };
  const byFault = count(({ fault }) => fault.name);
  expect(Object.keys(byFault).sort()).toEqual(faults.map((fault) => fault.name).sort());
  const summary = {
    isFull: isLong,
    ...(!isLong && { seed }),
    combinations: chosen.length,
    succeededAllTheSame: [...verdicts.values()].filter((verdict) => verdict.isHealed).length,
    violations: Object.keys(problems("violations")).length,
    byVerb: count(({ lifecycle }) => lifecycle.verb),
    byKind: count(({ kind }) => kind.collection.noun),
    byFault,
  };
  mkdirSync(path.dirname(summaryFile), { recursive: true });
  writeFileSync(summaryFile, `${JSON.stringify(summary, undefined, 2)}\n`);
});

import { isLong, longTest } from "../support/tier";
import { writeFigures } from "./figures";
import { type Report, runScenario, scenarioOf } from "./killed-run";

jest.setTimeout(900_000);

/**
 * The one of `npm test` is an `up` without checkpoints whose engine is killed. The others have both commands, both victims, both ways of keeping state,
 * a colleague, and creates that are applied late where names are not unique.
 */
const seeds = !isLong ? [14] : Array.from({ length: 50 }, (_, seed) => seed);

const reports: Report[] = [];

afterAll(async () => {
  const count = (is: (report: Report) => boolean) => reports.filter(is).length;
  const sum = (figure: (report: Report) => number) => reports.reduce((total, report) => total + figure(report), 0);
  await writeFigures("killed-runs", {
    seeds: reports.map(({ scenario }) => scenario.seed).sort((a, b) => a - b),
    up: count(({ scenario }) => scenario.command === "up"),
    destroy: count(({ scenario }) => scenario.command === "destroy"),
    engineKilled: count(({ scenario }) => scenario.victim === "engine"),
    hostKilled: count(({ scenario }) => scenario.victim === "host"),
    bothKilled: count(({ scenario }) => scenario.victim === "both"),
    withoutCheckpoints: count(({ scenario }) => !scenario.checkpoints),
    namesNotUnique: count(({ scenario }) => !scenario.uniqueNames),
    createAppliedLate: count(({ scenario }) => scenario.command === "up" && scenario.lateMs > 0),
    colleagueInBetween: count(({ colleague }) => colleague),
    endedBeforeTheKill: count(({ endedBefore }) => endedBefore),
    writesInFlight: sum(({ inFlight }) => inFlight),
    objectsUnknownToState: sum(({ unknownToState }) => unknownToState),
    neededAdopt: count(({ neededAdopt }) => neededAdopt),
    slowestEndOfHostMs: Math.round(Math.max(...reports.map(({ hostEndedMs }) => hostEndedMs))),
    objectsInTheEnd: sum(({ made }) => made.length),
  });
});

test.concurrent.each(seeds)(
  "after a SIGKILL in the middle, the recipe brings the organisation back to what is declared, without duplicates (seed %i)",
  async (seed) => {
    const report = await runScenario(scenarioOf(seed));
    reports.push(report);
    expect(report.made).toEqual(report.declared);
    // The next up adopts the objects of the killed run; only a colleague's object stops it.
    expect(report.neededAdopt).toBe(report.colleague);
  },
);

longTest("the seeds have a colleague's object in between", () => {
  expect(reports.some(({ colleague }) => colleague)).toBe(true);
  return Promise.resolve();
});

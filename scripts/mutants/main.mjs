import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { main } from "../lib/main.mjs";
import { announce } from "../lib/message.mjs";
import { checkout } from "../lib/paths.mjs";
import { leftOutFile, planFile, progressFile, runFolder } from "./plan.mjs";
import { readRecord, report, writeRecord } from "./record.mjs";
import { allMutants, drawn, identityOf, placeOf } from "./sample.mjs";
import { usualWorkers } from "./tests.mjs";

const { values: given } = parseArgs({ options: { record: { type: "boolean" }, workers: { type: "string" } } });

main(async () => {
  const workers = Number(given.workers ?? usualWorkers);
  const record = given.record ? undefined : readRecord();
  const mutants = await allMutants();
  const wanted = record && new Set(record.map(identityOf));
  const sample = wanted ? mutants.filter((mutant) => wanted.has(identityOf(mutant))) : drawn(mutants);
  const results = await announce(
    `${sample.length} mutants, ${workers} at once; done so far: ${relative(checkout, progressFile)}`,
    () => statuses(sample, workers),
  );
  const done = sample.map((mutant) => ({ ...mutant, ...results.get(mutant.place) }));
  if (!record) writeRecord(done);
  for (const file of JSON.parse(readFileSync(leftOutFile, "utf8")))
    console.log(`Left out, because it fails without a mutant: ${file}`);
  return report(done, record);
});

/** Runs Stryker. Returns the result for each place of the sample. */
async function statuses(sample, workers) {
  rmSync(runFolder, { recursive: true, force: true });
  mkdirSync(runFolder, { recursive: true });
  writeFileSync(progressFile, "");
  writeFileSync(planFile, JSON.stringify({ places: sample.map(({ place }) => place), workers }));
  const results = await new Stryker({
    mutate: sample.map(
      ({ file, location: { start, end } }) => `${file}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`,
    ),
    plugins: [join(checkout, "scripts/mutants/runner.mjs")],
    testRunner: "frugal",
    coverageAnalysis: "perTest",
    ignoreStatic: true,
    concurrency: workers,
    maxTestRunnerReuse: 50,
    timeoutMS: 1_800_000,
    dryRunTimeoutMinutes: 120,
    reporters: [],
    logLevel: "error",
    allowConsoleColors: false,
    disableTypeChecks: false,
    warnings: false,
    tempDirName: relative(checkout, join(runFolder, "sandbox")),
    ignorePatterns: ["dist", ".state", "bench", "coverage"],
  }).runMutationTest();
  return new Map(
    results.map(({ fileName, location, mutatorName, replacement, static: isStatic, status, killedBy, statusReason }) => {
      const { start, end } = location;
      const zeroBased = { start: zero(start), end: zero(end) };
      const by = status === "Killed" ? [killedBy].flat()[0] : status === "Timeout" ? statusReason : undefined;
      // Among the files that load it, only those that also load it within a test were run.
      const shown = isStatic && status === "Survived" ? "Ignored" : status;
      return [placeOf(relative(checkout, fileName), zeroBased, mutatorName, replacement), { status: shown, ...(by && { by }) }];
    }),
  );
}

const zero = ({ line, column }) => ({ line: line - 1, column: column - 1 });

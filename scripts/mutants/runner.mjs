import { appendFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { runCLI } from "jest";
import { run } from "../lib/child.mjs";
import { checkout } from "../lib/paths.mjs";
import { leftOutFile, planFile, progressFile } from "./plan.mjs";
import { placeOf } from "./sample.mjs";
import { jestConfig, testFiles } from "./tests.mjs";

/** Stands for the mutants reached by hooks that serve all tests of a file. */
const WHOLE_FILE = "*";

/**
 * A test runner of Stryker. Stryker's own runner for Jest loads every test file for each mutant, and continues after the first failure.
 * This one runs only files that reach the mutant, cheap ones first, until one fails. It runs only mutants of the sample, because Stryker
 * also plants others inside its ranges.
 */
class FrugalRunner {
  constructor() {
    const { places, workers } = JSON.parse(readFileSync(planFile, "utf8"));
    this.places = new Set(places);
    this.workers = workers;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun() {
    const folder = mkdtempSync(join(tmpdir(), "mutants-coverage-"));
    const config = JSON.stringify({ ...jestConfig(process.cwd()), reporters: ["default"] });
    const program = join(checkout, "node_modules/jest/bin/jest.js");
    const args = [
      program,
      "--config",
      config,
      "--maxWorkers",
      String(this.workers),
      "--silent",
      "--runTestsByPath",
      ...testFiles(),
    ];
    const env = { ...process.env, MUTANTS_COVERAGE: folder };
    const { output } = await run(process.execPath, args, { cwd: process.cwd(), env, capture: true });
    const all = globSync("*.json", { cwd: folder }).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
    rmSync(folder, { recursive: true });
    const isFit = ({ failed, perTest }) => !failed && Object.keys(perTest).length > 0;
    const files = all.filter(isFit);
    if (files.length === 0) return { status: "error", errorMessage: output };
    // A test that fails without a mutant would kill them all.
    writeFileSync(leftOutFile, JSON.stringify(all.filter((file) => !isFit(file)).map(({ file }) => file)));
    files.sort((a, b) => a.cost - b.cost);
    const perTest = Object.fromEntries(
      files.flatMap(({ file, perTest }) => Object.entries(perTest).map(([name, hits]) => [JSON.stringify([file, name]), hits])),
    );
    const tests = Object.keys(perTest).map((id) => ({ id, name: id, status: 0, timeSpentMs: 0 }));
    return { status: "complete", tests, mutantCoverage: { static: sum(files.map((file) => file.static)), perTest } };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    const { id, fileName, location, mutatorName, replacement } = activeMutant;
    const place = placeOf(relative(checkout, fileName), location, mutatorName, replacement);
    if (!this.places.has(place)) return { status: "error", errorMessage: "not of the sample" };
    const startedAt = Date.now();
    Object.assign(process.env, { __STRYKER_ACTIVE_MUTANT__: id, MUTANTS_HIT_LIMIT: hitLimit ?? "", MUTANTS_STOP: "1" });
    const result = await untilKilled(testFilter.map((test) => JSON.parse(test)));
    appendFileSync(progressFile, `${result.status} ${Math.round((Date.now() - startedAt) / 1_000)} s ${place}\n`);
    return result;
  }
}

async function untilKilled(tests) {
  const namesOf = Map.groupBy(tests, ([file]) => file);
  const files = [...namesOf.keys()];
  let nrOfTests = 0;
  for (let [from, count] = [0, 1]; from < files.length; from += count, count *= 2) {
    const group = files.slice(from, from + count);
    const names = group.flatMap((file) => namesOf.get(file).map(([, name]) => name));
    const { results } = await jest(group, names.includes(WHOLE_FILE) ? undefined : names);
    nrOfTests += results.numTotalTests;
    const failed = results.testResults.find(({ numFailingTests, testExecError }) => numFailingTests > 0 || testExecError);
    if (failed) {
      const failureMessage = failed.failureMessage ?? "";
      const killedBy = relative(process.cwd(), failed.testFilePath);
      if (failureMessage.includes("Exceeded timeout of")) return { status: "timeout", reason: killedBy };
      return { status: "killed", killedBy: [killedBy], failureMessage, nrOfTests };
    }
  }
  return { status: "survived", nrOfTests };
}

function jest(files, names) {
  const argv = {
    $0: "mutants",
    _: files,
    runTestsByPath: true,
    config: JSON.stringify(jestConfig(process.cwd())),
    runInBand: true,
    silent: true,
    testNamePattern: names && `^(${names.map((name) => RegExp.escape(name)).join("|")})$`,
  };
  return runCLI(argv, [process.cwd()]);
}

function sum(counts) {
  const total = {};
  for (const [id, count] of counts.flatMap((each) => Object.entries(each))) total[id] = (total[id] ?? 0) + count;
  return total;
}

export const strykerPlugins = [{ kind: "TestRunner", name: "frugal", injectableClass: FrugalRunner }];

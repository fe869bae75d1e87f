import { availableParallelism } from "node:os";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../lib/paths.mjs";

/** Tests in one process, without engine, command line and a look at the sources, so that a mutant costs seconds. */
const FILES = ["tests/{access,inventory,kinds,resources}/**/*.test.ts", "tests/cli/{access,review*}.test.ts"];
const UNFIT = /support\/(cli|review-gate)"|tools\/generate\/|child_process/;

/** The test files for mutants. */
export const testFiles = () =>
  FILES.flatMap((pattern) => globSync(pattern, { cwd: checkout }))
    .filter((file) => !file.endsWith(".long.test.ts") && !UNFIT.test(readFileSync(join(checkout, file), "utf8")))
    .sort();

/** The default number of concurrent workers. */
export const usualWorkers = availableParallelism();

/** Jest's configuration in a copy of the checkout, which is the project `rules` with coverage of mutants. */
export const jestConfig = (rootDir) => ({
  rootDir,
  testEnvironment: join(checkout, "scripts/mutants/environment.js"),
  transform: {
    "^.+\\.ts$": ["@swc/jest", { jsc: { target: "es2022", parser: { syntax: "typescript" } }, module: { type: "commonjs" } }],
  },
  modulePathIgnorePatterns: ["<rootDir>/dist", "<rootDir>/.state"],
  // Ends mutants that wait forever. Busy machines take many times as long as idle ones.
  testTimeout: 180_000,
  reporters: [],
});

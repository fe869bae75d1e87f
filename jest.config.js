const { availableParallelism } = require("node:os");

const swc = { jsc: { target: "es2022", parser: { syntax: "typescript" } }, module: { type: "commonjs" } };
const isLong = process.env.LONG !== undefined;

/** @type {import("jest").Config} */
const all = {
  testEnvironment: "node",
  testMatch: ["<rootDir>/tests/**/*.test.ts"],
  transform: { "^.+\\.ts$": ["@swc/jest", swc] },
  modulePathIgnorePatterns: ["<rootDir>/dist", "<rootDir>/.state"],
  // Of what runs often, only files whose rules nothing cheaper shows; docs/contributing/reliability.md names the others.
  testPathIgnorePatterns: isLong ? [] : ["\\.long\\.test\\.ts$"],
};

/** The tests that reach the provider as the engine does, and run again through the plugin; in long, in version v2 (docs/contributing/reliability.md). */
const bothDoors = isLong
  ? "reliability/(fault-matrix-[a-z-]+|model|drift-by-mutation|killed-runs|many-stacks|secrets)|contract/client"
  : "contract/client";

/** The tests with the engine that run again in version v2 of the API. */
const bothVersions = "engine/(lifecycle|kinds/every-kind)";

/** The tests of `paths` again, as each of the `setups` says. */
const again = (displayName, paths, ...setups) => ({
  ...all,
  displayName,
  testMatch: undefined,
  testRegex: [`/tests/(${paths})(\\.long)?\\.test\\.ts$`],
  setupFilesAfterEnv: setups.map((setup) => `<rootDir>/tests/support/${setup}`),
});

/** @type {import("jest").Config} */
module.exports = {
  // Only ends a test that hangs. Speed is no part of any rule, and a busy machine takes many times as long as an idle one.
  testTimeout: 600_000,
  // More than the cores, because most tests wait, for time limits or the engine; no more than memory allows.
  maxWorkers: Math.min(2 * availableParallelism(), 8),
  reporters: ["default", "<rootDir>/scripts/jest-closing-line.js"],
  projects: [
    { ...all, displayName: "rules" },
    again("native", bothDoors, "native-door.ts", ...(isLong ? ["api-version-v2.ts"] : [])),
    ...(isLong ? [again("v2", bothVersions, "api-version-v2.ts")] : []),
  ],
};

const { availableParallelism } = require("node:os");

const swc = { jsc: { target: "es2022", parser: { syntax: "typescript" } }, module: { type: "commonjs" } };

/** @type {import("jest").Config} */
const all = {
  testEnvironment: "node",
  testMatch: ["<rootDir>/tests/**/*.test.ts"],
  transform: { "^.+\\.ts$": ["@swc/jest", swc] },
  modulePathIgnorePatterns: ["<rootDir>/dist", "<rootDir>/.state"],
};

/** The rooms whose tests send requests of the API, or answer them. */
const wire =
  "client|emulator|kinds/made-up-kinds|kinds/local-arguments|resources|sdk/(functions-(?!types)|shared-lists|platform-client)";

/** The tests that reach the provider as the engine does, and run again through the plugin (docs/reliability.md). */
const bothDoors = process.env.LONG
  ? "fault-matrix-[a-z-]+|model|drift-by-mutation|killed-runs|many-stacks|secrets"
  : "fault-matrix-(groups|identity-providers|role-bindings)|model|killed-runs|secrets";

/** @type {import("jest").Config} */
module.exports = {
  // Only ends a test that hangs. Speed is no part of any rule, and a busy machine takes many times as long as an idle one.
  testTimeout: 600_000,
  // More than the cores, because most tests wait, for time limits or the engine; no more than memory allows.
  maxWorkers: Math.min(2 * availableParallelism(), 8),
  reporters: ["default", "<rootDir>/scripts/jest-closing-line.js"],
  projects: [
    { ...all, displayName: "v2beta1" },
    {
      ...all,
      displayName: "v2",
      testMatch: undefined,
      testRegex: [`/tests/(${wire})[^/]*(/[^/]+)*\\.test\\.ts$`],
      // It is about both versions.
      testPathIgnorePatterns: ["/tests/client/api-version"],
      transform: { "/tests/.+\\.ts$": ["<rootDir>/tests/support/other-version.js", swc], ...all.transform },
      setupFilesAfterEnv: ["<rootDir>/tests/support/only-v2.js"],
    },
    {
      ...all,
      displayName: "native",
      testMatch: undefined,
      testRegex: [`/tests/reliability/(${bothDoors})\\.test\\.ts$`],
      setupFilesAfterEnv: ["<rootDir>/tests/support/native-door.ts"],
    },
  ],
};

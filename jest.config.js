/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  testMatch: ["<rootDir>/tests/**/*.test.ts"],
  // Only ends a test that hangs. Speed is no part of any rule, and a busy machine takes many times as long as an idle one.
  testTimeout: 600_000,
  transform: {
    "^.+\\.ts$": ["@swc/jest", { jsc: { target: "es2022", parser: { syntax: "typescript" } }, module: { type: "commonjs" } }],
  },
  modulePathIgnorePatterns: ["<rootDir>/dist", "<rootDir>/.state"],
  reporters: ["default", "<rootDir>/scripts/jest-closing-line.js"],
};

/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  testMatch: ["<rootDir>/tests/**/*.test.ts"],
  transform: {
    "^.+\\.ts$": ["@swc/jest", { jsc: { target: "es2022", parser: { syntax: "typescript" } }, module: { type: "commonjs" } }],
  },
  modulePathIgnorePatterns: ["<rootDir>/dist", "<rootDir>/.state"],
  reporters: ["default", "<rootDir>/scripts/jest-closing-line.js"],
};

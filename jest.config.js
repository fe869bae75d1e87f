/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  testMatch: ["<rootDir>/tests/**/*.test.ts"],
  // jose ships ES modules only; Jest's CommonJS runtime needs it transformed.
  transform: {
    "^.+\\.(t|j)s$": ["@swc/jest", { jsc: { target: "es2022", parser: { syntax: "typescript" } }, module: { type: "commonjs" } }],
  },
  transformIgnorePatterns: ["/node_modules/(?!jose/)"],
  modulePathIgnorePatterns: ["<rootDir>/dist", "<rootDir>/.state"],
  reporters: ["default", "<rootDir>/scripts/jest-closing-line.js"],
};

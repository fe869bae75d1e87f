const { projects, ...all } = require("./jest.config.js");

/** The tests that run the compiler, for `npm run check`. @type {import("jest").Config} */
module.exports = {
  ...all,
  projects: [{ ...projects[0], displayName: "compile", testMatch: ["<rootDir>/tests/compile.suite.ts"] }],
};

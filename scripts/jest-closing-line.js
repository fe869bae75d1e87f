const { writeSync } = require("node:fs");

/** A Jest reporter whose one line closes the run: `N passed, N failed`. A test file that could not run counts as failed. */
module.exports = class ClosingLine {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    const line = `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed\n`;
    // On exit, so that this line follows Jest's own summary even where both go to one stream.
    process.once("exit", () => writeSync(1, line));
  }
};

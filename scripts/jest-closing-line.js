const { writeSync } = require("node:fs");

/**
 * A Jest reporter whose one line closes the run: `N passed, N failed`. A test file that could not run is counted as failed. In a long run
 * it prints after each file how many are done.
 */
module.exports = class ClosingLine {
  onTestResult(_test, _result, { numPassedTestSuites, numFailedTestSuites, numTotalTestSuites, startTime }) {
    if (process.env.LONG === undefined) return;
    const [done, minutes] = [numPassedTestSuites + numFailedTestSuites, Math.round((Date.now() - startTime) / 60_000)];
    process.stderr.write(`${done} of ${numTotalTestSuites} test files, ${minutes} min\n`);
  }

  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    const line = `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed\n`;
    // On exit, so that this line follows Jest's own summary even where both go to one stream.
    process.once("exit", () => writeSync(1, line));
  }
};

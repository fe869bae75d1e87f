const { createHash } = require("node:crypto");
const { writeFileSync } = require("node:fs");
const { join, relative } = require("node:path");
const { TestEnvironment } = require("jest-environment-node");

/**
 * Jest's environment for mutants. With MUTANTS_COVERAGE it records there the mutants that each test of a file reaches; "*" stands for hooks
 * that serve all tests. With MUTANTS_STOP it skips the tests after a failed one, because one is enough.
 */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.file = relative(config.projectConfig.rootDir, context.testPath);
    this.usedBefore = process.cpuUsage();
    const limit = process.env.MUTANTS_HIT_LIMIT;
    this.noted = { static: {}, perTest: {} };
    this.stryker = { mutantCoverage: this.noted, ...(limit && { hitCount: 0, hitLimit: Number(limit) }) };
    this.global.__stryker__ = this.stryker;
  }

  async handleTestEvent({ name, test }) {
    if (name === "run_start" || name === "run_describe_start") this.stryker.currentTestId = "*";
    if (name === "test_start" && this.hasFailed && process.env.MUTANTS_STOP) test.mode = "skip";
    if (name === "test_started") this.noted.perTest[(this.stryker.currentTestId = fullName(test))] ??= {};
    if (name === "test_done" && test.errors.length > 0) this.hasFailed = true;
  }

  async teardown() {
    const { user, system } = process.cpuUsage(this.usedBefore);
    const folder = process.env.MUTANTS_COVERAGE;
    if (folder) {
      const name = `${createHash("sha256").update(this.file).digest("hex").slice(0, 16)}.json`;
      writeFileSync(
        join(folder, name),
        JSON.stringify({ file: this.file, cost: user + system, failed: this.hasFailed, ...this.noted }),
      );
    }
    await super.teardown();
  }
};

function fullName({ name, parent }) {
  return parent?.parent ? `${fullName(parent)} ${name}` : name;
}

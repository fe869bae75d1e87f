import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { checkout, useCheckout } from "./fake-checkout";

const REPORTER = join(__dirname, "..", "..", "scripts", "jest-closing-line.js");

test.each([
  [{ numPassedTests: 12, numFailedTests: 0, numRuntimeErrorTestSuites: 0 }, "12 passed, 0 failed"],
  [{ numPassedTests: 3, numFailedTests: 2, numRuntimeErrorTestSuites: 0 }, "3 passed, 2 failed"],
  [{ numPassedTests: 3, numFailedTests: 1, numRuntimeErrorTestSuites: 4 }, "3 passed, 5 failed"],
])("the closing line counts a test file that could not run as failed: %j", (results, line) => {
  const code = `new (require(${JSON.stringify(REPORTER)}))().onRunComplete([], ${JSON.stringify(results)}); console.log("summary");`;
  expect(execFileSync(process.execPath, ["-e", code], { encoding: "utf8" })).toBe(`summary\n${line}\n`);
});

describe("npm test", () => {
  useCheckout();
  const writeJest = (code: string) => checkout.write("node_modules/jest/bin/jest.js", code);

  function allIsThere(): void {
    checkout.writeEngine("tools", "3.259.0");
    checkout.writeCommandLine("");
  }

  test("ends in Jest's closing line and exit code, and hands arguments on", async () => {
    allIsThere();
    writeJest('console.log(process.argv.slice(2).join(" ")); console.log("4 passed, 1 failed"); process.exit(1);');
    const { code, stdout } = await checkout.run("test.mjs", ["tests/engine", "-t", "some rule"]);
    expect(stdout).toMatch(/^tests\/engine -t some rule\n0 min \d+ s(, \d+ CPU seconds)?\n4 passed, 1 failed\n$/);
    expect(code).toBe(1);
  });

  test("closes as failed when Jest itself breaks down", async () => {
    allIsThere();
    writeJest('console.error("bad configuration"); process.exit(1);');
    const { code, stdout, stderr } = await checkout.run("test.mjs");
    expect(code).toBe(1);
    expect(stdout).toMatch(/\n0 passed, 1 failed\n$/);
    expect(stderr).toContain("bad configuration");
  });

  test("closes as failed when the set-up fails, with the reason", async () => {
    checkout.write("package-lock.json", '{ "packages": { "node_modules/missing": { "version": "1.0.0" } } }');
    checkout.writeTool("tools/npm", 'echo "npm error 404" >&2; exit 1');
    const { code, stdout, stderr } = await checkout.run("test.mjs");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "0 passed, 1 failed\n" });
    expect(stderr).toContain("npm's exit code 1):\nnpm error 404");
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("finds the engine on PATH, and meets no platform, stack or backend of the person's shell", async () => {
    allIsThere();
    writeJest('console.log(JSON.stringify(process.env)); console.log("1 passed, 0 failed");');
    const { stdout } = await checkout.run("test.mjs", ["--long"], {
      PLATFORM_TOKEN: "t",
      PULUMI_STACK: "prod",
      PULUMI_BACKEND_URL: "s3://state",
      ACTIONS_ID_TOKEN_REQUEST_URL: "https://ci",
    });
    const environment = JSON.parse(stdout.split("\n")[0] ?? "") as Record<string, string>;
    expect(environment["PATH"]?.split(":")[0]).toBe(checkout.tools);
    expect(environment["LONG"]).toBe("1");
    expect(Object.keys(environment).filter((name) => /^(PLATFORM_|PULUMI_|ACTIONS_)/.test(name))).toEqual([]);
  });
});

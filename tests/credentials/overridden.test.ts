import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { overriddenFindings } from "../../cli/doctor/findings";
import { readConfiguration } from "../../provider/credentials";
import { ownArguments } from "../../provider/host/explicit-provider";
import { openRun } from "../../provider/host/session";

type Values = Record<string, string>;
const baseUrl = "https://api.example.com";
const stack = { "platform:baseUrl": baseUrl, "platform:oidcTokenFile": "/run/token" };

const overridden = (configured: Values | undefined, environment: Values) =>
  readConfiguration(configured, environment).overridden ?? [];

test.each<[string, Values | undefined, Values, string[]]>([
  [
    "a token beside a file of the stack",
    stack,
    { PLATFORM_TOKEN: "t" },
    ["PLATFORM_TOKEN has no effect: platform:oidcTokenFile in"],
  ],
  [
    "every source beside it but the one that stands in",
    stack,
    { PLATFORM_OIDC_TOKEN: "t", PLATFORM_TOKEN: "u" },
    ["PLATFORM_TOKEN has no effect: PLATFORM_OIDC_TOKEN comes first."],
  ],
  [
    "another address",
    stack,
    { PLATFORM_BASE_URL: "https://other.example" },
    ["PLATFORM_BASE_URL has no effect: platform:baseUrl in"],
  ],
  ["another flag", { ...stack, "platform:adopt": "false" }, { PLATFORM_ADOPT: "true" }, ["PLATFORM_ADOPT has no effect"]],
  ["the same address", stack, { PLATFORM_BASE_URL: `${baseUrl}/` }, []],
  ["the job's own token", stack, { ACTIONS_ID_TOKEN_REQUEST_URL: "https://a.example", ACTIONS_ID_TOKEN_REQUEST_TOKEN: "t" }, []],
  ["marks that add up", { ...stack, "platform:breakGlass": "c0ffee/1" }, { PLATFORM_BREAK_GLASS: "c0ffee/2" }, []],
  ["variables alone", undefined, { PLATFORM_BASE_URL: baseUrl, PLATFORM_TOKEN: "t" }, []],
  ["variables beside an empty stack", {}, { PLATFORM_BASE_URL: baseUrl, PLATFORM_TOKEN: "t" }, []],
])("variables without effect: %s", (_, configured, environment, expected) => {
  const found = overridden(configured, environment);
  expect(found).toHaveLength(expected.length);
  expected.forEach((start, index) => expect(found[index]).toContain(start));
});

test("no sentence has a value", () => {
  expect(overridden(stack, { PLATFORM_TOKEN: "s3cret-value" }).join()).not.toContain("s3cret");
});

test("the engine shows each once for all providers of a run, and doctor warns", () => {
  const home = mkdtempSync(join(tmpdir(), "overridden-"));
  const shown: string[] = [];
  const host = { engine: "127.0.0.1:1", notify: (message: string) => void shown.push(message) };
  const environment = { PLATFORM_TOKEN: "t", PULUMI_HOME: home };
  openRun(stack, environment, undefined, host);
  openRun({ ...stack, "platform:concurrency": "2", [ownArguments]: "concurrency" }, environment, undefined, host);
  expect(shown).toEqual([expect.stringContaining("PLATFORM_TOKEN has no effect")]);
  const findings = overriddenFindings(readConfiguration(stack, environment));
  expect(findings).toMatchObject([{ check: "configuration", status: "warning", message: shown[0] }]);
  rmSync(home, { recursive: true });
});

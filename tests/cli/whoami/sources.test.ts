import { sourcesOf } from "../../../cli/whoami/sources";
import { readConfiguration } from "../../../provider/credentials";

const address = { PLATFORM_BASE_URL: "https://api.example.com" };
const github = { ACTIONS_ID_TOKEN_REQUEST_URL: "https://github.example", ACTIONS_ID_TOKEN_REQUEST_TOKEN: "secret" };

function sources(configured: Record<string, string> | undefined, variables: Record<string, string>) {
  const environment = { ...address, ...variables };
  const { credentials } = readConfiguration(configured, environment);
  return sourcesOf(configured, environment, credentials.origin);
}

const cases: [string, Record<string, string> | undefined, Record<string, string>, string, [string, string | RegExp][]][] = [
  [
    "the stack's configuration comes first",
    { "platform:oidcTokenFile": "/token" },
    { PLATFORM_TOKEN: "secret", ...github },
    "platform:oidcTokenFile",
    [
      ["PLATFORM_TOKEN", "the stack's configuration comes first: platform:oidcTokenFile"],
      ["GitHub Actions", "the stack's configuration comes first: platform:oidcTokenFile"],
    ],
  ],
  [
    "the environment comes before GitHub Actions",
    {},
    { PLATFORM_OIDC_TOKEN: "secret", ...github },
    "PLATFORM_OIDC_TOKEN",
    [["GitHub Actions", "the PLATFORM_* environment comes first: PLATFORM_OIDC_TOKEN"]],
  ],
  [
    "a pipeline's token stands in for the file of developers",
    { "platform:oidcTokenFile": "/token" },
    { PLATFORM_OIDC_TOKEN: "secret" },
    "PLATFORM_OIDC_TOKEN",
    [["platform:oidcTokenFile", "PLATFORM_OIDC_TOKEN stands in for the file that platform:oidcTokenFile names"]],
  ],
  ["GitHub Actions comes last", undefined, github, "GitHub Actions", []],
];

test.each(cases)("%s", (_, configured, variables, taken, passedOver) => {
  const rows = sources(configured, variables);
  expect(rows.filter(({ state }) => state === "taken").map(({ name }) => name)).toEqual([taken]);
  expect(rows.filter(({ state }) => state === "passedOver").map(({ name, reason }) => [name, reason])).toEqual(passedOver);
  expect(JSON.stringify(rows)).not.toContain("secret");
});

test("every source is listed; an empty variable counts as not set; what is missing is named", () => {
  const rows = sources(undefined, {
    PLATFORM_TOKEN: "secret",
    PLATFORM_OIDC_TOKEN: " ",
    ACTIONS_ID_TOKEN_REQUEST_URL: "https://x",
  });
  expect(rows.map(({ name, state, reason }) => [name, state, reason])).toEqual([
    ["platform:oidcTokenFile", "notSet", "no stack was named: pass --stack"],
    ["platform:tokenCommand", "notSet", "no stack was named: pass --stack"],
    ["PLATFORM_TOKEN", "taken", undefined],
    ["PLATFORM_OIDC_TOKEN", "notSet", undefined],
    ["PLATFORM_OIDC_TOKEN_FILE", "notSet", undefined],
    ["PLATFORM_TOKEN_COMMAND", "notSet", undefined],
    ["GitHub Actions", "notSet", expect.stringContaining("ACTIONS_ID_TOKEN_REQUEST_TOKEN") as string],
  ]);
});

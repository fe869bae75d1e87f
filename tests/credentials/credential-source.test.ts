import { PlatformError } from "../../provider/client/errors";
import { readConfiguration } from "../../provider/credentials";

const base = { PLATFORM_BASE_URL: "https://api.example.com" };
const github = {
  ACTIONS_ID_TOKEN_REQUEST_URL: "https://actions.example.com/token?api-version=2",
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: "request-token",
};

function source(configured: Record<string, string>, environment: Record<string, string>): string {
  const { kind, origin } = readConfiguration(configured, { ...base, ...environment }).credentials;
  return `${kind} from ${origin}`;
}

function refusal(configured: Record<string, string>, environment: Record<string, string>): string {
  try {
    readConfiguration(configured, { ...base, ...environment });
  } catch (error) {
    if (PlatformError.isInstance(error)) return error.message;
  }
  throw new Error("nothing was refused");
}

describe("one source of credentials", () => {
  test.each([
    ["a token of the environment", {}, { PLATFORM_TOKEN: "t" }, "token from PLATFORM_TOKEN"],
    ["an OIDC token of the environment", {}, { PLATFORM_OIDC_TOKEN: "t" }, "oidc-token from PLATFORM_OIDC_TOKEN"],
    ["a file of the environment", {}, { PLATFORM_OIDC_TOKEN_FILE: "f" }, "oidc-token-file from PLATFORM_OIDC_TOKEN_FILE"],
    ["a command of the environment", {}, { PLATFORM_TOKEN_COMMAND: "c" }, "command from PLATFORM_TOKEN_COMMAND"],
    ["a configured file", { "platform:oidcTokenFile": "f" }, {}, "oidc-token-file from platform:oidcTokenFile"],
    ["a configured command", { "platform:tokenCommand": "c" }, {}, "command from platform:tokenCommand"],
    ["GitHub Actions", {}, github, "github-actions from GitHub Actions"],
    [
      "configuration before the environment",
      { "platform:tokenCommand": "c" },
      { PLATFORM_TOKEN: "t", ...github },
      "command from platform:tokenCommand",
    ],
    ["the environment before GitHub Actions", {}, { PLATFORM_TOKEN: "t", ...github }, "token from PLATFORM_TOKEN"],
    [
      "an OIDC token in place of a configured file",
      { "platform:oidcTokenFile": "f" },
      { PLATFORM_OIDC_TOKEN: "t" },
      "oidc-token from PLATFORM_OIDC_TOKEN",
    ],
    [
      "an OIDC token in place of a configured file, for the same identity",
      { "platform:oidcTokenFile": "f", "platform:identity": "a/b" },
      { PLATFORM_OIDC_TOKEN: "t", PLATFORM_IDENTITY: "a/b" },
      "oidc-token from PLATFORM_OIDC_TOKEN",
    ],
    [
      "the configured file where only the environment names an identity",
      { "platform:oidcTokenFile": "f" },
      { PLATFORM_OIDC_TOKEN: "t", PLATFORM_IDENTITY: "a/c" },
      "oidc-token-file from platform:oidcTokenFile",
    ],
    [
      "a configured command, for which nothing stands in",
      { "platform:tokenCommand": "c" },
      { PLATFORM_OIDC_TOKEN: "t" },
      "command from platform:tokenCommand",
    ],
  ] as [string, Record<string, string>, Record<string, string>, string][])("%s", (_, configured, environment, expected) => {
    expect(source(configured, environment)).toBe(expected);
  });

  test.each([
    [{ "platform:oidcTokenFile": "f", "platform:tokenCommand": "c" }, {}],
    [{}, { PLATFORM_TOKEN: "t", PLATFORM_OIDC_TOKEN: "o" }],
    [{}, { PLATFORM_OIDC_TOKEN: "o", PLATFORM_OIDC_TOKEN_FILE: "f" }],
  ] as [Record<string, string>, Record<string, string>][])(
    "two on one level are rejected, and both are named: %j %j",
    (configured, environment) => {
      const message = refusal(configured, environment);
      for (const name of Object.keys({ ...configured, ...environment })) expect(message).toContain(name);
    },
  );

  test("without any, the error lists every way and how to set it", () => {
    const message = refusal({}, {});
    for (const way of [
      "PLATFORM_TOKEN:",
      "PLATFORM_OIDC_TOKEN:",
      "PLATFORM_OIDC_TOKEN_FILE, or `pulumi config set --plaintext platform:oidcTokenFile",
      "PLATFORM_TOKEN_COMMAND, or `pulumi config set --plaintext platform:tokenCommand",
      "`permissions: id-token: write`",
    ]) {
      expect(message).toContain(way);
    }
  });

  test("half of GitHub Actions' pair is no source", () => {
    expect(refusal({}, { ACTIONS_ID_TOKEN_REQUEST_TOKEN: "request-token" })).toContain("No credentials");
  });

  test.each([
    ["cat 'token", "unclosed quote"],
    ["cat token\\", "ends in a backslash"],
    ["'' token", "names no program"],
  ])("the command %s is rejected before anything runs", (command, why) => {
    expect(refusal({}, { PLATFORM_TOKEN_COMMAND: command })).toContain(why);
  });
});

import { configurationOf, managedOrganization, ownArguments } from "../../provider/host/explicit-provider";

const own = {
  "platform:baseUrl": "https://other.example",
  "platform:oidcTokenFile": "/run/other",
  [ownArguments]: "baseUrl,oidcTokenFile",
};

test("what PLATFORM_* says of the run reaches a platform that the provider names; what it says of a platform does not", () => {
  const configuration = configurationOf(own, {
    PLATFORM_ALLOW_SELF_LOCKOUT: "true",
    PLATFORM_OVERWRITE: "true",
    PLATFORM_ALLOW_OTHER_ORGANIZATION: "true",
    PLATFORM_ADOPT: "true",
    PLATFORM_CONCURRENCY: "2",
    PLATFORM_BASE_URL: "https://here.example",
    PLATFORM_AUTH_URL: "https://here.example",
    PLATFORM_AUDIENCE: "https://here.example",
    PLATFORM_API_VERSION: "v2",
    PLATFORM_ORGANIZATION: "0123456789abcdef0123456789abcdef01234567",
    PLATFORM_IDENTITY: "0123456789abcdef0123456789abcdef01234567/0123456789abcdef",
    PLATFORM_TOKEN: "s3cret",
    PLATFORM_OIDC_AUDIENCE: "here",
  });
  expect(configuration).toEqual({
    baseUrl: "https://other.example",
    authUrl: "https://other.example",
    audience: "https://other.example",
    apiVersion: "v2beta1",
    adopt: true,
    allowSelfLockout: true,
    overwrite: true,
    allowOtherOrganization: true,
    breakGlass: [],
    concurrency: 2,
    readOnly: false,
    credentials: { kind: "oidc-token-file", origin: "platform:oidcTokenFile", path: "/run/other" },
    oidcAudience: "other.example",
    oidcAudienceExplicit: false,
    hasStack: true,
  });
});

test("an argument beats the variable of the run", () => {
  const configuration = configurationOf({ ...own, "platform:adopt": "false" }, { PLATFORM_ADOPT: "true" });
  expect(configuration.adopt).toBe(false);
});

describe("without an address of its own", () => {
  const stack = {
    "platform:baseUrl": "https://here.example",
    "platform:oidcTokenFile": "/run/file",
    "platform:concurrency": "2",
  };
  const sourceOf = (own: string) =>
    configurationOf({ ...stack, [ownArguments]: own }, { PLATFORM_OIDC_TOKEN: "s3cret", PLATFORM_ADOPT: "true" });

  test("no token of the environment stands in for a file that is an argument", () => {
    const { credentials, adopt } = sourceOf("concurrency,oidcTokenFile");
    expect(credentials).toEqual({ kind: "oidc-token-file", origin: "platform:oidcTokenFile", path: "/run/file" });
    expect(adopt).toBe(true);
  });

  test("the token of the environment stands in for a file of the stack", () => {
    expect(sourceOf("concurrency").credentials).toMatchObject({ kind: "oidc-token", origin: "PLATFORM_OIDC_TOKEN" });
  });
});

describe("an identity that is an argument", () => {
  const identity = "0123456789abcdef0123456789abcdef01234567/0123456789abcdef";
  const stack = { "platform:baseUrl": "https://here.example", "platform:identity": identity };

  test.each([
    ["the API token of the environment", "identity", {}, { PLATFORM_TOKEN: "s3cret" }, "PLATFORM_TOKEN"],
    ["the command of the environment", "identity", {}, { PLATFORM_TOKEN_COMMAND: "print" }, "PLATFORM_TOKEN_COMMAND"],
    ["a command that is an argument", "identity,tokenCommand", { "platform:tokenCommand": "print" }, {}, "platform:tokenCommand"],
  ] as [string, string, Record<string, string>, Record<string, string>, string][])(
    "is an error with %s, which acts as its own",
    (_, own, settings, environment, origin) => {
      expect(() => configurationOf({ ...stack, ...settings, [ownArguments]: own }, environment)).toThrow(
        `The argument identity of a Provider has no effect: the API token of ${origin} already acts as an identity.`,
      );
    },
  );

  test("is assumed with an OIDC token", () => {
    expect(configurationOf({ ...stack, [ownArguments]: "identity" }, { PLATFORM_OIDC_TOKEN: "s3cret" }).identity).toBe(identity);
  });

  test("of the stack is no error with an API token: it may serve other runs", () => {
    expect(configurationOf(stack, { PLATFORM_TOKEN: "s3cret" }).identity).toBe(identity);
  });
});

const [here, away] = ["0a".repeat(20), "0b".repeat(20)];

test.each<[string, string, Record<string, string>, string | undefined]>([
  ["the stack's", "", {}, here],
  ["the stack's, for a provider with a limit of its own", "concurrency", { "platform:concurrency": "2" }, here],
  ["the stack's, for a provider with a source of its own", "tokenCommand", { "platform:tokenCommand": "print" }, here],
  ["its own", "organization", { "platform:organization": `${away}/1` }, `${away}/1`],
  ["that of its own identity", "identity", { "platform:identity": `${away}/1` }, away],
  ["its own, not that of its identity", "identity,organization", { "platform:identity": `${away}/1` }, here],
  ["the stack's, where its identity is a person", "identity", { "platform:identity": away }, here],
])("a provider keeps to an organisation: %s", (_what, own, more, expected) => {
  const settings = { "platform:baseUrl": "https://here.example", "platform:organization": here, ...more };
  const provider = own === "" ? settings : { ...settings, [ownArguments]: own };
  const environment = own.includes("tokenCommand") ? {} : { PLATFORM_OIDC_TOKEN: "s3cret" };
  expect(managedOrganization(provider, configurationOf(provider, environment))).toBe(expected);
});

test("a provider of another platform keeps to none, unless it says which", () => {
  const of = (settings: Record<string, string>) =>
    managedOrganization(settings, configurationOf(settings, { PLATFORM_ORGANIZATION: here }));
  expect(of(own)).toBeUndefined();
  const named = { ...own, "platform:organization": away, [ownArguments]: "baseUrl,oidcTokenFile,organization" };
  expect(of(named)).toBe(away);
});

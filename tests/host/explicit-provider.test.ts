import { readConfiguration } from "../../provider/credentials";
import { ownArguments, scoped } from "../../provider/host/explicit-provider";

const own = {
  "platform:baseUrl": "https://other.example",
  "platform:oidcTokenFile": "/run/other",
  [ownArguments]: "baseUrl,oidcTokenFile",
};

function configurationOf(settings: Record<string, string>, variables: Record<string, string>) {
  const { settings: applied, environment } = scoped(settings, variables);
  return readConfiguration(applied, environment);
}

test("what PLATFORM_* says of the run reaches a platform that the provider names; what it says of a platform does not", () => {
  const configuration = configurationOf(own, {
    PLATFORM_ALLOW_SELF_LOCKOUT: "true",
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
    concurrency: 2,
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
  const stack = { "platform:baseUrl": "https://here.example", "platform:oidcTokenFile": "/run/file" };
  const sourceOf = (own: string) =>
    configurationOf({ ...stack, [ownArguments]: own }, { PLATFORM_OIDC_TOKEN: "s3cret", PLATFORM_ADOPT: "true" });

  test("no token of the environment stands in for a file that is an argument", () => {
    const { credentials, adopt } = sourceOf("identity,oidcTokenFile");
    expect(credentials).toEqual({ kind: "oidc-token-file", origin: "platform:oidcTokenFile", path: "/run/file" });
    expect(adopt).toBe(true);
  });

  test("the token of the environment stands in for a file of the stack", () => {
    expect(sourceOf("adopt").credentials).toMatchObject({ kind: "oidc-token", origin: "PLATFORM_OIDC_TOKEN" });
  });
});

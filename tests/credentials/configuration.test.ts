import fc from "fast-check";
import { PlatformError } from "../../provider/client/errors";
import { readConfiguration, settings } from "../../provider/credentials";
import { goodOidcToken } from "./support";

const baseUrl = "https://api.example.com";
const enough = { PLATFORM_BASE_URL: baseUrl, PLATFORM_TOKEN: "opaque-token" };

function messageOf(configured: Record<string, string> | undefined, environment: Record<string, string>): string {
  try {
    readConfiguration(configured, environment);
  } catch (error) {
    if (PlatformError.isInstance(error) && error.code === "CONFIGURATION") return error.message;
    throw error;
  }
  return "";
}

describe("readConfiguration", () => {
  test("everything but the address and the credentials has a default", () => {
    expect(readConfiguration({}, enough)).toEqual({
      baseUrl,
      authUrl: baseUrl,
      audience: baseUrl,
      apiVersion: "v2beta1",
      readOnly: false,
      adopt: false,
      allowSelfLockout: false,
      overwrite: false,
      allowOtherOrganization: false,
      breakGlass: [],
      credentials: { kind: "token", origin: "PLATFORM_TOKEN", token: "opaque-token" },
      oidcAudience: "api.example.com",
      oidcAudienceExplicit: false,
      concurrency: 64,
      hasStack: true,
    });
  });

  test("configuration takes precedence over the environment", () => {
    const configured = {
      "platform:baseUrl": "https://configured.example.com",
      "platform:authUrl": "https://auth.example.com",
      "platform:audience": "configured",
      "platform:apiVersion": "v2",
      "platform:organization": "c0ffee",
      "platform:identity": "c0ffee/1",
      "platform:adopt": "true",
      "platform:oidcAudience": "wanted",
    };
    const environment = {
      ...enough,
      PLATFORM_AUTH_URL: "https://other.example.com",
      PLATFORM_AUDIENCE: "other",
      PLATFORM_API_VERSION: "v2beta1",
      PLATFORM_ORGANIZATION: "other",
      PLATFORM_IDENTITY: "c0ffee/1",
      PLATFORM_ADOPT: "false",
      PLATFORM_OIDC_AUDIENCE: "other",
    };
    expect(readConfiguration(configured, environment)).toMatchObject({
      baseUrl: "https://configured.example.com",
      authUrl: "https://auth.example.com",
      audience: "configured",
      apiVersion: "v2",
      organization: "c0ffee",
      identity: "c0ffee/1",
      adopt: true,
      oidcAudience: "wanted",
      oidcAudienceExplicit: true,
    });
  });

  test.each(["v2beta1", "v2", "auto"])("the version %s is taken from either", (version) => {
    expect(readConfiguration({ "platform:apiVersion": version }, enough).apiVersion).toBe(version);
    expect(readConfiguration({}, { ...enough, PLATFORM_API_VERSION: version }).apiVersion).toBe(version);
  });

  test("each setting that is no secret is read from its key and from its variable", () => {
    const values: Record<string, string> = {
      baseUrl,
      authUrl: baseUrl,
      apiVersion: "v2",
      adopt: "1",
      concurrency: "8",
      oidcTokenFile: "f",
      tokenCommand: "c",
    };
    for (const [name, setting] of Object.entries(settings)) {
      if (!("key" in setting)) continue;
      const value = values[name] ?? "some-value";
      const other = name === "oidcTokenFile" || name === "tokenCommand" ? { PLATFORM_BASE_URL: baseUrl } : enough;
      const fromKey = readConfiguration({ [setting.key]: value }, other);
      const fromVariable = readConfiguration({}, { ...other, [setting.environment]: value });
      const fromKeyText = JSON.stringify(fromKey).replaceAll(setting.key, setting.environment);
      expect(fromKeyText).toBe(JSON.stringify(fromVariable));
    }
  });

  test("neither the configuration nor the environment takes a break-glass mark of the other away", () => {
    const { breakGlass } = readConfiguration({ "platform:breakGlass": "r/a, r/b" }, { ...enough, PLATFORM_BREAK_GLASS: "r/c" });
    expect(breakGlass).toEqual(["r/a", "r/b", "r/c"]);
    expect(() => readConfiguration({ "platform:breakGlass": "r/a;r b" }, enough)).toThrow(
      "platform:breakGlass is not a list of uids",
    );
  });

  test.each([
    ["the organisation", { PLATFORM_ORGANIZATION: "0a".repeat(20) }, "acme.example/emergency"],
    ["the identity of the run", { PLATFORM_IDENTITY: `${"0a".repeat(20)}/1b` }, "emergency"],
    ["another mark", {}, `${"0a".repeat(20)}/1b, acme.example/emergency`],
  ])("a break-glass mark by a name is rejected where %s shows what uids look like", (_what, environment, breakGlass) => {
    const message = messageOf(undefined, { ...enough, ...environment, PLATFORM_BREAK_GLASS: breakGlass });
    expect(message).toContain("PLATFORM_BREAK_GLASS is not a list of uids");
    expect(message).toMatch(/"(acme\.example\/)?emergency" is not a complete uid of this platform/);
  });

  test("an empty value counts as unset", () => {
    const configured = { "platform:baseUrl": "", "platform:adopt": " ", "platform:tokenCommand": "" };
    expect(readConfiguration(configured, { ...enough, PLATFORM_IDENTITY: "", PLATFORM_OIDC_TOKEN: "\n" })).toEqual(
      readConfiguration({}, enough),
    );
  });

  test("trailing slashes are dropped everywhere", () => {
    const environment = {
      PLATFORM_TOKEN: "opaque-token",
      PLATFORM_BASE_URL: "https://api.example.com/platform//",
      PLATFORM_AUTH_URL: "https://auth.example.com/",
      PLATFORM_AUDIENCE: "https://audience.example.com/",
      PLATFORM_OIDC_AUDIENCE: "https://oidc.example.com/",
    };
    expect(readConfiguration({}, environment)).toMatchObject({
      baseUrl: "https://api.example.com/platform",
      authUrl: "https://auth.example.com",
      audience: "https://audience.example.com",
      oidcAudience: "https://oidc.example.com",
    });
  });

  test("keys of other namespaces are ignored", () => {
    const configured = { "aws:token": "x", "project:platform": "y", platformer: "z" };
    expect(readConfiguration(configured, enough)).toEqual(readConfiguration({}, enough));
  });

  test.each(["true", "TRUE", "1", "false", "False", "0"])("flags accept %s", (value) => {
    const expected = value === "1" || value.toLowerCase() === "true";
    const read = readConfiguration(
      {},
      { ...enough, PLATFORM_ADOPT: value, PLATFORM_ALLOW_SELF_LOCKOUT: value, PLATFORM_OVERWRITE: value },
    );
    expect(read).toMatchObject({ adopt: expected, allowSelfLockout: expected, overwrite: expected });
  });

  test("leave to remove one's own access cannot stay in a stack's configuration", () => {
    expect(messageOf({ "platform:allowSelfLockout": "true" }, enough)).toContain("platform:allowSelfLockout is not a setting");
  });

  test.each(["http://localhost:4010", "http://127.0.0.1:4010", "http://[::1]:4010", "https://API.example.com:8443/x"])(
    "the address %s is accepted",
    (address) => {
      expect(readConfiguration({ "platform:baseUrl": address }, enough).baseUrl).toBe(address.replace("API", "api"));
    },
  );

  test.each([
    ["api.example.com", "not an absolute address"],
    ["/relative", "not an absolute address"],
    ["ftp://api.example.com", "not an https address"],
    ["http://api.example.com", "plain http"],
    ["http://localhost.example.com", "plain http"],
    ["https://user:hunter22@api.example.com", "user name or password"],
    ["https://api.example.com/?a=b", "query or a fragment"],
    ["https://api.example.com/#top", "query or a fragment"],
  ])("the address %s is rejected", (address, why) => {
    for (const key of ["baseUrl", "authUrl"]) {
      const message = messageOf({ [`platform:${key}`]: address }, enough);
      expect(message).toContain(`platform:${key}`);
      expect(message).toContain(why);
      expect(message).not.toContain("hunter22");
    }
  });

  test.each([
    ["PLATFORM_ADOPT", "yes", "true nor false"],
    ["PLATFORM_API_VERSION", "v1", "v2beta1, v2 or auto"],
    ["PLATFORM_IDENTITY", "a//b", "uid"],
    ["PLATFORM_IDENTITY", "../x", "uid"],
    ["PLATFORM_ORGANIZATION", "a/", "uid"],
    ["PLATFORM_TOKEN", "Bearer abc", "one word"],
    ["PLATFORM_IDENTITY", goodOidcToken(), "PLATFORM_OIDC_TOKEN"],
  ])("%s=%s is rejected by name", (variable, value, why) => {
    const message = messageOf({}, { ...enough, [variable]: value });
    expect(message).toContain(variable);
    expect(message).toContain(why);
  });

  test("no address: the error says how to set one", () => {
    const message = messageOf({}, { PLATFORM_TOKEN: "opaque-token" });
    expect(message).toContain("pulumi config set platform:baseUrl https://");
    expect(message).toContain("PLATFORM_BASE_URL");
  });

  test.each([
    ["platform:baseURL", "platform:baseUrl"],
    ["platform:orgnization", "platform:organization"],
    ["platform:organisation", "platform:organization"],
    ["platform:oidcTokenfile", "platform:oidcTokenFile"],
    ["platform:tokenComand", "platform:tokenCommand"],
    ["platform:adopts", "platform:adopt"],
  ])("the unknown key %s is answered with %s", (key, nearest) => {
    expect(messageOf({ [key]: "x" }, enough)).toContain(`${key} is not a setting; did you mean ${nearest}?`);
  });

  test.each([
    ["PLATFORM_READONLY", "PLATFORM_READ_ONLY"],
    ["PLATFORM_BASEURL", "PLATFORM_BASE_URL"],
    ["PLATFORM_ALLOW_SELF_LOCK_OUT", "PLATFORM_ALLOW_SELF_LOCKOUT"],
  ])("the variable %s is answered with %s: a run that may only read would write", (variable, nearest) => {
    const message = messageOf({}, { ...enough, [variable]: "sekrit" });
    expect(message).toContain(`${variable} is not a setting; did you mean ${nearest}? Rename or unset it.`);
    expect(message).not.toContain("sekrit");
  });

  test("variables of other tools, and empty ones, are none of ours", () => {
    const others = {
      PLATFORM_BRANCH: "main",
      PLATFORM_TOKEN_2: "x",
      PLATFORM_IDENTITY_UID: "x",
      PLATFORM_PROJECT: "x",
      PLATFORM_WEBHOOK_SECRET: "x",
      PLATFORM_READONLY: " ",
    };
    expect(() => readConfiguration({}, { ...enough, ...others })).not.toThrow();
  });

  test("a key that is near none is answered with all of them", () => {
    const message = messageOf({ "platform:colour": "x" }, enough);
    expect(message).toContain("platform:colour is not a setting; the settings are platform:baseUrl, platform:authUrl,");
    expect(message).not.toContain("did you mean");
  });

  test("without a stack, no message names a key of a configuration or a command for one", () => {
    for (const environment of [{}, { PLATFORM_BASE_URL: baseUrl }, { PLATFORM_TOKEN: "opaque-token" }]) {
      const message = messageOf(undefined, environment);
      expect(message).toMatch(/PLATFORM_(BASE_URL|TOKEN)/);
      expect(message).not.toMatch(/pulumi config|platform:/);
    }
  });

  test.each(["0", "65", "1.5", "-1", "many", "1e1", "0x10"])("concurrency %s is not a whole number from 1 to 64", (value) => {
    const message = messageOf({ "platform:concurrency": value }, enough);
    expect(message).toBe("platform:concurrency is not a whole number from 1 to 64. Set it to a number in that range.");
  });

  test.each(["1", "8", "64"])("concurrency %s is accepted", (value) => {
    expect(readConfiguration({ "platform:concurrency": value }, enough).concurrency).toBe(Number(value));
  });

  test("a log level other than debug is a mistake, not a silent trace", () => {
    expect(messageOf({}, { ...enough, PLATFORM_LOG: "trace" })).toBe(
      "PLATFORM_LOG is not a log level. Set it to debug, or unset it.",
    );
    expect(() => readConfiguration({}, { ...enough, PLATFORM_LOG: "debug" })).not.toThrow();
  });

  test.each([
    ["platform:token", "opaque-value", "PLATFORM_TOKEN"],
    ["platform:oidcToken", "opaque-value", "PLATFORM_OIDC_TOKEN"],
    ["platform:clientSecret", "opaque-value", "PLATFORM_TOKEN"],
    ["platform:password", "opaque-value", "PLATFORM_TOKEN"],
    ["platform:identity", goodOidcToken(), "PLATFORM_TOKEN"],
    ["platform:tokenCommand", `echo ${goodOidcToken()}`, "PLATFORM_TOKEN"],
    ["platform:tokn", goodOidcToken(), "PLATFORM_TOKEN"],
  ])("a secret in %s is rejected, because it would reach the state", (key, value, variable) => {
    const message = messageOf({ [key]: value }, { PLATFORM_BASE_URL: baseUrl, PLATFORM_TOKEN: "opaque-token" });
    expect(message).toContain(`\`pulumi config rm ${key}\``);
    expect(message).toContain(`environment variable ${variable}`);
    expect(message).not.toContain(value);
  });

  test("all problems are reported at once, each on its own line", () => {
    const configured = { "platform:baseUrl": "nowhere", "platform:adopt": "maybe", "platform:colour": "red" };
    const lines = messageOf(configured, { PLATFORM_IDENTITY: "/" }).split("\n- ").slice(1);
    expect(lines.map((line) => line.split(/[ :]/, 2).join(":"))).toEqual([
      "platform:colour",
      "platform:baseUrl",
      "PLATFORM_IDENTITY:is",
      "platform:adopt",
      "No:credentials",
    ]);
  });

  test("no message holds a value, whatever is set wherever", () => {
    const names = Object.values(settings).flatMap((setting) => ("key" in setting ? [setting.key] : []));
    const key = fc.oneof(
      fc.constantFrom(...names),
      fc.constantFrom("platform:token", "platform:oidcToken", "platform:x", "platform:password"),
    );
    const variable = fc.constantFrom(...Object.values(settings).map(({ environment }) => environment));
    const planted = "Kq7PlantedValue";
    const value = fc
      .constantFrom(
        "X",
        "https://X",
        "https://u:X@h",
        "http://X.example.com",
        "https://h/?X",
        "X X",
        "'X",
        "a//X",
        "'' X",
        `${goodOidcToken()}X`,
      )
      .map((text) => text.replace("X", planted));
    fc.assert(
      fc.property(fc.dictionary(key, value), fc.dictionary(variable, value), (configured, environment) => {
        expect(messageOf(configured, environment).toLowerCase()).not.toContain(planted.toLowerCase());
      }),
      { seed: 11, numRuns: 1_000 },
    );
  });
});

describe("the identity of a run", () => {
  const both = { "platform:identity": "a/1", "platform:readOnlyIdentity": "a/2" };
  const oidc = { PLATFORM_BASE_URL: "https://api.example.com", PLATFORM_OIDC_TOKEN: "t" };
  const readOnly = { ...oidc, PLATFORM_READ_ONLY: "true" };

  test("is the one for reading in a run that may only read, and the usual one in any other", () => {
    expect(readConfiguration(both, readOnly)).toMatchObject({ identity: "a/2", readOnly: true });
    expect(readConfiguration(both, oidc)).toMatchObject({ identity: "a/1", readOnly: false });
    expect(readConfiguration(both, { ...readOnly, PLATFORM_IDENTITY: "a/2" })).toMatchObject({ identity: "a/2" });
    expect(readConfiguration({}, { ...readOnly, PLATFORM_IDENTITY: "a/3" })).toMatchObject({ identity: "a/3", readOnly: true });
  });

  test.each([oidc, readOnly])("PLATFORM_IDENTITY that differs from the configuration is an error that names both: %j", (run) => {
    const read = () => readConfiguration(both, { ...run, PLATFORM_IDENTITY: "a/3" });
    expect(read).toThrow("PLATFORM_IDENTITY and platform:identity name different identities");
    expect(read).toThrow("pulumi config rm platform:identity");
  });

  test("a run that may only read never assumes the identity that applies because no other is named", () => {
    const alone = { "platform:identity": "a/1" };
    for (const environment of [readOnly, { ...readOnly, PLATFORM_IDENTITY: "a/1" }])
      expect(() => readConfiguration(alone, environment)).toThrow("Set platform:readOnlyIdentity");
    expect(() => readConfiguration({}, readOnly)).toThrow("Set platform:readOnlyIdentity");
    // An API token acts as the identity that it was issued for.
    const token = { PLATFORM_BASE_URL: "https://api.example.com", PLATFORM_TOKEN: "t", PLATFORM_READ_ONLY: "true" };
    expect(readConfiguration(alone, token)).toMatchObject({ readOnly: true });
  });

  test("a misspelt PLATFORM_READ_ONLY is an error, not a run that may write", () => {
    expect(() => readConfiguration(both, { ...oidc, PLATFORM_READ_ONLY: "ture" })).toThrow("PLATFORM_READ_ONLY is neither");
  });
});

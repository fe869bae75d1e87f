import { boundSettings } from "../../provider/host/rehearsal/bound-settings";
import { errorOf } from "../client/support";

const environment = {
  PLATFORM_BASE_URL: "https://platform.example",
  PLATFORM_AUTH_URL: "https://login.example",
  PLATFORM_IDENTITY: "a/b",
  PLATFORM_OIDC_TOKEN: "header.payload.signature",
};

test("a provider with the settings of the run is served, and only the environment says where and as whom", () => {
  const same = {
    "platform:baseUrl": "https://platform.example/",
    "platform:authUrl": "https://login.example",
    "platform:audience": "https://platform.example",
    "platform:identity": "a/b",
    "platform:organization": "a",
    "platform:adopt": "true",
    "platform:arguments": "identity,organization",
  };
  expect(boundSettings(same, environment)).toEqual({
    "platform:organization": "a",
    "platform:adopt": "true",
    "platform:arguments": "organization",
  });
});

test("the stack's token file and token command are not used, because a pipeline may have others", () => {
  expect(boundSettings({ "platform:oidcTokenFile": "/no/such/file" }, environment)).toEqual({});
  expect(boundSettings({ "platform:tokenCommand": "print-token" }, environment)).toEqual({});
});

test.each([
  ["baseUrl", "https://elsewhere.example", "PLATFORM_BASE_URL"],
  ["authUrl", "https://elsewhere.example", "PLATFORM_AUTH_URL"],
  ["audience", "https://elsewhere.example", "PLATFORM_AUDIENCE"],
  ["identity", "a/c", "PLATFORM_IDENTITY"],
  ["oidcAudience", "elsewhere.example", "PLATFORM_OIDC_AUDIENCE"],
  ["oidcTokenFile", "/another/file", "PLATFORM_OIDC_TOKEN_FILE"],
  ["tokenCommand", "print-token", "PLATFORM_TOKEN_COMMAND"],
])("a provider that names another %s is rejected by name, with the variable that decides", (name, value, variable) => {
  const settings = { [`platform:${name}`]: value, "platform:arguments": name };
  const error = errorOf(() => boundSettings(settings, environment));
  return expect(error).resolves.toMatchObject({
    code: "CONFIGURATION",
    message: expect.stringMatching(`The provider with the arguments ${name} names another ${name}.*${variable}`) as string,
  });
});

test("an explicit provider with the token file of the run is served", () => {
  const { PLATFORM_OIDC_TOKEN: _, ...others } = environment;
  const file = { ...others, PLATFORM_OIDC_TOKEN_FILE: "/run/token" };
  expect(boundSettings({ "platform:oidcTokenFile": "/run/token", "platform:arguments": "oidcTokenFile" }, file)).toEqual({});
});

import { engineEnvironment, withoutCredentials } from "../../rehearse/environment";

const own = {
  home: "/private/home",
  temporary: "/private/tmp",
  backend: "/private/backend",
  passphrase: "a-passphrase",
  rehearsal: "{}",
};

test("the engine gets the settings, and no credential for the platform, the pipeline or the service", () => {
  const environment = engineEnvironment(
    {
      PATH: "/bin",
      PLATFORM_BASE_URL: "https://platform.example",
      PLATFORM_ADOPT: "true",
      PULUMI_STACK: "live",
      PLATFORM_TOKEN: "secret-1",
      PLATFORM_OIDC_TOKEN: "secret-2",
      PLATFORM_OIDC_TOKEN_FILE: "/secret-3",
      PLATFORM_TOKEN_COMMAND: "printenv OTHER_TOKEN",
      OTHER_TOKEN: "secret-4",
      PLATFORM_SECRET_OF_MINE: "secret-5",
      PLATFORM_READ_ONLY: "true",
      PLATFORM_READ_ONLY_IDENTITY: "0123/abcd",
      ACTIONS_ID_TOKEN_REQUEST_URL: "https://secret-6",
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "secret-7",
      PULUMI_ACCESS_TOKEN: "secret-8",
      PULUMI_CONFIG_PASSPHRASE: "secret-9",
      PULUMI_CONFIG_PASSPHRASE_FILE: "/secret-10",
      PULUMI_BACKEND_URL: "https://service.example",
      PULUMI_DEBUG_PROVIDERS: "platform:1",
      PULUMI_DEBUG_LANGUAGES: "nodejs:1",
      PULUMI_DEBUG_GRPC: "/tmp/calls.json",
    },
    own,
  );
  expect(JSON.stringify(environment)).not.toMatch(/secret-/);
  expect(environment).toMatchObject({
    PATH: "/bin",
    PLATFORM_BASE_URL: "https://platform.example",
    PLATFORM_ADOPT: "true",
    PULUMI_STACK: "live",
    PLATFORM_REHEARSAL: "{}",
    PULUMI_HOME: "/private/home",
    TMPDIR: "/private/tmp",
    PULUMI_BACKEND_URL: "file:///private/backend",
    PULUMI_CONFIG_PASSPHRASE: "a-passphrase",
  });
  const others = ["PROVIDERS", "LANGUAGES", "GRPC"].map((name) => `PULUMI_DEBUG_${name}`);
  for (const name of ["PLATFORM_READ_ONLY", "PLATFORM_READ_ONLY_IDENTITY", ...others])
    expect(environment).not.toHaveProperty(name);
});

test("a variable with the value of a credential is left out, whatever its name, and one with a part of a setting is not", () => {
  const jwt = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJjaSJ9.c2lnbmF0dXJl";
  const kept = { HOME: "/home/ci", BIN: "/home/ci/bin", EMPTY: "", CI: "true", AZURE_FEDERATED_TOKEN_FILE: "/run/token" };
  expect(
    withoutCredentials({
      ...kept,
      PLATFORM_TOKEN: "an-opaque-token",
      PLATFORM_OIDC_TOKEN: "",
      PLATFORM_OIDC_TOKEN_FILE: "/run/token",
      PLATFORM_READ_ONLY: "true",
      PLATFORM_TOKEN_COMMAND: "printenv SHORT_TOKEN",
      SHORT_TOKEN: jwt,
      SAME: "an-opaque-token",
      HEADER: `Bearer ${jwt}`,
    }),
  ).toEqual(kept);
});

import Ajv from "ajv";
import { documentSchemas } from "../../../cli/documents";
import type { WhoamiDocument } from "../../../cli/documents/whoami";
import { expectEnd, pulumiIn, run } from "../../support/cli";
import { scratchFolder } from "../../support/scratch-folder";
import { TestPlatform } from "../../support/test-platform";

const folder = scratchFolder();
const platform = TestPlatform.forFile();

/** The settings of a run with an API token as it is. */
const withToken = (token: string) => ({
  PLATFORM_BASE_URL: platform.baseUrl,
  PLATFORM_ORGANIZATION: platform.root,
  PLATFORM_TOKEN: token,
});

async function whoami(environment: Record<string, string>, code: number) {
  const { stdout, stderr } = expectEnd(await run(["whoami", "--json"], environment), code);
  return { result: JSON.parse(stdout) as WhoamiDocument, output: stdout + stderr };
}

test("the document has the identity with its path, its token's expiry, the source and the versions served, and fits its schema", async () => {
  const { result } = await whoami(platform.environment, 0);
  expect(result).toMatchObject({
    problems: [],
    identity: { uid: platform.identity, path: expect.stringMatching(/^[\w.-]+\/[\w-]+$/) as string, statedBy: "token" },
    token: { audience: [platform.baseUrl] },
    apiVersion: { configured: "v2beta1", served: ["v2", "v2beta1"] },
    login: expect.anything() as object,
  });
  expect(Date.parse(result.token?.expiresAt ?? "")).toBeGreaterThan(Date.now());
  expect(result.sources.find(({ state }) => state === "taken")?.name).toBe("PLATFORM_OIDC_TOKEN_FILE");
  expect(new Ajv().validate(documentSchemas()["whoami"] as object, result)).toBe(true);
});

test("the text says the same in words, and exits with 0", async () => {
  expectEnd(await run(["whoami"], { ...platform.environment, PLATFORM_READ_ONLY: "true" }), 0, {
    stdout: [
      /^identity +\S+ \([0-9a-f/]+\)$/m,
      /^API token +expires at \S+, in \d+ min; audience http/m,
      /^changes +rejected/m,
      /PLATFORM_OIDC_TOKEN_FILE +taken/,
    ],
  });
});

test("without credentials, the error lists every way to set them, with exit code 1", async () => {
  const stderr = ["PLATFORM_TOKEN", "PLATFORM_OIDC_TOKEN_FILE", "GitHub Actions"];
  expectEnd(await run(["whoami"], { PLATFORM_BASE_URL: platform.baseUrl }), 1, { stdout: [], stderr });
});

test("a token that the platform rejects is a problem, with exit code 1; no output has it", async () => {
  const { result, output } = await whoami(withToken("wrong-token"), 1);
  expect(result.problems).toEqual([expect.stringContaining("PLATFORM_TOKEN")]);
  expect(output).not.toContain("wrong-token");
});

test("a token that has expired is a problem, and is not sent", async () => {
  const payload = Buffer.from(JSON.stringify({ exp: 1_000_000_000 })).toString("base64url");
  await platform.clearRequests();
  const { result } = await whoami(withToken(`h.${payload}.s`), 1);
  expect(result.problems).toEqual([expect.stringContaining("expired at 2001-09-09")]);
  expect((await platform.requests()).filter((request) => !request.path.startsWith("/ping/"))).toEqual([]);
});

test("an OIDC token that nobody matches is a problem, with its claims; no output has the token", async () => {
  const token = await platform.oidcToken({ subject: "stranger" });
  const environment = { ...platform.environment, PLATFORM_OIDC_TOKEN_FILE: "", PLATFORM_OIDC_TOKEN: token };
  const { result, output } = await whoami(environment, 1);
  expect(result.problems[0]).toContain('subject "stranger"');
  expect(result.token).toBeUndefined();
  expect(output).not.toContain(token.slice(-20));
  expectEnd(await run(["whoami"], environment), 1, { stdout: /^identity +unknown, for there is no API token$/m });
});

test("an identity without a role works: its names stay hidden, and that is no problem", async () => {
  const claimMatch = { issuer: "https://issuer.example", subject: "no-role" };
  const ci = await platform.create("identities", platform.root, { name: "no-role", claimMatch });
  const { result } = await whoami(withToken(await platform.apiToken({ identity: ci.uid })), 0);
  expect([result.problems, result.identity]).toEqual([[], { uid: ci.uid, statedBy: "token" }]);
});

test("with --stack, the configuration of the stack comes first", async () => {
  const config = {
    "platform:baseUrl": { value: platform.baseUrl },
    "platform:identity": { value: platform.identity },
    "platform:oidcTokenFile": { value: platform.oidcTokenFile },
  };
  const environment = { PATH: pulumiIn(folder, `echo '${JSON.stringify(config)}'`), PLATFORM_TOKEN: "other-token" };
  const { stdout } = expectEnd(await run(["whoami", "--stack", "prod"], environment), 0, {
    stdout: [/platform:oidcTokenFile +taken/, /PLATFORM_TOKEN +passed over: the stack's configuration/],
  });
  expect(stdout).not.toContain("other-token");
});

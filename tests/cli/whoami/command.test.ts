import Ajv from "ajv";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { WhoamiDocument } from "../../../cli/documents/whoami";
import { documentSchemas } from "../../../cli/documents";
import { TestPlatform } from "../../support/test-platform";
import { run } from "../../support/cli";

let platform: TestPlatform;

beforeAll(async () => {
  platform = await TestPlatform.start();
});
afterAll(() => platform.close());

/** The settings of a run with an API token as it is. */
const withToken = (token: string) => ({
  PLATFORM_BASE_URL: platform.baseUrl,
  PLATFORM_ORGANIZATION: platform.root,
  PLATFORM_TOKEN: token,
});

async function whoami(environment: Record<string, string>) {
  const { code, stdout, stderr } = await run(["whoami", "--json"], environment);
  return { code, stderr, result: JSON.parse(stdout) as WhoamiDocument, stdout };
}

test("the document has the identity with its path, its token's expiry, the source and the versions served, and fits its schema", async () => {
  const { code, result } = await whoami(platform.environment);
  expect([code, result.problems]).toEqual([0, []]);
  expect(result.identity).toMatchObject({ uid: platform.identity, statedBy: "token" });
  expect(result.identity?.path).toMatch(/^[\w.-]+\/[\w-]+$/);
  expect(Date.parse(result.token?.expiresAt ?? "")).toBeGreaterThan(Date.now());
  expect(result.token?.audience).toEqual([platform.baseUrl]);
  expect(result.apiVersion).toEqual({ configured: "v2beta1", served: ["v2", "v2beta1"] });
  expect(result.login).toBeDefined();
  expect(result.sources.find(({ state }) => state === "taken")?.name).toBe("PLATFORM_OIDC_TOKEN_FILE");
  expect(new Ajv().validate(documentSchemas()["whoami"] as object, result)).toBe(true);
});

test("the text says the same in words, and exits with 0", async () => {
  const { code, stdout } = await run(["whoami"], { ...platform.environment, PLATFORM_READ_ONLY: "true" });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^identity +\S+ \([0-9a-f/]+\)$/m);
  expect(stdout).toMatch(/^API token +expires at \S+, in \d+ min; audience http/m);
  expect(stdout).toMatch(/^changes +rejected before they are sent/m);
  expect(stdout).toMatch(/PLATFORM_OIDC_TOKEN_FILE +taken/);
});

test("without credentials, the error lists every way to set them, with exit code 1", async () => {
  const { code, stdout, stderr } = await run(["whoami"], { PLATFORM_BASE_URL: platform.baseUrl });
  expect([code, stdout]).toEqual([1, ""]);
  for (const name of ["PLATFORM_TOKEN", "PLATFORM_OIDC_TOKEN_FILE", "GitHub Actions"]) expect(stderr).toContain(name);
});

test("a token that the platform rejects is a problem, with exit code 1; no output has it", async () => {
  const { code, result, stdout, stderr } = await whoami(withToken("wrong-token"));
  expect(code).toBe(1);
  expect(result.problems).toEqual([expect.stringContaining("The token came from PLATFORM_TOKEN")]);
  expect(stdout + stderr).not.toContain("wrong-token");
});

test("a token that has expired is a problem, and is not sent", async () => {
  const payload = Buffer.from(JSON.stringify({ exp: 1_000_000_000 })).toString("base64url");
  await platform.clearRequests();
  const { code, result } = await whoami(withToken(`h.${payload}.s`));
  expect(code).toBe(1);
  expect(result.problems).toEqual([expect.stringContaining("expired at 2001-09-09")]);
  expect((await platform.requests()).filter((request) => !request.path.startsWith("/ping/"))).toEqual([]);
});

test("an OIDC token that nobody matches is a problem, with its claims; no output has the token", async () => {
  const token = await platform.oidcToken({ subject: "stranger" });
  const { PLATFORM_OIDC_TOKEN_FILE: _, ...others } = platform.environment;
  const { code, result, stdout, stderr } = await whoami({ ...others, PLATFORM_OIDC_TOKEN: token });
  expect(code).toBe(1);
  expect(result.problems[0]).toContain('subject "stranger"');
  expect(result.token).toBeUndefined();
  expect(stdout + stderr).not.toContain(token.slice(-20));
  const { stdout: text } = await run(["whoami"], { ...others, PLATFORM_OIDC_TOKEN: token });
  expect(text).toMatch(/^identity +unknown, for there is no API token$/m);
});

test("an identity without a role works: its names stay hidden, and that is no problem", async () => {
  const ci = await platform.create("identities", platform.root, {
    name: "no-role",
    claimMatch: { issuer: "https://issuer.example", subject: "no-role" },
  });
  const { code, result } = await whoami(withToken(await platform.apiToken({ identity: ci.uid })));
  expect([code, result.problems]).toEqual([0, []]);
  expect(result.identity).toEqual({ uid: ci.uid, statedBy: "token" });
});

test("with --stack, the configuration of the stack comes first", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "whoami-"));
  const config = {
    "platform:baseUrl": { value: platform.baseUrl },
    "platform:identity": { value: platform.identity },
    "platform:oidcTokenFile": { value: platform.oidcTokenFile },
  };
  await writeFile(path.join(folder, "pulumi"), `#!/bin/sh\necho '${JSON.stringify(config)}'\n`, { mode: 0o755 });
  const { code, stdout } = await run(["whoami", "--stack", "prod"], {
    PATH: `${folder}:${process.env["PATH"] ?? ""}`,
    PLATFORM_TOKEN: "other-token",
  });
  await rm(folder, { recursive: true });
  expect(code).toBe(0);
  expect(stdout).toMatch(/platform:oidcTokenFile +taken/);
  expect(stdout).toMatch(/PLATFORM_TOKEN +passed over: the stack's configuration comes first/);
  expect(stdout).not.toContain("other-token");
});

import Ajv from "ajv";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { documentSchemas } from "../../../cli/documents";
import type { DoctorDocument } from "../../../cli/documents/doctor";
import { run } from "../../support/cli";
import { TestPlatform } from "../../support/test-platform";

let platform: TestPlatform;
let folder: string;

beforeAll(async () => {
  platform = await TestPlatform.start();
  folder = await mkdtemp(path.join(tmpdir(), "doctor-"));
});
afterAll(async () => {
  await platform.close();
  await rm(folder, { recursive: true });
});

/** The findings with their statuses, `token: ok`, and the whole output. */
async function doctor(environment: Record<string, string>, args: string[] = []) {
  const { code, stdout, stderr } = await run(["doctor", "--json", ...args], { PATH: folder, ...environment });
  const document = JSON.parse(stdout) as DoctorDocument;
  const of = (check: string) => document.findings.find((finding) => finding.check === check);
  return { code, document, of, output: stdout + stderr };
}

const withToken = (token: string) => ({
  PLATFORM_BASE_URL: platform.baseUrl,
  PLATFORM_ORGANIZATION: platform.root,
  PLATFORM_TOKEN: token,
});

/** A program `pulumi` that answers as the CLI does. */
async function pulumi(config: object, state: object): Promise<void> {
  const script = `#!/bin/sh
case "$1" in
  version) echo v3.259.0 ;;
  config) echo '${JSON.stringify(config)}' ;;
  stack) echo '${JSON.stringify(state)}' ;;
esac`;
  await writeFile(path.join(folder, "pulumi"), `${script}\n`, { mode: 0o755 });
}

/** An identity with a built-in role at the root, or with none. */
async function identity(name: string, role?: string): Promise<string> {
  const claimMatch = { issuer: "https://issuer.example", subject: name };
  const { uid } = await platform.create("identities", platform.root, { name, claimMatch });
  if (role !== undefined)
    await platform.create("roleBindings", platform.root, { identityUid: uid, roleUid: await platform.role(role) });
  return uid;
}

test("where all is well, every check is ok but the missing tools, it fits its schema, and exits with 0; nothing was written", async () => {
  await platform.clearRequests();
  const { code, document, of } = await doctor(platform.environment);
  expect([code, document.findings.filter(({ status }) => status === "problem")]).toEqual([0, []]);
  for (const check of ["Node.js", "configuration", "API version", "clock", "token", "organisation", "rights"])
    expect([check, of(check)?.status]).toEqual([check, "ok"]);
  expect(of("Pulumi CLI")?.status).toBe("warning");
  expect(new Ajv().validate(documentSchemas()["doctor"] as object, document)).toBe(true);
  expect(await platform.writes()).toEqual([]);
});

test("without credentials, the configuration is a problem that says every way to set them, with exit code 1", async () => {
  const { code, of } = await doctor({ PLATFORM_BASE_URL: platform.baseUrl });
  expect(code).toBe(1);
  expect(of("configuration")).toMatchObject({
    status: "problem",
    message: expect.stringContaining("PLATFORM_OIDC_TOKEN_FILE") as string,
  });
});

test("a token that the platform rejects is a problem at the organisation; no output has it", async () => {
  const { code, of, output } = await doctor(withToken("wrong-token"));
  expect([code, of("organisation")?.status]).toEqual([1, "problem"]);
  expect(of("organisation")?.message).toContain("PLATFORM_TOKEN");
  expect(output).not.toContain("wrong-token");
});

test("a token that has expired is a problem", async () => {
  const payload = Buffer.from(JSON.stringify({ exp: 1_000_000_000 })).toString("base64url");
  const { code, of } = await doctor(withToken(`h.${payload}.s`));
  expect([code, of("token")?.status]).toEqual([1, "problem"]);
});

test("an address where nothing of the platform answers is a problem", async () => {
  const { code, of } = await doctor({ ...platform.environment, PLATFORM_BASE_URL: `${platform.baseUrl}/wrong` });
  expect([code, of("API version")?.status]).toEqual([1, "problem"]);
});

test("an identity without a role: the organisation is not visible to it, a problem that says what to check", async () => {
  const uid = await identity("no-role");
  const { code, of } = await doctor(withToken(await platform.apiToken({ identity: uid })));
  expect([code, of("organisation")?.status]).toEqual([1, "problem"]);
  expect(of("organisation")?.message).toMatch(/^These credentials see no group .+\. Check its uid, the address of the API/);
});

test.each([
  [60, "warning", 0],
  [-60, "warning", 0],
  [600, "problem", 1],
])("a platform whose clock is off by %d s: %s", async (clockOffsetSeconds, status, expected) => {
  const token = await platform.apiToken();
  await platform.settings({ clockOffsetSeconds });
  const { code, of } = await doctor(withToken(token));
  await platform.settings({ clockOffsetSeconds: 0 });
  expect([of("clock")?.status, code]).toEqual([status, expected]);
});

test("with --stack, a viewer sees which capabilities the objects of the stack need, unless the run only reads", async () => {
  const uid = await identity("watcher", "viewer");
  const { uid: group } = await platform.create("groups", platform.root, { name: "doctored" });
  const urn = "urn:pulumi:prod::p::platform:iam:Group::doctored";
  const resource = { urn, type: "platform:iam:Group", custom: true, id: group, inputs: {}, outputs: { uid: group } };
  await pulumi(
    { "platform:baseUrl": { value: platform.baseUrl }, "platform:organization": { value: platform.root } },
    { version: 3, deployment: { resources: [resource] } },
  );
  const environment = { PLATFORM_TOKEN: await platform.apiToken({ identity: uid }), PATH: `${folder}:/usr/bin:/bin` };
  const { code, document, of } = await doctor(environment, ["--stack", "prod"]);
  const lacking = document.findings.filter(({ check }) => check === "stack").map(({ message }) => message.split(" ")[0]);
  expect([code, lacking]).toEqual([1, ["CAP_IAM_GROUPS_CREATE", "CAP_IAM_GROUPS_DELETE", "CAP_IAM_GROUPS_UPDATE"]]);
  expect(of("Pulumi CLI")).toMatchObject({ status: "ok", message: "Version 3.259.0." });
  const reading = await doctor({ ...environment, PLATFORM_READ_ONLY: "true" }, ["--stack", "prod"]);
  expect(reading.of("stack")?.status).toBe("ok");
});

test("a read-only identity that can write is a warning, and so is one that no run assumes, because its token is used as is", async () => {
  const reader = { PLATFORM_READ_ONLY_IDENTITY: platform.identity };
  const { code, of } = await doctor({ ...platform.environment, ...reader });
  expect([code, of("read-only identity")?.status]).toEqual([0, "warning"]);
  expect(of("read-only identity")?.message).toContain("_CREATE");
  const asItIs = await doctor({ ...withToken(await platform.apiToken()), ...reader });
  expect(asItIs.of("read-only identity")?.message).toContain("used as is");
  const stranger = await doctor({ ...platform.environment, PLATFORM_READ_ONLY_IDENTITY: `${platform.root}/0123456789abcdef` });
  expect([stranger.code, stranger.of("read-only identity")?.status]).toEqual([1, "problem"]);
});

test("the text has a line for each finding, and its fix below", async () => {
  const { code, stdout } = await run(["doctor"], { ...platform.environment, PATH: "/nowhere" });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ok {7}configuration: The address is /m);
  expect(stdout).toMatch(/^warning {2}Pulumi CLI: .*\n {9}fix: Install it/m);
});

import { writeFile } from "node:fs/promises";
import path from "node:path";
import Ajv from "ajv";
import { documentSchemas } from "../../../cli/documents";
import type { DoctorDocument } from "../../../cli/documents/doctor";
import { expectEnd, pulumiIn, run } from "../../support/cli";
import { made, previewText } from "../../support/preview-steps";
import { scratchFolder } from "../../support/scratch-folder";
import { TestPlatform } from "../../support/test-platform";

const folder = scratchFolder();
const platform = TestPlatform.forFile();

/** How the command ended, and its findings. */
async function doctor(environment: Record<string, string>, code: number, args: string[] = []) {
  const { stdout, stderr } = expectEnd(await run(["doctor", "--json", ...args], { PATH: folder, ...environment }), code);
  const document = JSON.parse(stdout) as DoctorDocument;
  const of = (check: string) => document.findings.find((finding) => finding.check === check);
  return { document, of, output: stdout + stderr };
}

const withToken = (token: string) => ({
  PLATFORM_BASE_URL: platform.baseUrl,
  PLATFORM_ORGANIZATION: platform.root,
  PLATFORM_TOKEN: token,
});

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
  const { document, of } = await doctor(platform.environment, 0);
  expect(document.findings.filter(({ status }) => status === "problem")).toEqual([]);
  for (const check of ["Node.js", "configuration", "API version", "clock", "token", "organisation", "rights"])
    expect([check, of(check)?.status]).toEqual([check, "ok"]);
  expect(of("Pulumi CLI")?.status).toBe("warning");
  expect(new Ajv().validate(documentSchemas()["doctor"] as object, document)).toBe(true);
  expect(await platform.writes()).toEqual([]);
});

const expired = `h.${Buffer.from(JSON.stringify({ exp: 1_000_000_000 })).toString("base64url")}.s`;

test.each<[string, () => Record<string, string>, string, string]>([
  ["no credentials", () => ({ PLATFORM_BASE_URL: platform.baseUrl }), "configuration", "PLATFORM_OIDC_TOKEN_FILE"],
  ["a token that the platform rejects", () => withToken("wrong-token"), "organisation", "PLATFORM_TOKEN"],
  ["a token that has expired", () => withToken(expired), "token", "expired"],
  [
    "an address where nothing listens",
    () => ({ ...platform.environment, PLATFORM_BASE_URL: "http://127.0.0.1:1" }),
    "API version",
    "Check the API address, the network, and that the server is up.",
  ],
  [
    "an address where nothing of the platform answers",
    () => ({ ...platform.environment, PLATFORM_BASE_URL: `${platform.baseUrl}/wrong` }),
    "API version",
    "",
  ],
])(
  "%s is a problem, with exit code 1, that says what to look at; no output has the token",
  async (_, environment, check, words) => {
    const { of, output } = await doctor(environment(), 1);
    const { status, message, fix = "" } = of(check) ?? {};
    expect(status).toBe("problem");
    expect(`${message} ${fix}`).toContain(words);
    for (const token of ["wrong-token", expired]) expect(output).not.toContain(token);
  },
);

test("an identity without a role: the organisation is not visible to it, a problem that says what to check", async () => {
  const uid = await identity("no-role");
  const { of } = await doctor(withToken(await platform.apiToken({ identity: uid })), 1);
  const message = expect.stringMatching(/no group [^ ]+ \[NOT_FOUND\]$/) as string;
  const fix = expect.stringMatching(/uid, the address of the API/) as string;
  expect(of("organisation")).toMatchObject({ status: "problem", message, fix });
});

test.each([
  [60, "warning", 0],
  [-60, "warning", 0],
  [600, "problem", 1],
])("a platform whose clock is off by %d s: %s", async (clockOffsetSeconds, status, code) => {
  const token = await platform.apiToken();
  await platform.settings({ clockOffsetSeconds });
  const { of } = await doctor(withToken(token), code);
  await platform.settings({ clockOffsetSeconds: 0 });
  expect(of("clock")?.status).toBe(status);
});

test("with --stack, a viewer sees which capabilities the objects of the stack need, unless the run only reads", async () => {
  const uid = await identity("watcher", "viewer");
  const { uid: group } = await platform.create("groups", platform.root, { name: "doctored" });
  const urn = "urn:pulumi:prod::p::platform:iam:Group::doctored";
  const resource = { urn, type: "platform:iam:Group", custom: true, id: group, inputs: {}, outputs: { uid: group } };
  const config = {
    "platform:baseUrl": { value: platform.baseUrl },
    "platform:organization": { value: platform.root },
  };
  const state = { version: 3, deployment: { resources: [resource] } };
  const answers = `version) echo v3.259.0 ;; config) echo '${JSON.stringify(config)}' ;; stack) echo '${JSON.stringify(state)}' ;;`;
  const PATH = pulumiIn(folder, `case "$1" in ${answers} esac`);
  const environment = { PLATFORM_TOKEN: await platform.apiToken({ identity: uid }), PATH };
  const { document, of } = await doctor(environment, 1, ["--stack", "prod"]);
  const lacking = document.findings.filter(({ check }) => check === "stack").map(({ message }) => message.split(" ")[0]);
  expect(lacking).toEqual(["CAP_IAM_GROUPS_CREATE", "CAP_IAM_GROUPS_DELETE", "CAP_IAM_GROUPS_UPDATE"]);
  expect(of("Pulumi CLI")).toMatchObject({ status: "ok", message: expect.stringContaining("3.259.0") as string });
  const reading = await doctor({ ...environment, PLATFORM_READ_ONLY: "true" }, 0, ["--stack", "prod"]);
  expect(reading.of("stack")?.status).toBe("ok");
});

test.each<[string, () => Promise<Record<string, string>>, string, string, number]>([
  ["can write", () => identified(platform.identity), "warning", "_CREATE", 0],
  [
    "no run assumes, because its token is used as is",
    async () => ({ ...withToken(await platform.apiToken()), PLATFORM_READ_ONLY_IDENTITY: platform.identity }),
    "warning",
    "used as is",
    0,
  ],
  ["does not exist", () => identified(`${platform.root}/0123456789abcdef`), "problem", "", 1],
])("a read-only identity that %s is told", async (_, environment, status, words, code) => {
  const { of } = await doctor(await environment(), code);
  expect(of("read-only identity")).toMatchObject({ status, message: expect.stringContaining(words) as string });
});

/** The environment of a run that reads as another identity. */
function identified(uid: string): Promise<Record<string, string>> {
  return Promise.resolve({ ...platform.environment, PLATFORM_READ_ONLY_IDENTITY: uid });
}

test("the text has a line for each finding, and its fix below", async () => {
  const stdout = [/^ok {7}configuration: /m, /^warning {2}Pulumi CLI: .*\n {9}fix: Install it/m];
  expectEnd(await run(["doctor"], { ...platform.environment, PATH: "/nowhere" }), 0, { stdout });
});

test("of an error, what follows the first line is the fix", async () => {
  const down = { ...platform.environment, PLATFORM_BASE_URL: "http://127.0.0.1:1", PATH: "/nowhere" };
  const fix = "Check the API address, the network, and that the server is up.";
  expect((await doctor(down, 1)).of("API version")?.fix).toBe(fix);
  expectEnd(await run(["doctor"], down), 1, { stdout: new RegExp(`\\[NOT_CONNECTED\\]\\n {9}fix: ${fix}\\n`) });
});

test("with --preview, the calls of an update that are refused are problems", async () => {
  const uid = await identity("updater", "viewer");
  const file = path.join(folder, "preview.json");
  await writeFile(file, previewText([made("Group", "team", { parentUid: platform.root, name: "team" })]));
  const viewer = await doctor(withToken(await platform.apiToken({ identity: uid })), 1, ["--preview", file]);
  const message = expect.stringContaining("refused: create group team: it lacks CAP_IAM_GROUPS_CREATE") as string;
  expect(viewer.of("preview")).toMatchObject({ status: "problem", message, fix: expect.any(String) as string });
  await platform.clearRequests();
  expect((await doctor(platform.environment, 0, ["--preview", file])).of("preview")?.status).toBe("ok");
  const { requests } = (await platform.admin("GET", "requests")) as { requests: { path: string }[] };
  expect(requests.filter((each) => each.path.startsWith("/sts/"))).toHaveLength(1);
  expect((await doctor(platform.environment, 1, ["--preview", `${file}.txt`])).of("preview")?.status).toBe("problem");
});

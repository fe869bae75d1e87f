import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { DriftDocument } from "../../../cli/documents/drift";
import { run } from "../../support/cli";
import { Organization } from "./organization";

let organization: Organization;
let folder: string;

/** The stacks of a program whose `pulumi` answers as the CLI does. */
async function stack(name: string, config: object, state: string): Promise<void> {
  await writeFile(path.join(folder, `${name}.config.json`), JSON.stringify(config));
  await writeFile(path.join(folder, `${name}.json`), state);
}

beforeAll(async () => {
  organization = await Organization.start();
  folder = await mkdtemp(path.join(tmpdir(), "drift-"));
  const script = `#!/bin/sh
case "$1" in
  config) cat "${folder}/$4.config.json" ;;
  stack) cat "${folder}/$4.json" ;;
esac`;
  await writeFile(path.join(folder, "pulumi"), `${script}\n`, { mode: 0o755 });
  const { baseUrl, environment } = organization.platform;
  const config = { "platform:baseUrl": { value: baseUrl }, "platform:organization": { value: organization.uid("acme") } };
  await stack("people", config, await organization.state("people", (kind) => kind.startsWith("iam:")));
  await stack("registry", {}, await organization.state("registry", (kind) => !kind.startsWith("iam:")));
  const foreign = {
    urn: "urn:pulumi:other::web::platform:iam:Group::g",
    type: "platform:iam:Group",
    custom: true,
    id: "f".repeat(40),
  };
  await stack("other", {}, JSON.stringify({ version: 3, deployment: { resources: [foreign] } }));
  environmentWithoutAddress = Object.fromEntries(
    Object.entries({ ...environment, PATH: `${folder}:${process.env["PATH"] ?? ""}` }).filter(
      ([name]) => name !== "PLATFORM_BASE_URL" && name !== "PLATFORM_ORGANIZATION",
    ),
  );
});
afterAll(async () => {
  await organization.platform.close();
  await rm(folder, { recursive: true });
});

let environmentWithoutAddress: Record<string, string>;

async function drift(...args: string[]) {
  const { code, stdout, stderr } = await run(["drift", "--json", ...args], environmentWithoutAddress);
  return { code, stderr, document: stdout === "" ? undefined : (JSON.parse(stdout) as DriftDocument) };
}

test("two stacks cover the organisation together; the first one's configuration names the platform", async () => {
  expect(await drift("--stack", "people", "--stack", "registry")).toMatchObject({
    code: 0,
    document: { findings: [], notes: [expect.stringMatching(/^SCIM of identity provider /)] },
  });
  const { code, document } = await drift("--stack", "people");
  expect(code).toBe(7);
  expect(document?.findings.map(({ kind }) => kind).sort()).toEqual(["events:Subscription", "registry:Repo", "registry:Tag"]);
});

test("when the reader of its output stops early, the exit code still says drift, and files are whole", async () => {
  const [main, file] = [path.resolve(__dirname, "../../../dist/cli/main.js"), path.join(folder, "drift.json")];
  const command = spawn(process.execPath, [main, "drift", "--json", "--stack", "people", "--output", `json=${file}`], {
    env: environmentWithoutAddress,
    stdio: ["ignore", "pipe", "ignore"],
  });
  command.stdout.destroy();
  expect(await once(command, "close")).toEqual([7, null]);
  expect((JSON.parse(await readFile(file, "utf8")) as DriftDocument).findings).toHaveLength(3);
});

test("a stack and a state file are read together", async () => {
  expect(await drift("--stack", "people", "--state", path.join(folder, "registry.json"))).toMatchObject({ code: 0 });
});

test("--root takes the path of a group: what is beside it is neither compared nor a finding", async () => {
  const { code, document } = await drift("--stack", "people", "--root", "acme/ops");
  expect({ code, root: document?.root }).toEqual({ code: 0, root: { uid: organization.uid("ops"), path: "acme/ops" } });
  expect((await drift("--stack", "people", "--root", "acme/engineering")).document?.findings.map(({ kind }) => kind)).toEqual([
    "registry:Repo",
    "registry:Tag",
  ]);
});

test("a path that no group has is an error that says how far it goes", async () => {
  const { code, stderr } = await drift("--stack", "people", "--root", "acme/enginering");
  expect(code).toBe(1);
  expect(stderr).toContain('Did you mean "engineering"?');
});

test("the state of another organisation is an error, also beside one of this organisation, and with --root", async () => {
  const both = ["--stack", "people", "--stack", "registry", "--stack", "other"];
  for (const args of [["--stack", "people", "--state", path.join(folder, "other.json")], both, [...both, "--root", "acme/ops"]]) {
    const { code, stderr, document } = await drift(...args);
    expect({ code, document }).toEqual({ code: 1, document: undefined });
    expect(stderr).toContain('Stack "web/other" has no object in the organisation');
  }
});

test("what is outside of a configured organisation is never silently left out", async () => {
  const config = { PLATFORM_BASE_URL: organization.platform.baseUrl, PLATFORM_ORGANIZATION: organization.uid("eng") };
  const state = path.join(folder, "people.json");
  const { code, stderr } = await run(["drift", "--state", state], { ...environmentWithoutAddress, ...config });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^\d+ objects in the states are outside of the configured organisation/);
});

test("the report marks what differs from a stack, and from several", async () => {
  const out = path.join(folder, "report.html");
  const findings = async (...args: string[]) => {
    const { stdout } = await run(["report", "--json", "--out", out, ...args], environmentWithoutAddress);
    return (JSON.parse(stdout) as { findings?: number }).findings;
  };
  expect(await findings("--stack", "people")).toBe(3);
  expect(await findings("--stack", "people", "--stack", "registry")).toBe(0);
});

test("a report says what was not compared", async () => {
  const { deployment } = JSON.parse(await organization.state("hidden")) as {
    deployment: { resources: { id: string; inputs: Record<string, unknown> }[] };
  };
  const group = deployment.resources.find(({ id }) => id === organization.uid("eng"));
  const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
  Object.assign(group?.inputs ?? {}, { description: { ...mark, ciphertext: "v1:x" } });
  const [state, out] = [path.join(folder, "hidden.json"), path.join(folder, "hidden.html")];
  await writeFile(state, JSON.stringify({ deployment }));
  const { PLATFORM_BASE_URL = "" } = organization.platform.environment;
  const environment = { ...environmentWithoutAddress, PLATFORM_BASE_URL };
  const { code, stdout, stderr } = await run(["report", "--json", "--out", out, "--state", state], environment);
  const note = expect.stringMatching(/^Not compared, .* encrypted: description of urn:/) as string;
  const scim = expect.stringMatching(/^SCIM of identity provider acme\/sso was not compared/) as string;
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ findings: 0, notes: [note, scim] })]);
  expect(stderr).toContain("Note: Not compared, because");
  expect(await readFile(out, "utf8")).toContain("Not compared, because");
});

test("a report whose drift cannot be determined ends with 1", async () => {
  const { deployment } = JSON.parse(await organization.state("newer")) as { deployment: { resources: object[] } };
  const type = "platform:iam:Robot";
  const robot = { urn: `urn:pulumi:newer::acme::${type}::r`, type, custom: true, id: `${organization.uid("acme")}/1` };
  const file = path.join(folder, "newer.json");
  await writeFile(file, JSON.stringify({ deployment: { resources: [...deployment.resources, robot] } }));
  const args = ["report", "--out", path.join(folder, "newer.html"), "--state", file];
  const { PLATFORM_BASE_URL = "" } = organization.platform.environment;
  const environment = { ...environmentWithoutAddress, PLATFORM_BASE_URL, PLATFORM_ORGANIZATION: organization.uid("acme") };
  expect((await run(args, environment)).code).toBe(1);
});

import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { DriftDocument } from "../../../cli/documents/drift";
import { type Ended, expectEnd, pulumiIn, run, runBuilt, start } from "../../support/cli";
import { scratchFolder } from "../../support/scratch-folder";
import { encrypted, Organization } from "../../drift/organization";

const folder = scratchFolder();
const people = ["--stack", "people"];
const both = [...people, "--stack", "registry"];
let organization: Organization;
/** The settings that say who runs. The configuration of the first stack says where. */
let credentials: Record<string, string>;
let address: Record<string, string>;

const fileOf = (name: string) => path.join(folder, `${name}.json`);

/** A stack of a program whose `pulumi` answers as the CLI does. */
async function stack(name: string, config: object, state: string): Promise<void> {
  await writeFile(fileOf(`${name}.config`), JSON.stringify(config));
  await writeFile(fileOf(name), state);
}

beforeAll(async () => {
  organization = await Organization.start();
  const PATH = pulumiIn(folder, `case "$1" in config) cat "${folder}/$4.config.json" ;; stack) cat "${folder}/$4.json" ;; esac`);
  const { PLATFORM_BASE_URL: baseUrl = "", PLATFORM_ORGANIZATION: _, ...rest } = organization.platform.environment;
  credentials = { ...rest, PATH };
  address = { ...credentials, PLATFORM_BASE_URL: baseUrl };
  const config = { "platform:baseUrl": { value: baseUrl }, "platform:organization": { value: organization.uid("acme") } };
  await stack("people", config, await organization.state("people", (kind) => kind.startsWith("iam:")));
  await stack("registry", {}, await organization.state("registry", (kind) => !kind.startsWith("iam:")));
  const type = "platform:iam:Group";
  const foreign = { urn: `urn:pulumi:other::web::${type}::g`, type, custom: true, id: "f".repeat(40) };
  await stack("other", {}, JSON.stringify({ version: 3, deployment: { resources: [foreign] } }));
});
afterAll(() => organization.platform.close());

const drift = (...args: string[]) => run(["drift", "--json", ...args], credentials);
const documentOf = ({ stdout }: Ended) => JSON.parse(stdout) as DriftDocument;

test("two stacks cover the organisation together; the first one's configuration names the platform", async () => {
  expect(documentOf(expectEnd(await drift(...both), 0))).toMatchObject({
    findings: [],
    notes: [expect.stringMatching(/^SCIM of identity provider /)],
  });
  const { findings } = documentOf(expectEnd(await drift(...people), 7));
  expect(findings.map(({ kind }) => kind).sort()).toEqual(["events:Subscription", "registry:Repo", "registry:Tag"]);
});

test("when the reader of its output stops early, the exit code still says drift, and files are whole", async () => {
  const file = fileOf("drift");
  const command = start(["drift", "--json", ...people, "--output", `json=${file}`], credentials);
  command.stdout.destroy();
  expect(await once(command, "close")).toEqual([7, null]);
  expect((JSON.parse(await readFile(file, "utf8")) as DriftDocument).findings).toHaveLength(3);
});

test("--write-ignore writes what was found, to fill in, and never replaces a file", async () => {
  const file = path.join(folder, "drift-ignore.yaml");
  const { notes } = documentOf(expectEnd(await drift(...people, "--write-ignore", file), 7));
  expect(notes.at(-1)).toContain("has 3 findings, and accepts none of them yet");
  const written = await readFile(file, "utf8");
  expectEnd(await drift(...people, "--ignore", file), 1, { stdout: [], stderr: "`owner` must not be empty" });
  await writeFile(file, written.replaceAll(/(owner|reason): ""/g, "$1: ops").replaceAll('expiry: ""', "expiry: 2999-01-01"));
  expect(documentOf(expectEnd(await drift(...people, "--ignore", file), 0)).ignored).toHaveLength(3);
  expectEnd(await drift(...people, "--write-ignore", file), 1, { stdout: [], stderr: "the file exists, and is left as it is" });
});

test("a file that cannot be written or read is told in words, with what to do", async () => {
  const missing = path.join(folder, "none", "drift.json");
  const written = await drift(...people, "--output", `json=${missing}`);
  expectEnd(written, 1, { stdout: [], stderr: `Write ${missing}: the folder does not exist. Make it, or choose another path.` });
  const read = await drift(...people, "--ignore", missing);
  expectEnd(read, 1, { stdout: [], stderr: `Read ${missing}: there is no such file.` });
  for (const { stderr } of [written, read]) expect(stderr).not.toContain("ENOENT");
});

test("a stack and a state file are read together", async () => {
  expectEnd(await drift(...people, "--state", fileOf("registry")), 0);
});

test("--state-of and --state-file say which states are compared, with the settings of --stack", async () => {
  const of = (...names: string[]) => names.flatMap((name) => ["--state-of", name]);
  expectEnd(await drift(...people, ...of("people", "registry")), 0);
  expectEnd(await drift(...people, ...of("people"), "--state-file", fileOf("registry")), 0);
  const { findings } = documentOf(expectEnd(await drift(...people, ...of("registry")), 7));
  expect(findings.some(({ kind }) => kind === "iam:Group")).toBe(true);
  expectEnd(await drift(...both, ...of("people")), 2, { stderr: "--state-of for each state" });
});

test("--root takes the path of a group: what is beside it is neither compared nor a finding", async () => {
  const ops = documentOf(expectEnd(await drift(...people, "--root", "acme/ops"), 0));
  expect(ops.root).toEqual({ uid: organization.uid("ops"), path: "acme/ops" });
  const engineering = documentOf(expectEnd(await drift(...people, "--root", "acme/engineering"), 7));
  expect(engineering.findings.map(({ kind }) => kind)).toEqual(["registry:Repo", "registry:Tag"]);
});

test.each([
  ["a path that no group has", [...people, "--root", "acme/enginering"], 'Did you mean "engineering"?'],
  ["the state of another organisation", [...people, "--state", fileOf("other")], '"web/other" has no object'],
  ["such a state beside others", [...both, "--stack", "other"], '"web/other" has no object'],
  ["such a state, with --root", [...both, "--stack", "other", "--root", "acme/ops"], '"web/other" has no object'],
])("%s is an error, and nothing is a result", async (_, args, stderr) => {
  expectEnd(await drift(...args), 1, { stdout: [], stderr });
});

test("what is outside of a configured organisation is never silently left out", async () => {
  const environment = { ...address, PLATFORM_ORGANIZATION: organization.uid("eng") };
  expectEnd(await run(["drift", "--state", fileOf("people")], environment), 1, { stderr: /^\d+ objects .* outside of/ });
});

describe("the report", () => {
  const report = (environment: Record<string, string>, ...args: string[]) =>
    runBuilt(["report", "--json", "--out", path.join(folder, "report.html"), ...args], environment);

  test.each([
    ["a stack", people, 3],
    ["several", both, 0],
  ])("marks what differs from %s", async (_, args, findings) => {
    const { stdout } = expectEnd(await report(credentials, ...args), 0);
    expect(JSON.parse(stdout)).toMatchObject({ findings });
  });

  test("says what was not compared", async () => {
    const state = await organization.state("hidden");
    await writeFile(
      fileOf("hidden"),
      organization.edited(state, "eng", ({ inputs }) => (inputs["description"] = encrypted)),
    );
    const ended = await report(address, "--state", fileOf("hidden"));
    const { stdout } = expectEnd(ended, 0, { stderr: "Note: Not compared, because" });
    const note = expect.stringMatching(/^Not compared, .* encrypted: description of urn:/) as string;
    expect(JSON.parse(stdout)).toMatchObject({ findings: 0, notes: [note, expect.stringMatching(/^SCIM of .* acme\/sso /)] });
    expect(await readFile(path.join(folder, "report.html"), "utf8")).toContain("Not compared, because");
  });

  test("whose drift cannot be determined ends with 1", async () => {
    await writeFile(fileOf("newer"), organization.withRobot(await organization.state("newer")));
    const environment = { ...address, PLATFORM_ORGANIZATION: organization.uid("acme") };
    expectEnd(await report(environment, "--state", fileOf("newer")), 1);
  });
});

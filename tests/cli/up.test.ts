import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readLedger } from "../../cli/rehearse/ledger-file";
import { verifyStarting } from "../../cli/up/ledger";
import type { LedgerDocument } from "../../cli/documents/ledger";
import { version } from "../../provider/client/version";
import { pulumiIn, run } from "../support/cli";

const ledger: LedgerDocument = {
  version: 1,
  organizations: ["a".repeat(40)],
  platform: "https://platform.example",
  stack: "access/live",
  command: "pulumi up",
  arguments: ["up"],
  identity: "a/b",
  release: version,
  since: "2026-11-28T09:59:00.000Z",
  made: "2026-11-28T10:00:00.000Z",
  expires: "2026-11-29T10:00:00.000Z",
  errors: [],
  undecided: [],
  calls: [],
  objects: [],
};
const same = {
  stack: "access/live",
  platform: "https://platform.example",
  identity: "a/b",
  now: Date.parse("2026-11-28T11:00:00Z"),
};

let folder = "";
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "up-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the rehearsed run may start until the file expires", () => {
  expect(() => verifyStarting(ledger, same)).not.toThrow();
  expect(() => verifyStarting(ledger, { ...same, now: Date.parse(ledger.expires) - 1 })).not.toThrow();
});

test.each([
  ["after the file expired", ledger, { ...same, now: Date.parse(ledger.expires) }, "expired"],
  ["with a time of expiry that is none", { ...ledger, expires: "never" }, same, "expired"],
  ["of another stack", ledger, { ...same, stack: "access/other" }, "stack"],
  ["of another project", ledger, { ...same, stack: "other/live" }, "stack"],
  ["on another platform", ledger, { ...same, platform: "https://other.example" }, "platform"],
  ["as another identity", ledger, { ...same, identity: "a/c" }, "identity"],
  ["as an identity that is not known", ledger, { ...same, identity: undefined }, "identity"],
  ["of an update that was rehearsed as no known identity", { ...ledger, identity: undefined }, same, "rehearse --as"],
  ["by another release", { ...ledger, release: "0.0.1" }, same, "release"],
])("a run %s does not start", (_what, file, run, named) => {
  const start = () => verifyStarting(file, run);
  expect(start).toThrow(named);
  expect(start).toThrow(expect.objectContaining({ code: "NOT_REHEARSED" }) as Error);
});

test.each([
  ["no JSON", "{"],
  ["no document", "[]"],
  ["another document", JSON.stringify({ version: 1, changes: [] })],
  [
    "a call of an unknown verb",
    JSON.stringify({ ...ledger, calls: [{ verb: "any", kind: "iam:Role", place: "acme", key: {}, body: {} }] }),
  ],
])("a file with %s is not a rehearsal's", async (_what, text) => {
  const file = path.join(folder, "ledger.json");
  writeFileSync(file, text);
  await expect(readLedger(file)).rejects.toMatchObject({ code: "INVALID_INPUT" });
});

test("the command starts nothing without a file, without a project, and where other code could serve the resources", async () => {
  const file = path.join(folder, "ledger.json");
  writeFileSync(file, JSON.stringify(ledger));
  const PATH = pulumiIn(folder, `echo "$@" >> ${folder}/calls; exit 1`);
  const up = (environment: Record<string, string>) =>
    run(["up", "--rehearsed", file, "--stack", "live", "--yes"], { PATH, ...environment }, folder);
  expect(await run(["up", "--yes"], { PATH }, folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--rehearsed FILE") as string,
  });
  expect(await up({})).toMatchObject({ stderr: expect.stringContaining("No stack of a Pulumi project here") as string });
  writeFileSync(path.join(folder, "Pulumi.yaml"), "name: access\nruntime: nodejs\n");
  const refused = await up({ PULUMI_DEBUG_PROVIDERS: "platform:1" });
  expect(refused.stderr).toContain("PULUMI_DEBUG_PROVIDERS is set");
  expect(refused.code).toBe(1);
});

test.each([
  ["is too old to attach to a running provider", "echo v3.100.0", "Install 3.226.1 or newer"],
  ["has a version that cannot be read", "echo dev", "Its version cannot be read"],
  ["does not run", "exit 1", "does not run"],
])("an engine that %s is refused before anything is started or asked", async (_what, script, named) => {
  const file = path.join(folder, "ledger.json");
  writeFileSync(file, JSON.stringify(ledger));
  writeFileSync(path.join(folder, "Pulumi.yaml"), "name: access\nruntime: nodejs\n");
  const PATH = pulumiIn(folder, `echo "$@" >> ${folder}/calls; ${script}`);
  const refused = await run(["up", "--rehearsed", file, "--stack", "live", "--yes"], { PATH }, folder);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(named) as string });
  expect(readFileSync(path.join(folder, "calls"), "utf8")).toBe("version\n");
});

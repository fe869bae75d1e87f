import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { version } from "../../../package.json";
import type { LedgerDocument } from "../../../cli/documents/ledger";
import { rehearseDocument } from "../../../cli/documents/rehearse";
import { comparedWith, documentOf, isOther, linesOf } from "../../../cli/rehearse/like";
import { expectEnd, run } from "../../support/cli";
import { scratchFolder } from "../../support/scratch-folder";

const folder = scratchFolder();
const later = new Date(Date.now() + 3_600_000).toISOString();
const viewer = "1".repeat(40);
const role = { kind: "iam:Role", uid: "acme/2", path: "acme/deployer", name: "deployer" };
const builtIn = { kind: "iam:Role", uid: viewer, path: viewer, name: "viewer", decides: { capabilities: [] } };
const binding = (roleUid: string) => {
  const members = { identityUid: "acme/ci", roleUid };
  return { verb: "create" as const, kind: "iam:RoleBinding", place: "acme", key: members, body: members };
};
const ledger: LedgerDocument = {
  ...{ version: 1, organizations: ["acme"], platform: "https://api.example", stack: "access/live" },
  ...{ command: "pulumi up", arguments: ["up"], identity: "acme/writer", release: version, commit: "abc" },
  ...{ since: "2026-11-28T07:59:00.000Z", made: "2026-11-28T08:00:00.000Z", expires: later, errors: [], undecided: [] },
  calls: [binding(viewer)],
  objects: [builtIn, { ...role, decides: { capabilities: ["CAP_REPO_LIST"] } }],
};

async function fileOf(content: object): Promise<string> {
  const file = path.join(folder, "reviewed.json");
  await writeFile(file, JSON.stringify(content));
  return file;
}

test("a difference is told in words, with names of roles, and in the document", () => {
  const now: LedgerDocument = {
    ...ledger,
    ...{ command: "pulumi up --refresh", errors: ["the program fails"], calls: [binding("acme/deployer")] },
    objects: [{ ...role, decides: { capabilities: ["CAP_REPO_LIST", "CAP_REPO_CREATE"] } }],
  };
  const compared = comparedWith({ file: "reviewed.json", ledger }, now);
  expect(linesOf(compared)).toEqual([
    'only now: create role binding in acme: identityUid "acme/ci", roleUid "acme/deployer"',
    'only then: create role binding in acme: identityUid "acme/ci", roleUid viewer',
    'changed since: role acme/deployer: capabilities now also "CAP_REPO_CREATE"',
    "command was pulumi up and is pulumi up --refresh",
    "only now, error: the program fails",
  ]);
  expect(rehearseDocument.shape.rehearsal.shape.like.parse(documentOf(compared))).toMatchObject({
    ...{ file: "reviewed.json", made: ledger.made, commit: "abc", differs: true },
    callsThen: [binding(viewer)],
    callsNow: [binding("acme/deployer")],
    objects: [{ path: "acme/deployer" }],
  });
});

test.each([
  ["made again in the meantime", { ...role, uid: "acme/3" }, "it is another object"],
  ["deleted in the meantime", { ...role, uid: undefined }, "it does not exist any more"],
])("an object that was %s", (_, changed, text) => {
  const decides = { capabilities: ["CAP_REPO_LIST"] };
  const compared = comparedWith({ file: "f", ledger }, { ...ledger, objects: [builtIn, { ...changed, decides }] });
  expect({ lines: linesOf(compared), isOther: isOther(compared) }).toEqual({
    lines: [`changed since: role acme/deployer: ${text}`],
    isOther: true,
  });
});

test.each([
  ["a member less", ["CAP_REPO_LIST"], [], 'capabilities no longer "CAP_REPO_LIST"'],
  ["another order", ["A", "B"], ["B", "A"], "capabilities in another order"],
  [
    "many members",
    Array<string>(99).fill("CAP_REPO_LIST"),
    ["CAP_TAG_LIST"],
    'capabilities now also "CAP_TAG_LIST", no longer "CAP_REPO_LIST"',
  ],
])("capabilities with %s", (_, was, is, text) => {
  const objects = (capabilities: unknown[]) => [{ ...role, decides: { capabilities } }];
  const compared = comparedWith({ file: "f", ledger: { ...ledger, objects: objects(was) } }, { ...ledger, objects: objects(is) });
  expect(linesOf(compared)).toEqual([`changed since: role acme/deployer: ${text}`]);
});

test.each([
  ["has expired", { ...ledger, expires: "2020-01-01T00:00:00Z" }, "It expired at 2020-01-01T00:00:00Z."],
  ["never said when it expires", { ...ledger, expires: "never" }, "It expired at never."],
  ["is of another release", { ...ledger, release: "0.0.1" }, 'It was made by release "0.0.1"'],
  ["is no ledger", { version: 1 }, "It is not a file of `pulumi-platform rehearse --save`"],
])("a file that %s is an error before anything is rehearsed", async (_, content, problem) => {
  expectEnd(await run(["rehearse", "--like", await fileOf(content)]), 1, { stdout: [], stderr: problem });
});

test("--like and --save of one file is an error, and the file stays", async () => {
  const file = await fileOf(ledger);
  expectEnd(await run(["rehearse", "--like", file, "--save", file]), 2, { stdout: [], stderr: "name the same file" });
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ stack: "access/live" });
});

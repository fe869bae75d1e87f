import { rehearsalDocument, rehearsalMarkdown, rehearsalText, type Shown } from "../../../cli/rehearse/output";
import type { SentRequest } from "../../../rehearse/calls";
import type { Outcome } from "../../../rehearse/rehearsal";

const [root, role] = ["a".repeat(40), "d".repeat(40)];
const [eng, ci] = [`${root}/${"b".repeat(16)}`, `${root}/${"b".repeat(16)}/${"c".repeat(16)}`];
const object = (kind: string, uid: string, place: string | undefined, name: string) => ({
  ...{ kind: `iam:${kind}`, uid, place, name, value: { name }, row: { uid } },
});
const request = (method: string, path: string, body: unknown, status = 200): SentRequest => ({
  method,
  path,
  query: "",
  body,
  status,
});
const outcome: Outcome = {
  ...{ code: 0, errors: [], output: "", resources: [], told: [], isSandboxed: true },
  others: { invented: new Set(), refused: new Set() },
};

/** A rehearsal that made a role binding, and was refused a group. */
const rehearsed = (more: Partial<Shown> = {}): Shown => ({
  review: {
    ...{ changes: [], renames: [], warnings: [], errors: [], made: new Set<string>() },
    ...{ undecided: [], unknown: [], assumed: [], bounds: "exact", reasons: [] },
  },
  outcome,
  command: "pulumi up --refresh --run-program",
  source: {
    project: "access",
    stack: "live",
    state: { version: 3, deployment: {} },
    configured: {},
    packages: [],
    referred: new Map(),
  },
  ...{ organizations: [root], platform: "https://platform.example", audience: "https://platform.example" },
  since: "2026-11-28T09:59:00.000Z",
  requests: [
    request("POST", `/iam/v2/roleBindings/${eng}`, { identityUid: ci, roleUid: role }),
    request("DELETE", `/iam/v2/roleBindings/${eng}/1`, null),
    request("POST", `/iam/v2/groups/${root}`, { name: "<b>ops</b>" }, 409),
  ],
  args: ["up", "--refresh", "--run-program"],
  identity: ci,
  before: [],
  after: [object("Group", root, undefined, "acme"), object("Group", eng, root, "eng"), object("Identity", ci, eng, "ci")],
  ...more,
});
const failing = (more: Partial<Shown> = {}) => {
  const shown = rehearsed(more);
  const undecided = [{ what: "what team becomes", reason: "it depends on *logs* of another package" }];
  const partly = { bounds: "lower", reasons: ["not everything could be rehearsed"] } as const;
  return {
    ...shown,
    review: { ...shown.review, ...partly, undecided, unknown: undecided, errors: ["ops: create group: [KEY_TAKEN]\nat <acme>"] },
  };
};

/** The text, and the comment as a reader sees it. */
const forms = [rehearsalText, (shown: Shown) => rehearsalMarkdown(shown).replaceAll("\\", "")];

test("the text lists the calls, and notes that a program can tell", () => {
  expect(rehearsalText(rehearsed()).split("\n").slice(1)).toEqual([
    "",
    "3 calls of the update:",
    "- create role binding in acme/eng",
    "- delete role binding in acme/eng",
    "- create group in acme (refused)",
    "",
    "Rehearsed on a copy. A program can tell, and may do something else in the real update.",
  ]);
});

test("the comment on a pull request has the errors, what is undecided, and the calls folded, without any markup of others", () => {
  expect(rehearsalMarkdown(failing())).toMatchInlineSnapshot(`
   "### Rehearsed on a copy

   No access changes found, but not everything is known.

   There may be more:<!-- --> not everything could be rehearsed\\.

   <details><summary>Details</summary>

   **Not known**

   - what team becomes:<!-- --> it depends on \\*logs\\* of another package

   </details>


   **\`pulumi up --refresh --run-program\` will fail half-way. The rehearsal made the changes above before that:**

   - ops:<!-- --> create group:<!-- --> \\[KEY\\_TAKEN\\]\\\\nat &lt;acme&gt;

   <details><summary>3 calls of the update</summary>

   - create role binding in acme/eng
   - delete role binding in acme/eng
   - create group in acme \\(refused\\)

   </details>

   Rehearsed on a copy\\. A program can tell, and may do something else in the real update\\."
  `);
});

test.each([
  [3, "`pulumi up --refresh --run-program` will fail half-way. The rehearsal made the changes above before that:"],
  [0, "`pulumi up --refresh --run-program` will fail. The rehearsal changed nothing before that:"],
])("an update that fails after %i calls says whether something was changed", (calls, title) => {
  const shown = failing();
  expect(rehearsalText({ ...shown, requests: shown.requests.slice(0, calls) })).toContain(title);
});

test("a run without a sandbox is said in each form", () => {
  const open = rehearsed({ outcome: { ...outcome, isSandboxed: false } });
  const sentence = "The program ran without a sandbox, so it could reach the network.";
  for (const form of forms) {
    expect(form(open)).toContain(sentence);
    expect(form(rehearsed())).not.toContain(sentence);
  }
  expect([open, rehearsed()].map((each) => rehearsalDocument(each).rehearsal.isSandboxed)).toEqual([false, true]);
});

test("the file of --save is named where it was written, and the way to write it where it was not", () => {
  const saved = rehearsed({ ledger: { file: "calls.json", isSaved: true } });
  const unsaved = rehearsed({ ledger: { file: "calls.json", isSaved: false } });
  for (const form of forms) {
    expect(form(saved)).toMatch(/calls that may give access are in calls\.json/);
    expect(form(unsaved)).toMatch(/calls\.json was not written.*--save-anyway/);
  }
  expect(rehearsalDocument(saved).rehearsal.ledger).toBe("calls.json");
  expect(rehearsalDocument(unsaved).rehearsal).not.toHaveProperty("ledger");
});

test("a terminal and a comment show 50 calls, and the document all", () => {
  const many = rehearsed({ requests: Array.from({ length: 53 }, () => request("POST", `/iam/v2/groups/${root}`, {})) });
  expect(rehearsalText(many)).toMatch(/53 calls(.*\n){51}and 3 more: --json lists all/);
  expect(rehearsalMarkdown(many)).toContain("- and 3 more\n");
  expect(rehearsalDocument(many).rehearsal.calls).toHaveLength(53);
});

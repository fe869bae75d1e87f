import { Memory } from "../../../cli/watch/changes";
import { Metrics } from "../../../cli/watch/metrics";
import { roundOf, type Round } from "../../../cli/watch/round";
import type { Finding } from "../../../drift/finding";

const finding = (uid: string, more: Partial<Finding> = {}): Finding => ({
  class: "unmanaged",
  severity: "high",
  kind: "iam:RoleBinding",
  uid,
  path: `acme/${uid}`,
  message: uid,
  ...more,
});
const round = (result: "clean" | "drift" | "unreadable", ...findings: Finding[]): Round => ({ result, findings, requests: 10 });
const reported = (memory: Memory, of: Round) => memory.take(of).map(({ event, finding: { uid } }) => `${event} ${uid}`);

test("a finding is reported when it appears, when it changes and when it is resolved, and not in between", () => {
  const memory = new Memory();
  expect(reported(memory, round("drift", finding("a"), finding("b")))).toEqual(["appeared a", "appeared b"]);
  expect(reported(memory, round("drift", finding("b"), finding("a")))).toEqual([]);
  expect(reported(memory, round("drift", finding("a", { severity: "critical" }), finding("b")))).toEqual(["changed a"]);
  expect(reported(memory, round("drift", finding("b")))).toEqual(["resolved a"]);
  expect(reported(memory, round("clean"))).toEqual(["resolved b"]);
});

test("of two findings about one object, the worst one counts", () => {
  const memory = new Memory();
  const both = [finding("a", { severity: "critical" }), finding("a", { severity: "low", message: "too" })];
  expect(memory.take(round("drift", ...both))).toMatchObject([{ event: "appeared", finding: { severity: "critical" } }]);
  expect(memory.take(round("drift", ...both))).toEqual([]);
});

test("nothing is resolved by a round that failed, or that could not read everything", () => {
  const memory = new Memory();
  const unreadable = finding("u", { class: "unreadable" });
  memory.take(round("drift", finding("a")));
  expect(reported(memory, { result: "failed", reason: "no connection" })).toEqual(["appeared drift"]);
  expect(reported(memory, round("unreadable", unreadable, finding("b")))).toEqual(["appeared u", "appeared b", "resolved drift"]);
  expect(memory.findings.map(({ uid }) => uid)).toEqual(["a", "u", "b"]);
  expect(reported(memory, round("clean"))).toEqual(["resolved a", "resolved u", "resolved b"]);
});

test("a check that failed is reported once, as what it is, until one has a result", () => {
  const memory = new Memory();
  const [{ event, finding: missed } = { event: "", finding: finding("") }] = memory.take({
    result: "failed",
    reason: "out of\nmemory",
  });
  expect({ event, missed }).toEqual({
    event: "appeared",
    missed: {
      ...{ class: "unreadable", severity: "high", kind: "watch:Check", uid: "drift", path: "drift" },
      message: "Cannot tell: the check failed, and nothing was compared: out of memory",
    },
  });
  expect(memory.take({ result: "failed", reason: "another one" })).toEqual([]);
  expect(memory.findings).toEqual([missed]);
  expect(reported(memory, round("clean"))).toEqual(["resolved drift"]);
  expect(reported(memory, { result: "failed", reason: "again" })).toEqual(["appeared drift"]);
});

test("a message with the start of a request's id again and again is compared all the same", () => {
  const memory = new Memory();
  const hostile = finding("a", { message: " (request ".repeat(30_000) });
  memory.take(round("drift", hostile));
  expect(reported(memory, round("drift", hostile))).toEqual([]);
});

test("what cannot be read is reported once, although each reason names another request", () => {
  const memory = new Memory();
  const unreadable = (uid: string, request: string) =>
    finding(uid, { class: "unreadable", message: `Cannot tell: PERMISSION_DENIED (request ${request})` });
  memory.take(round("unreadable", unreadable("u", "1"), unreadable("v", "2")));
  expect(reported(memory, round("unreadable", unreadable("u", "3"), unreadable("v", "4")))).toEqual([]);
  expect(reported(memory, round("unreadable", unreadable("v", "5")))).toEqual(["resolved u"]);
});

test("what cannot be read any more, or for another reason, is reported; an object that is hidden with its whole kind is not resolved", () => {
  const memory = new Memory();
  const unreadable = (uid: string, message: string, urn?: string) =>
    finding(uid, { class: "unreadable", message, ...(urn && { urn }) });
  memory.take(round("unreadable", unreadable("acme", "outside acme/shop"), unreadable("b", "encrypted roleUid", "urn")));
  const worse = round("unreadable", unreadable("acme", "all of it"));
  expect(reported(memory, worse)).toEqual(["changed acme"]);
  expect(reported(memory, round("clean"))).toEqual(["resolved b", "resolved acme"]);
});

test("a rank that changes only because roles cannot be read is not reported; another field is", () => {
  const memory = new Memory();
  const roles = finding("acme", { class: "unreadable", kind: "iam:Role" });
  const changed = (actual: string, more: Partial<Finding> = {}) =>
    finding("b", { class: "changed", fields: [{ path: "roleUid", declared: "viewer", actual }], ...more });
  memory.take(round("drift", finding("a", { severity: "low" }), changed("editor")));
  const unranked = round(
    "unreadable",
    roles,
    finding("a", { severity: "critical" }),
    changed("editor", { severity: "critical" }),
  );
  expect(reported(memory, unranked)).toEqual(["appeared acme"]);
  expect(reported(memory, round("drift", finding("a", { severity: "low" }), changed("editor")))).toEqual(["resolved acme"]);
  expect(reported(memory, round("unreadable", roles, finding("a", { severity: "low" }), changed("owner")))).toEqual([
    "appeared acme",
    "changed b",
  ]);
  expect(reported(memory, round("drift", finding("a", { severity: "critical" }), changed("owner")))).toEqual([
    "changed a",
    "resolved acme",
  ]);
});

const document = (...findings: Finding[]) => JSON.stringify({ version: 1, findings, coverage: [], requests: 12 });

test.each<[string, Parameters<typeof roundOf>, Round["result"]]>([
  ["exit code 7", [7, document(finding("a")), ""], "drift"],
  [
    "a match that became a pattern: it has no exact subject any more",
    [7, document(finding("a", { fields: [{ path: "claimMatch.subject", declared: "one" }] })), ""],
    "drift",
  ],
  ["exit code 0", [0, document(), ""], "clean"],
  ["exit code 1 with a document", [1, document(finding("u", { class: "unreadable" })), ""], "unreadable"],
  ["exit code 1 without one", [1, "", "no credentials"], "failed"],
  ["exit code 0 without a document", [0, "{}", ""], "failed"],
  ["a process that cannot start", [new Error("ENOENT"), "", ""], "failed"],
])("drift that ends with %s", (_what, outcome, expected) => {
  expect(roundOf(...outcome).result).toBe(expected);
});

test("findings of the baseline are left out", () => {
  expect(roundOf(0, document(finding("a", { known: true })), "")).toMatchObject({ result: "clean", findings: [] });
});

test("wrong options end the watch instead of failing in every round", () => {
  expect(() => roundOf(2, "", "There is no option --stak.\nRun pulumi-platform --help.")).toThrow("There is no option --stak.");
});

test("metrics count findings by class and severity, and when everything was last read", () => {
  const metrics = new Metrics();
  const found = [finding("a"), finding("b"), finding("c", { class: 'odd"class' as Finding["class"] })];
  metrics.count(round("drift", ...found), found, 5_000);
  metrics.count(round("unreadable"), found, 6_000);
  metrics.count({ result: "failed", reason: "" }, found, 7_000);
  const lines = metrics.text.split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      'platform_drift_findings{class="unmanaged",severity="high"} 2',
      'platform_drift_findings{class="odd\\"class",severity="high"} 1',
      'platform_drift_rounds_total{result="clean"} 0',
      'platform_drift_rounds_total{result="drift"} 1',
      'platform_drift_rounds_total{result="unreadable"} 1',
      'platform_drift_rounds_total{result="failed"} 1',
      "platform_drift_last_complete_round_timestamp_seconds 5",
      "platform_drift_requests_total 20",
    ]),
  );
  expect(metrics.text.endsWith("\n")).toBe(true);
});

import type { Finding } from "../../drift/finding";
import { ignore, readIgnoreFile } from "../../drift/ignore-file";
import { finding } from "./finding";

const now = Date.parse("2026-11-22T12:00:00Z");
const by = "owner: ops\n  reason: known\n  expiry: 2026-12-31\n";
const entriesOf = (lines: readonly string[]) => lines.map((line) => `- ${line}\n  ${by}`).join("");
const apply = (content: string, findings: readonly Finding[]) =>
  ignore([...findings], readIgnoreFile(content, "ignore.yaml"), now);

const binding = finding();
const inSandbox = finding({ uid: "r/s/1", path: "acme/sandbox/a" });
const bot = finding({ kind: "iam:Identity", uid: "r/i", path: "acme/bot" });
const ciGroup = finding({ kind: "iam:Group", uid: "r/g", path: "acme/ci" });
const ci = finding({ kind: "iam:Identity", uid: "r/i", path: "acme/ci" });
const shop = finding({ kind: "iam:Group", uid: "r/shop", path: "acme/shop" });
const account = finding({ ...shop, kind: "iam:AccountAssociation" });
const slashed = finding({ kind: "iam:IdentityProvider", uid: "r/p", path: "acme/sandbox/sso" });
const unreadable = finding({ class: "unreadable" });
const hidden = finding({ class: "unreadable", kind: "events:Subscription", uid: "r", path: "acme", uncompared: 0 });
const gap = "kind: events:Subscription";

test.each<[string, string[], Finding[], Finding[]]>([
  ["a uid hides its object", ["object: r/g/b"], [binding, bot], [bot]],
  ["a path and a kind hide their object", ["object: acme/bot\n  kind: iam:Identity"], [binding, bot], [binding]],
  ["a pattern hides what it matches, at any depth", ["pattern: acme/sandbox/**"], [inSandbox, bot], [bot]],
  ["the path of a group hides no role binding in it", ["object: acme/shop\n  kind: iam:RoleBinding"], [binding], [binding]],
  ["* has no names below", ["pattern: acme/*"], [binding], [binding]],
  ["* has the names at its place", ["pattern: acme/shop/*"], [binding], []],
  ["the uid of a group hides no account association of it", ["object: r/shop"], [account, shop], [account]],
  ["a pattern hides none either, without its kind", ["pattern: acme/**"], [account, shop], [account]],
  ["with its kind, a uid hides one", ["object: r/shop\n  kind: iam:AccountAssociation"], [account], []],
  ["with its kind, a pattern hides one", ["pattern: acme/**\n  kind: iam:AccountAssociation"], [account], []],
  ["a path without a kind matches nothing", ["object: acme/ci"], [ci], [ci]],
  ["a path with a kind hides no other kind", ["object: acme/ci\n  kind: iam:Group"], [ciGroup, ci], [ci]],
  ["a uid hides no object of the same path", ["object: r/g"], [ciGroup, ci], [ci]],
  ["a name with a slash is no path of another group", ["object: acme/sandbox/sso"], [slashed], [slashed]],
  ["nor does a pattern take it for one", ["pattern: acme/sandbox/**"], [slashed], [slashed]],
  ["but its uid hides it", ["object: r/p"], [slashed], []],
  ["in that group, the pattern hides it", ["pattern: acme/sandbox/**"], [finding({ ...slashed, uid: "r/s/p" })], []],
  [
    "what is unreadable is hidden by no object and no pattern",
    ["pattern: '**'"],
    [unreadable, hidden, binding],
    [unreadable, hidden],
  ],
  ["a kind alone hides that it may not be listed", [gap], [hidden, unreadable], [unreadable]],
  [
    "it hides no object of the kind",
    [gap],
    [finding({ kind: "events:Subscription" })],
    [finding({ kind: "events:Subscription" })],
  ],
  ["nor that fields of one are encrypted", [gap], [{ ...unreadable, kind: hidden.kind }], [{ ...unreadable, kind: hidden.kind }]],
  ["nor that objects of the states are hidden", [gap], [{ ...hidden, uncompared: 1 }], [{ ...hidden, uncompared: 1 }]],
])("%s", (_, entries, findings, kept) => {
  expect(apply(entriesOf(entries), findings).findings).toEqual(kept);
});

test("what is hidden is listed with who answers for it", () => {
  const { ignored, notes } = apply(entriesOf(["object: r/g/b", "pattern: acme/sandbox/**"]), [binding, inSandbox]);
  expect(ignored).toMatchObject(["r/g/b", "r/s/1"].map((uid) => ({ uid, owner: "ops", expiry: "2026-12-31" })));
  expect(notes).toEqual([]);
});

test("a kind that may not be listed is in the notes as long as somebody answers for that", () => {
  const { ignored, notes } = apply(entriesOf([gap]), [hidden]);
  expect(ignored).toMatchObject([{ class: "unreadable", owner: "ops" }]);
  expect(notes).toEqual([expect.stringMatching(/events:Subscription in acme\. ignore\.yaml:1 .* 2026-12-31: known \(ops\)/)]);
  const expired = apply(`- ${gap}\n  owner: ops\n  reason: known\n  expiry: 2026-11-21\n`, [hidden]);
  expect([expired.findings, expired.notes]).toEqual([[hidden], [expect.stringMatching(/"events:Subscription" expired/)]]);
  expect(apply(entriesOf([gap]), [{ ...hidden, uncompared: 2 }]).notes).toEqual([
    expect.stringMatching(/hides nothing: the states/),
  ]);
});

test.each([
  ["has expired", "object: r/g/b\n  owner: ops\n  reason: old\n  expiry: 2026-11-21", /:1: .*"r\/g\/b" expired .* ops /],
  ["matches nothing", `object: r/gone\n  ${by}`, /:1: .*"r\/gone" matches nothing/],
  ["is a path without a kind", `object: acme/ci\n  ${by}`, /"acme\/ci" matches nothing: .*`kind: iam:Identity`, or use the uid/],
  ["is a path of a name with a slash", `pattern: acme/sandbox/**\n  ${by}`, /"acme\/sandbox\/\*\*" .* slash.* uid/],
])("an entry that %s has no effect, and a note says what to do", (_, entry, note) => {
  const { findings, notes } = apply(`- ${entry}`, [binding, ci, slashed]);
  expect([findings, notes]).toEqual([[binding, ci, slashed], [expect.stringMatching(note)]]);
});

test("an entry lasts to the end of its last day", () => {
  expect(apply("- pattern: '**'\n  owner: ops\n  reason: all\n  expiry: 2026-11-22\n", [binding]).findings).toEqual([]);
});

test("JSON is read too, also as the list `ignore`", () => {
  const json = JSON.stringify({ ignore: [{ object: "r/g/b", owner: "o", reason: "r", expiry: "2027-01-01" }] });
  expect(apply(json, [binding]).findings).toEqual([]);
});

test.each([
  ["- object: a\n  onwer: ops\n  reason: r\n  expiry: 2027-01-01\n", /line 2: .* "onwer"; did you mean `owner`\?/],
  ["- object: a\n  owner: ops\n  reason: r\n  expiry: soon\n", /line 4: `expiry` must be a date such as 2027-01-31/],
  ["- object: a\n  owner: ops\n  reason: r\n  expiry: 2027-02-31\n", /line 4: `expiry` must be a date/],
  ["- object: a\n  owner: ops\n  reason: r\n  expiry: 2027-01-31T10:00\n", /line 4: `expiry` .* a time with its zone/],
  [`- object: a\n  pattern: b\n  ${by}`, /line 1: .*`object`, .*`pattern`/],
  [`- class: unmanaged\n  ${by}`, /line 1: .*`object`, .*`pattern`; or `kind` alone/],
  [`- kind: iam:Group\n  class: unmanaged\n  ${by}`, /line 1: .*`kind` alone/],
  ["- object: a\n  reason: r\n  expiry: 2027-01-01\n", /line 1: `owner` is required/],
  [`- object: a\n  kind: iam:Grup\n  ${by}`, /line 2: `kind` must be one of .*iam:Group,/],
  ["ignored: []\n", /line 1: .*the list `ignore`/],
  ["- object: [\n", /line 2: /],
])("%j is rejected with its line", (content, message) => {
  expect(() => readIgnoreFile(content, "ignore.yaml")).toThrow(message);
  expect(() => readIgnoreFile(content, "ignore.yaml")).toThrow(/^ignore\.yaml is not an ignore file\. Nothing was sent\./);
});

test("a glob takes no longer for the names that somebody chooses: several stars and a long name", () => {
  const named = (name: string) => finding({ kind: "iam:Group", uid: "r/a", path: `acme/${name}` });
  const long = "a".repeat(100_000);
  const { ignored } = apply(`- pattern: "acme/*a*a*a*a*b"\n  ${by}`, [named(long), named(`${long}b`)]);
  expect(ignored.map(({ path }) => path.at(-1))).toEqual(["b"]);
});

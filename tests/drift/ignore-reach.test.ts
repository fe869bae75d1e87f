import type { Finding } from "../../drift/finding";
import { ignore, readIgnoreFile } from "../../drift/ignore-file";
import { finding } from "./finding";

// An entry hides an object only where access depends on it.

const now = Date.parse("2026-11-22T12:00:00Z");
const by = "owner: ops\n  reason: known\n  expiry: 2026-12-31\n";
const apply = (entries: readonly string[], findings: readonly Finding[]) =>
  ignore([...findings], readIgnoreFile(entries.map((entry) => `- ${entry}\n  ${by}`).join(""), "ignore.yaml"), now);

/** Groups by their paths: `org`, `org/sandbox`. */
const uids: Record<string, string> = {
  org: "r",
  "org/sandbox": "r/s",
  "org/sandbox/a": "r/s/a",
  "org/sandboxes": "r/ss",
  "org/shop": "r/h",
  "org/shop/x": "r/h/x",
};
const at = (...paths: string[]) => paths.map((path) => ({ uid: uids[path] ?? path, path }));
const found = (kind: string, path: string, uid: string, ...reach: string[]) =>
  finding({ kind: `iam:${kind}`, path, uid, ...(reach.length > 0 && { reach: at(...reach) }) });
const bot = (...reach: string[]) => found("Identity", "org/sandbox/bot", "r/s/bot", ...reach);
const uid = "object: r/s/bot";

describe("an identity whose access lies in", () => {
  test.each<[string, string[], string, boolean]>([
    ["no group", [], "pattern: org/sandbox/**", true],
    ["the group of the pattern", ["org/sandbox"], "pattern: org/sandbox/**", true],
    ["a group below", ["org/sandbox/a"], "pattern: org/sandbox/**", true],
    ["the group above", ["org"], "pattern: org/sandbox/**", false],
    ["another group", ["org/shop"], "pattern: org/sandbox/**", false],
    ["both", ["org/sandbox", "org/shop"], "pattern: org/sandbox/**", false],
    ["a group whose name only begins like it", ["org/sandboxes"], "pattern: org/sandbox/**", false],
    ["a group whose name begins with the pattern", ["org/sandboxes"], "pattern: org/sand**", true],
    ["the group of a pattern of uids", ["org/sandbox"], "pattern: r/s/**", true],
    ["one above a pattern of uids", ["org"], "pattern: r/s/**", false],
    ["its group, by the names at one place only", ["org/sandbox"], "pattern: org/sandbox/*", false],
    ["its group, by one name", ["org/sandbox"], "pattern: org/sandbox/bot", false],
    ["its group, by one name in any group", ["org/sandbox"], "pattern: org/*/bot", false],
    ["everything, by a pattern for everything", ["org"], "pattern: '**'", true],
    ["the organisation, by a pattern for all of it", ["org"], "pattern: org/**", true],
    ["its group, by its uid", ["org/sandbox"], uid, true],
    ["a group below, by its uid", ["org/sandbox/a"], uid, true],
    ["the group above, by its uid", ["org"], uid, false],
    ["another group, by its uid", ["org/shop"], uid, false],
    ["another group, by its path", ["org/shop"], "object: org/sandbox/bot\n  kind: iam:Identity", false],
    ["another group, by its uid and class", ["org/shop"], `${uid}\n  class: unmanaged`, false],
    ["that of `within`", ["org"], `${uid}\n  within: org`, true],
    ["one below that of `within`", ["org/shop/x"], `${uid}\n  within: org/shop`, true],
    ["one above that of `within`", ["org"], `${uid}\n  within: org/shop`, false],
    ["one beside that of `within`", ["org/sandboxes"], `${uid}\n  within: org/sandbox`, false],
    ["that of `within` by its uid", ["org/shop/x"], `${uid}\n  within: r/h`, true],
    ["one of the groups of `within`", ["org/shop"], `${uid}\n  within: org/*`, true],
    ["none of the groups of `within`", ["org"], `${uid}\n  within: org/*`, false],
    ["everything below `within`", ["org/shop"], `${uid}\n  within: org/shop/**`, true],
    ["the groups of a list", ["org/sandboxes", "org/shop"], `${uid}\n  within: [org/sandboxes, org/shop]`, true],
    ["one group too many", ["org/sandboxes", "org/shop"], `${uid}\n  within: [org/shop]`, false],
    ["that of `within` beside a pattern", ["org"], "pattern: org/sandbox/**\n  within: org", true],
  ])("%s: %j, %s, hidden: %s", (_, reach, entry, isHidden) => {
    expect(apply([entry], [bot(...reach)]).ignored).toHaveLength(isHidden ? 1 : 0);
  });
});

test.each<[string, Finding, string, boolean]>([
  ["a role that is given elsewhere", found("Role", "org/sandbox/r", "r/s/1", "org"), "pattern: org/sandbox/**", false],
  [
    "a provider whose people get roles elsewhere",
    found("IdentityProvider", "org/sandbox/sso", "r/s/p", "org"),
    "pattern: org/sandbox/**",
    false,
  ],
  [
    "a mapping that gives a role elsewhere",
    found("ExternalGroupRoleMapping", "org/sandbox", "r/s/p/m", "org"),
    "pattern: org/sandbox/**",
    false,
  ],
  ["a binding, in its own group", found("RoleBinding", "org/shop", "r/h/b", "org/shop"), "pattern: org/shop/*", true],
  ["an invite, by its uid", found("GroupInvite", "org", "r/i", "org"), "object: r/i", true],
  ["what has changed", { ...bot("org"), class: "changed" }, "pattern: org/sandbox/**", false],
  ["what is gone", { ...bot("org"), class: "missing" }, "pattern: org/sandbox/**", false],
  [
    "a group with a name that makes its path another one",
    finding({ ...bot(), reach: [{ uid: "r/h", path: "org/sandbox/a" }] }),
    "pattern: org/sandbox/**",
    false,
  ],
])("%s: hidden or not", (_, each, entry, isHidden) => {
  expect(apply([entry], [each]).ignored).toHaveLength(isHidden ? 1 : 0);
});

test("an entry that hides nothing for that reason says where access lies and what to write; another one may hide it", () => {
  const { findings, notes } = apply(["pattern: org/sandbox/**"], [bot("org/shop", "org/sandbox")]);
  expect(findings).toHaveLength(1);
  expect(notes).toEqual([
    'ignore.yaml:1: the entry for "org/sandbox/**" does not hide iam:Identity org/sandbox/bot: access depends on it in org/shop. ' +
      "To accept that, add `within: org/shop`.",
  ]);
  expect(apply(["pattern: org/sandbox/**"], [bot("org/shop", "org/sandboxes")]).notes).toEqual([
    expect.stringContaining("`within: [org/shop, org/sandboxes]`"),
  ]);
  const both = apply(["pattern: org/sandbox/**", `${uid}\n  within: org`], [bot("org")]);
  expect([both.findings, both.notes]).toEqual([[], []]);
});

test("an entry that has expired says that only", () => {
  const entry = "- pattern: org/sandbox/**\n  owner: ops\n  reason: r\n  expiry: 2026-11-21\n";
  const { notes } = ignore([bot("org")], readIgnoreFile(entry, "ignore.yaml"), now);
  expect(notes).toEqual([expect.stringMatching(/expired on/)]);
});

test("an identity whose login can change unseen is hidden only by an entry that names it", () => {
  const unwatched: Finding = { ...bot("org/sandbox"), unwatched: true };
  const { findings, notes } = apply(["pattern: org/sandbox/**"], [unwatched]);
  expect([findings, notes]).toEqual([[unwatched], [expect.stringMatching(/login can change unseen\. .*`object: r\/s\/bot`\.$/)]]);
  expect(apply(["pattern: org/sandbox/**", uid], [unwatched]).findings).toEqual([]);
  expect(apply([uid], [{ ...unwatched, reach: at("org") }]).findings).toHaveLength(1);
});

test.each([
  ["object: r\n  within: []", /line 2: `within` must not be empty/],
  ["object: r\n  within: ''", /line 2: `within` /],
  ["object: r\n  within: {a: b}", /line 2: `within` must be a group/],
  ["kind: iam:Group\n  within: org", /line 1: `within` says where access may depend on an object/],
])("%j is rejected with its line", (entry, message) => {
  expect(() => apply([entry], [])).toThrow(message);
});

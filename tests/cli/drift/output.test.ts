import Ajv from "ajv";
import addFormats from "ajv-formats";
import { readFileSync } from "node:fs";
import { driftClasses, type Finding } from "../../../drift/finding";
import { type DriftDocument, driftDocument } from "../../../cli/documents/drift";
import { markKnown, readBaseline } from "../../../drift/baseline";
import { formats } from "../../../cli/drift/formats";
import { ignore, readIgnoreFile } from "../../../drift/ignore-file";

const hostile = '<script>alert("x")</script> & \u001b[2J | `a`';

function finding(over: Partial<Finding> = {}): Finding {
  return {
    class: "unmanaged",
    severity: "high",
    kind: "iam:RoleBinding",
    uid: "r/g/b",
    path: "acme/shop",
    message: "It is there.",
    ...over,
  };
}

function result(findings: Finding[], notes: string[] = []): DriftDocument {
  const coverage = [{ kind: "iam:RoleBinding", managed: 3, unmanaged: 1, unreadable: 0 }];
  return { version: 1, root: { uid: "r", path: "acme" }, findings, ignored: [], coverage, groups: [], notes, requests: 9 };
}

const render = (format: string, findings: Finding[], notes: string[] = []) => formats[format]?.(result(findings, notes)) ?? "";

describe("every format", () => {
  const note = "SCIM of identity provider acme/[a](b) <c> was not compared.";

  test.each(Object.keys(formats))(
    "%s says that there is no drift, and has the notes; text leaves them to standard error",
    (format) => {
      const text = render(format, [], [note]);
      expect(text).toMatch(/No drift|no drift|"findings": \[\]|"results": \[\]/);
      expect(text.includes("SCIM of identity provider acme/")).toBe(format !== "text");
    },
  );

  test("JSON is the document of the schema", () => {
    expect(driftDocument.parse(JSON.parse(render("json", [finding()])))).toEqual(result([finding()]));
  });

  test.each(["html", "junit"])("%s shows the platform's texts as they are, and runs none of them", (format) => {
    const text = render(format, [finding({ path: hostile, message: hostile })]);
    expect(text).not.toContain("<script>");
    expect(text).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; \\u{1b}[2J");
  });

  test.each([
    ["text", "\u001b[2J"],
    ["markdown", "<script>"],
  ])("%s forges no lines, cells or terminal commands", (format, harm) => {
    const text = render(format, [finding({ message: `${hostile}\n| a |` })]);
    expect(text).not.toContain(harm);
    expect(text.split("\n").filter((line) => line.startsWith("| a"))).toEqual([]);
  });

  interface Sarif {
    version: string;
    runs: { tool: { driver: { rules: { id: string }[] } }; results: Record<string, unknown>[] }[];
  }
  const sarif = (...findings: Finding[]) => JSON.parse(render("sarif", findings)) as Sarif;

  test("SARIF fits the schema of SARIF 2.1.0", () => {
    const file = require.resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
    const schema = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    // Draft 4, by whose keywords that differ in later drafts only its id goes.
    const rest = Object.fromEntries(Object.entries(schema).filter(([name]) => name !== "$schema" && name !== "id"));
    const fits = addFormats(new Ajv({ strict: false, unicodeRegExp: false })).compile(rest);
    const owned = { stack: "acme/prod", urn: "urn:pulumi:prod::acme::platform:iam:Group::shop", known: true as const };
    const all = driftClasses.map((what) => finding({ class: what, ...owned, message: hostile }));
    for (const findings of [[], [finding()], all]) {
      fits(JSON.parse(render("sarif", findings, [hostile])));
      expect(fits.errors).toBeNull();
    }
    expect(fits({ version: "2.1.0", runs: [{}] })).toBe(false);
  });

  test("SARIF has what readers require: each result has a rule, a level, a message and a place", () => {
    const log = sarif(finding(), finding({ class: "missing", severity: "low", known: true }));
    const common = {
      message: { text: expect.any(String) as string },
      locations: [{ physicalLocation: { artifactLocation: { uri: "Pulumi.yaml" } } }],
      partialFingerprints: { "object/v1": expect.any(String) as string },
    };
    expect(log.runs[0]?.results).toMatchObject([
      { ruleId: "unmanaged/high", level: "error", baselineState: "new", ...common },
      { ruleId: "missing/low", level: "note", baselineState: "unchanged", ...common },
    ]);
    expect(log.runs[0]?.tool.driver.rules.map(({ id }) => id).sort()).toEqual(["missing/low", "unmanaged/high"]);
  });

  test.each([
    ["[a](https://evil.example)", String.raw`\[a\](https://evil.example)`],
    [String.raw`\[a\](x) "\u{1b}"`, String.raw`\\\[a\\\](x) "\u{1b}"`],
  ])("names are no links in SARIF, whatever backslashes they have: %s", (message, text) => {
    expect(sarif(finding({ message })).runs[0]?.results).toMatchObject([{ message: { text } }]);
  });

  test("ten thousand findings: people see the worst, and how many more there are; machines see all", () => {
    const many = Array.from({ length: 10_000 }, (_, index) =>
      finding({ uid: `r/${index}`, severity: index < 60 ? "high" : "low" }),
    );
    const text = render("text", many);
    expect(text).toContain("9950 more: 10 high, 9940 low. --json");
    expect(text.split("\n").length).toBeLessThan(300);
    expect(render("markdown", many).length).toBeLessThan(60_000);
    expect((JSON.parse(render("json", many)) as DriftDocument).findings.length).toBe(10_000);
  });

  test("an unmanaged subtree is one entry for people, with what is in it and its worst grants", () => {
    const text = render("text", [
      finding({ kind: "iam:Group", uid: "r/s", path: "acme/shadow", severity: "medium" }),
      finding({ kind: "iam:Group", uid: "r/s/t", severity: "low", message: "a group" }),
      finding({ uid: "r/s/t/b", severity: "critical", message: "Anybody becomes owner." }),
      finding({ uid: "r/s/c", severity: "low", message: "a viewer" }),
      finding({ uid: "r/x", severity: "high" }),
    ]);
    expect(text).toMatch(/^critical {2}unmanaged {3}iam:Group {2}acme\/shadow\n/);
    expect(text).toContain("1 iam:Group, 2 iam:RoleBinding.");
    expect(text).toContain("critical: Anybody becomes owner.");
    expect(text).not.toContain("a viewer");
    expect(text).toContain("5 findings: 1 critical, 1 high, 1 medium, 2 low.");
  });

  test("the tags of an unmanaged repo are one entry with it; an account of a group hides nothing in the group", () => {
    const tag = { kind: "registry:Tag", severity: "info", message: "a tag" } as const;
    const text = render("text", [
      finding({ kind: "iam:AccountAssociation", uid: "r", severity: "medium", message: "an account" }),
      finding({ kind: "registry:Repo", uid: "r/i", path: "acme/images", severity: "low", message: "a repo" }),
      ...["1", "2", "3"].map((uid) => finding({ ...tag, uid: `r/i/${uid}` })),
      finding({ uid: "r/x", severity: "high", message: "an owner" }),
    ]);
    expect(text).toContain("3 registry:Tag.");
    expect(text).not.toContain("a tag");
    expect(text).toMatch(/an owner[^]*an account[^]*a repo/);
  });
});

describe("the ignore file", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  const by = "owner: ops\n  reason: known\n  expiry: 2026-12-31\n";
  const entriesOf = (lines: readonly string[]) => lines.map((line) => `- ${line}\n  ${by}`).join("");
  const apply = (content: string, findings: readonly Finding[]) =>
    ignore([...findings], readIgnoreFile(content, "ignore.yaml"), now, "ignore.yaml");

  const binding = finding();
  const inSandbox = finding({ uid: "r/s/1", path: "acme/sandbox/a" });
  const bot = finding({ kind: "iam:Identity", uid: "r/i", path: "acme/bot" });
  const ciGroup = finding({ kind: "iam:Group", uid: "r/g", path: "acme/ci" });
  const ci = finding({ kind: "iam:Identity", uid: "r/i", path: "acme/ci" });
  const shop = finding({ kind: "iam:Group", uid: "r/shop", path: "acme/shop" });
  const account = finding({ ...shop, kind: "iam:AccountAssociation" });
  const slashed = finding({ kind: "iam:IdentityProvider", uid: "r/p", path: "acme/sandbox/sso" });
  const unreadable = finding({ class: "unreadable" });

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
    ["what is unreadable is never hidden", ["pattern: '**'"], [unreadable, binding], [unreadable]],
  ])("%s", (_, entries, findings, kept) => {
    expect(apply(entriesOf(entries), findings).findings).toEqual(kept);
  });

  test("what is hidden is listed with who answers for it", () => {
    const { ignored, notes } = apply(entriesOf(["object: r/g/b", "pattern: acme/sandbox/**"]), [binding, inSandbox]);
    expect(ignored).toMatchObject(["r/g/b", "r/s/1"].map((uid) => ({ uid, owner: "ops", expiry: "2026-12-31" })));
    expect(notes).toEqual([]);
  });

  test.each([
    ["has expired", "object: r/g/b\n  owner: ops\n  reason: old\n  expiry: 2026-11-21", /:1: .*"r\/g\/b" expired .* ops /],
    ["matches nothing", `object: r/gone\n  ${by}`, /:1: .*"r\/gone" matches nothing/],
    [
      "is a path without a kind",
      `object: acme/ci\n  ${by}`,
      /"acme\/ci" matches nothing: .*`kind: iam:Identity`, or use the uid/,
    ],
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
    ["- object: a\n  reason: r\n  expiry: 2027-01-01\n", /line 1: `owner` is required/],
    [`- object: a\n  kind: iam:Grup\n  ${by}`, /line 2: `kind` must be one of .*iam:Group,/],
    ["ignored: []\n", /line 1: .*the list `ignore`/],
    ["- object: [\n", /line 2: /],
  ])("%j is rejected with its line", (content, message) => {
    expect(() => readIgnoreFile(content, "ignore.yaml")).toThrow(message);
    expect(() => readIgnoreFile(content, "ignore.yaml")).toThrow(/^ignore\.yaml is not an ignore file\. Nothing was compared\./);
  });

  test("a glob takes no longer for the names that somebody chooses: several stars and a long name", () => {
    const named = (name: string) => finding({ kind: "iam:Group", uid: "r/a", path: `acme/${name}` });
    const long = "a".repeat(100_000);
    const { ignored } = apply(`- pattern: "acme/*a*a*a*a*b"\n  ${by}`, [named(long), named(`${long}b`)]);
    expect(ignored.map(({ path }) => path.at(-1))).toEqual(["b"]);
  });
});

describe("a baseline", () => {
  const mark = (found: Finding, ...before: Finding[]) => {
    const { findings, notes } = markKnown([found], before, "b.json");
    return { known: findings[0]?.known ?? false, notes };
  };
  const fields = [{ path: "roleUid", actual: "r/viewer" }];
  const secret = [{ path: "claimMatch.subject", declared: "[secret]", actual: "[secret]" }];
  const removed = [{ path: "description", declared: "[secret]" }];
  const changed = finding({ class: "changed", fields: secret });
  const here = finding({ fields: [] });
  const unreadable = finding({ class: "unreadable" });

  test.each<[string, Finding, Finding, boolean]>([
    ["what it has", finding(), here, true],
    ["what matters less than it did", finding({ severity: "info" }), finding({ severity: "critical" }), true],
    ["another object", finding({ uid: "r/new" }), here, false],
    ["what is worse", finding({ severity: "critical" }), here, false],
    ["what changed since", finding({ fields: [{ path: "name", declared: "a", actual: "b" }] }), here, false],
    ["what is of access to somebody now", finding({ fields }), here, false],
    ["what is unreadable", unreadable, unreadable, false],
    ["what changed from one secret to another", changed, changed, false],
    [
      "a secret that was removed",
      finding({ class: "changed", fields: removed }),
      finding({ class: "changed", fields: removed }),
      true,
    ],
    ["by an earlier release, what no state has", finding({ fields }), finding(), true],
    ["by an earlier release, a duplicate", finding({ class: "duplicate", fields }), finding({ class: "duplicate" }), true],
    ["by an earlier release, what is worse", finding({ fields, severity: "critical" }), finding(), false],
    ["by an earlier release, what was changed", finding({ class: "changed", fields }), finding({ class: "changed" }), false],
  ])("knows or does not know: %s", (_, found, before, known) => {
    expect(mark(found, ...readBaseline(JSON.stringify(result([before])), "b.json")).known).toBe(known);
  });

  test("says how many findings with secret values count although it has them: a further change would look the same", () => {
    expect(mark(changed, changed).notes).toEqual([expect.stringMatching(/secret values .* b\.json .*\(1\)/)]);
  });

  test("of an earlier release says once that it should be written again", () => {
    const [found, old] = [
      [finding({ fields }), finding({ uid: "r/2", fields })],
      [finding(), finding({ uid: "r/2" })],
    ];
    const rewrite = expect.stringMatching(/^b\.json .* earlier release .* 2 of its objects.* Write it again/) as string;
    expect(markKnown(found, old, "b.json").notes).toEqual([rewrite]);
    for (const same of [found, []]) expect(markKnown(same, found, "b.json").notes).toEqual([]);
    expect(mark(here, ...old).notes).toEqual([]);
  });

  test.each(["{", "[]", '{"findings":[{"class":"x"}]}'])("%j is not a baseline", (content) => {
    expect(() => readBaseline(content, "b.json")).toThrow(/^b\.json is not a baseline: /);
  });
});

import Ajv from "ajv";
import addFormats from "ajv-formats";
import { readFileSync } from "node:fs";
import { readIgnoreFile, ignore } from "../../../cli/drift/ignore-file";
import { markKnown, readBaseline } from "../../../cli/drift/baseline";
import { formats } from "../../../cli/drift/formats";
import { driftClasses, type DriftDocument, driftDocument, type Finding } from "../../../cli/documents/drift";

const hostile = '<script>alert("x")</script> & \u001b[2J | `a`';

function finding(over: Partial<Finding> = {}): Finding {
  const uid = over.uid ?? "r/g/b";
  return {
    class: "unmanaged",
    severity: "high",
    kind: "iam:RoleBinding",
    uid,
    path: "acme/shop",
    message: "It is there.",
    ...over,
  };
}

function result(findings: Finding[]): DriftDocument {
  const coverage = [{ kind: "iam:RoleBinding", managed: 3, unmanaged: 1, unreadable: 0 }];
  return { version: 1, root: { uid: "r", path: "acme" }, findings, ignored: [], coverage, groups: [], notes: [], requests: 9 };
}

const render = (format: string, findings: Finding[]) => formats[format]?.(result(findings)) ?? "";

describe("every format", () => {
  test.each(Object.keys(formats))("%s says that there is no drift", (format) => {
    expect(render(format, [])).toMatch(/No drift|no drift|"findings": \[\]|"results": \[\]/);
  });

  test.each(Object.keys(formats).filter((format) => format !== "text"))(
    "%s has the notes; text leaves them to standard error",
    (format) => {
      const note = "SCIM of identity provider acme/[a](b) <c> was not compared.";
      const rendered = formats[format]?.({ ...result([]), notes: [note] }) ?? "";
      expect(rendered).toContain("SCIM of identity provider acme/");
      expect(rendered).toContain("was not compared");
    },
  );

  test("JSON is the document of the schema", () => {
    expect(driftDocument.parse(JSON.parse(render("json", [finding()])))).toEqual(result([finding()]));
  });

  test("HTML and XML show the platform's texts as they are, and run none of them", () => {
    for (const format of ["html", "junit"]) {
      const text = render(format, [finding({ path: hostile, message: hostile })]);
      expect(text).not.toContain("<script>");
      expect(text).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; \\u{1b}[2J");
    }
  });

  test("text and Markdown forge no lines, cells or terminal commands", () => {
    const [text, markdown] = ["text", "markdown"].map((format) => render(format, [finding({ message: `${hostile}\n| a |` })]));
    expect(text).not.toContain("\u001b[2J");
    expect(text?.split("\n").filter((line) => line.startsWith("| a"))).toEqual([]);
    expect(markdown).not.toContain("<script>");
    expect(markdown?.split("\n").filter((line) => line.startsWith("| a"))).toEqual([]);
  });

  test("SARIF fits the schema of SARIF 2.1.0", () => {
    const file = require.resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
    const schema = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    // Draft 4, by whose keywords that differ in later drafts only its id goes.
    const rest = Object.fromEntries(Object.entries(schema).filter(([name]) => name !== "$schema" && name !== "id"));
    const ajv = addFormats(new Ajv({ strict: false, unicodeRegExp: false }));
    const fits = ajv.compile(rest);
    const owned = { stack: "acme/prod", urn: "urn:pulumi:prod::acme::platform:iam:Group::shop", known: true as const };
    const all = driftClasses.map((what) => finding({ class: what, ...owned, message: hostile }));
    for (const findings of [[], [finding()], all]) {
      fits(JSON.parse(formats["sarif"]?.({ ...result(findings), notes: [hostile] }) ?? ""));
      expect(fits.errors).toBeNull();
    }
    expect(fits({ version: "2.1.0", runs: [{}] })).toBe(false);
  });

  test("SARIF 2.1.0 has what readers require: each result has a rule, a level, a message and a place", () => {
    const log = JSON.parse(render("sarif", [finding(), finding({ class: "missing", severity: "low", known: true })])) as {
      version: string;
      runs: { tool: { driver: { rules: { id: string }[] } }; results: Record<string, unknown>[] }[];
    };
    expect(log.version).toBe("2.1.0");
    const [run] = log.runs;
    expect(run?.results.map(({ ruleId, level, baselineState }) => [ruleId, level, baselineState])).toEqual([
      ["unmanaged/high", "error", "new"],
      ["missing/low", "note", "unchanged"],
    ]);
    expect(run?.tool.driver.rules.map(({ id }) => id).sort()).toEqual(["missing/low", "unmanaged/high"]);
    for (const each of run?.results ?? [])
      expect(each).toMatchObject({
        message: { text: expect.any(String) as string },
        locations: [{ physicalLocation: { artifactLocation: { uri: "Pulumi.yaml" } } }],
        partialFingerprints: { "object/v1": expect.any(String) as string },
      });
  });

  test("names are no links in SARIF, whatever backslashes they have", () => {
    const messageOf = (message: string) =>
      (JSON.parse(render("sarif", [finding({ message })])) as { runs: { results: { message: { text: string } }[] }[] }).runs[0]
        ?.results[0]?.message.text;
    expect(messageOf("[a](https://evil.example)")).toBe(String.raw`\[a\](https://evil.example)`);
    expect(messageOf(String.raw`\[a\](x) "\u{1b}"`)).toBe(String.raw`\\\[a\\\](x) "\u{1b}"`);
  });

  test("ten thousand findings: people see the worst, and how many more there are; machines see all", () => {
    const many = Array.from({ length: 10_000 }, (_, index) =>
      finding({ uid: `r/${index}`, severity: index < 60 ? "high" : "low" }),
    );
    const text = render("text", many);
    expect(text).toContain("... and 9950 more: 10 high, 9940 low. --json has all of them.");
    expect(text.split("\n").length).toBeLessThan(300);
    expect(render("markdown", many).length).toBeLessThan(60_000);
    expect((JSON.parse(render("json", many)) as DriftDocument).findings.length).toBe(10_000);
  });

  test("an unmanaged subtree is one entry for people, with what is in it and its worst grants", () => {
    const group = finding({
      kind: "iam:Group",
      uid: "r/s",
      path: "acme/shadow",
      severity: "low",
      message: "Group acme/shadow is in no state.",
    });
    const inside = [
      finding({ kind: "iam:Group", uid: "r/s/t", severity: "low", message: "a group" }),
      finding({ uid: "r/s/t/b", severity: "critical", message: "Anybody becomes owner." }),
      finding({ uid: "r/s/c", severity: "low", message: "a viewer" }),
    ];
    const text = render("text", [group, ...inside, finding({ uid: "r/x", severity: "high" })]);
    expect(text).toMatch(/^critical {2}unmanaged {3}iam:Group {2}acme\/shadow\n/);
    expect(text).toContain("With what is in it: 1 iam:Group, 2 iam:RoleBinding.");
    expect(text).toContain("critical: Anybody becomes owner.");
    expect(text).not.toContain("a viewer");
    expect(text).toContain("5 findings: 1 critical, 1 high, 3 low.");
  });

  test("the tags of an unmanaged repo are one entry with it; an account of a group hides nothing in the group", () => {
    const repo = finding({ kind: "registry:Repo", uid: "r/i", path: "acme/images", severity: "low", message: "a repo" });
    const tags = ["1", "2", "3"].map((uid) =>
      finding({ kind: "registry:Tag", uid: `r/i/${uid}`, severity: "info", message: "a tag" }),
    );
    const account = finding({ kind: "iam:AccountAssociation", uid: "r", severity: "medium", message: "an account" });
    const text = render("text", [account, repo, ...tags, finding({ uid: "r/x", severity: "high", message: "an owner" })]);
    expect(text).toContain("With what is in it: 3 registry:Tag.");
    expect(text).not.toContain("a tag");
    expect(text).toMatch(/an owner[^]*an account[^]*a repo/);
  });
});

describe("the ignore file", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  const apply = (content: string, findings: Finding[]) =>
    ignore(findings, readIgnoreFile(content, "ignore.yaml"), now, "ignore.yaml");
  const by = "owner: ops\n  reason: known\n  expiry: 2026-12-31\n";

  test("hides an object by uid or path, and what a pattern matches, with who answers for it", () => {
    const findings = [
      finding(),
      finding({ kind: "iam:Identity", uid: "r/i", path: "acme/bot" }),
      finding({ uid: "r/s/1", path: "acme/sandbox/a" }),
      finding({ uid: "r/t", path: "acme/team" }),
    ];
    const {
      findings: kept,
      ignored,
      notes,
    } = apply(
      `- object: r/g/b\n  ${by}- object: acme/bot\n  kind: iam:Identity\n  ${by}- pattern: acme/sandbox/**\n  ${by}`,
      findings,
    );
    expect(kept.map(({ uid }) => uid)).toEqual(["r/t"]);
    expect(ignored.map(({ uid, owner, expiry }) => [uid, owner, expiry])).toEqual([
      ["r/g/b", "ops", "2026-12-31"],
      ["r/i", "ops", "2026-12-31"],
      ["r/s/1", "ops", "2026-12-31"],
    ]);
    expect(notes).toEqual([]);
  });

  test("the path of a group hides no role binding in it, and `*` no names below", () => {
    expect(apply(`- object: acme/shop\n  kind: iam:RoleBinding\n  ${by}`, [finding()]).findings.length).toBe(1);
    expect(apply(`- pattern: acme/*\n  ${by}`, [finding()]).findings.length).toBe(1);
    expect(apply(`- pattern: acme/shop/*\n  ${by}`, [finding()]).findings.length).toBe(0);
  });

  test("an entry for a group hides no account association of that group: they share uid and path", () => {
    const account = finding({ kind: "iam:AccountAssociation", uid: "r/shop", path: "acme/shop" });
    for (const entry of ["object: r/shop", "pattern: acme/**"]) {
      expect(apply(`- ${entry}\n  ${by}`, [account, finding({ ...account, kind: "iam:Group" })]).findings).toEqual([account]);
      expect(apply(`- ${entry}\n  kind: iam:AccountAssociation\n  ${by}`, [account]).findings).toEqual([]);
    }
  });

  test("a path without a kind matches nothing, and a note says which kind is meant: an identity may have the path of a group", () => {
    const group = finding({ kind: "iam:Group", uid: "r/g", path: "acme/ci" });
    const identity = finding({ kind: "iam:Identity", uid: "r/i", path: "acme/ci" });
    const { findings, notes } = apply(`- object: acme/ci\n  ${by}`, [identity]);
    expect(findings).toEqual([identity]);
    expect(notes).toEqual([expect.stringMatching(/"acme\/ci" matches nothing: .* Add `kind: iam:Identity`, or use the uid\.$/)]);
    expect(apply(`- object: acme/ci\n  kind: iam:Group\n  ${by}`, [group, identity]).findings).toEqual([identity]);
    expect(apply(`- object: r/g\n  ${by}`, [group, identity]).findings).toEqual([identity]);
  });

  test("a name with a slash does not make an object one of another group", () => {
    const provider = finding({ kind: "iam:IdentityProvider", uid: "r/p", path: "acme/sandbox/sso" });
    for (const entry of ["object: acme/sandbox/sso", "pattern: acme/sandbox/**"])
      expect(apply(`- ${entry}\n  ${by}`, [provider]).findings).toEqual([provider]);
    expect(apply(`- pattern: acme/sandbox/**\n  ${by}`, [provider]).notes).toEqual([
      'ignore.yaml:1: the entry for "acme/sandbox/**" matches nothing: a name in the path has a slash, so it may be the path of another ' +
        "object. Use the uid.",
    ]);
    expect(apply(`- object: r/p\n  ${by}`, [provider]).findings).toEqual([]);
    expect(apply(`- pattern: acme/sandbox/**\n  ${by}`, [finding({ ...provider, uid: "r/s/p" })]).findings).toEqual([]);
  });

  test("an entry that has expired has no effect and is reported, and so is one that matches nothing", () => {
    const { findings, notes } = apply(
      `- object: r/g/b\n  owner: ops\n  reason: old\n  expiry: 2026-11-21\n- object: r/gone\n  ${by}`,
      [finding()],
    );
    expect(findings.length).toBe(1);
    expect(notes).toEqual([
      'ignore.yaml:1: the entry for "r/g/b" expired on 2026-11-21 and has no effect. Ask ops to repair the drift or renew the entry.',
      'ignore.yaml:5: the entry for "r/gone" matches nothing. Remove it, or correct it.',
    ]);
  });

  test("an entry lasts to the end of its last day, and hides nothing that is unreadable", () => {
    const entry = "- pattern: '**'\n  owner: ops\n  reason: all\n  expiry: 2026-11-22\n";
    expect(apply(entry, [finding()]).findings).toEqual([]);
    expect(apply(entry, [finding({ class: "unreadable" })]).findings.length).toBe(1);
  });

  test("JSON is read too, also as the list `ignore`", () => {
    const json = JSON.stringify({ ignore: [{ object: "r/g/b", owner: "o", reason: "r", expiry: "2027-01-01" }] });
    expect(apply(json, [finding()]).findings).toEqual([]);
  });

  test.each([
    ["- object: a\n  onwer: ops\n  reason: r\n  expiry: 2027-01-01\n", /line 2: there is no key "onwer"; did you mean `owner`\?/],
    ["- object: a\n  owner: ops\n  reason: r\n  expiry: soon\n", /line 4: `expiry` must be a date such as 2027-01-31/],
    ["- object: a\n  owner: ops\n  reason: r\n  expiry: 2027-02-31\n", /line 4: `expiry` must be a date/],
    ["- object: a\n  owner: ops\n  reason: r\n  expiry: 2027-01-31T10:00\n", /line 4: `expiry` must be .* a time with its zone/],
    [`- object: a\n  pattern: b\n  ${by}`, /line 1: set either `object`, a uid or a path, or `pattern`/],
    ["- object: a\n  reason: r\n  expiry: 2027-01-01\n", /line 1: `owner` is required/],
    [`- object: a\n  kind: iam:Grup\n  ${by}`, /line 2: `kind` must be one of iam:Group/],
    ["ignored: []\n", /line 1: expected a list, or a map with the list `ignore`/],
    ["- object: [\n", /line 2: /],
  ])("%j is rejected with its line", (content, message) => {
    expect(() => readIgnoreFile(content, "ignore.yaml")).toThrow(message);
    expect(() => readIgnoreFile(content, "ignore.yaml")).toThrow(/^ignore\.yaml is not an ignore file\. Nothing was compared\./);
  });
});

describe("a baseline", () => {
  const known = (found: Finding[], before: Finding[]) => markKnown(found, before, "b.json").findings.map((each) => each.known);
  const baseline = readBaseline(
    JSON.stringify(result([finding({ fields: [] }), finding({ uid: "r/u", class: "unreadable" })])),
    "b.json",
  );

  test("makes known what it has, and nothing that is new, changed since, worse or unreadable", () => {
    const fields = [{ path: "name", declared: "a", actual: "b" }];
    const found = [
      finding(),
      finding({ uid: "r/new" }),
      finding({ severity: "critical" }),
      finding({ fields }),
      finding({ uid: "r/u", class: "unreadable" }),
    ];
    expect(known(found, baseline)).toEqual([true, undefined, undefined, undefined, undefined]);
  });

  test("knows nothing of which a value is secret: a further change would look the same", () => {
    const fields = [{ path: "claimMatch.subject", declared: "[secret]", actual: "[secret]" }];
    const found = [finding({ class: "changed", fields })];
    const { findings, notes } = markKnown(found, found, "b.json");
    expect(findings.map((each) => each.known)).toEqual([undefined]);
    expect(notes).toEqual([expect.stringMatching(/^Findings with secret values count although b\.json has them \(1\)/)]);
    const removed = [finding({ class: "changed", fields: [{ path: "description", declared: "[secret]" }] })];
    expect(known(removed, removed)).toEqual([true]);
  });

  test("knows a finding that matters less than it did", () => {
    expect(known([finding({ severity: "info" })], [finding({ severity: "critical" })])).toEqual([true]);
  });

  test("of an earlier release knows what no state has by its severity, and says once that it should be written again", () => {
    const fields = [{ path: "roleUid", actual: "r/viewer" }];
    const found = [finding({ fields }), finding({ uid: "r/2", class: "duplicate", fields })];
    const old = [finding(), finding({ uid: "r/2", class: "duplicate" })];
    const { findings, notes } = markKnown(found, old, "b.json");
    expect(findings.map((each) => each.known)).toEqual([true, true]);
    expect(notes).toEqual([
      expect.stringMatching(/^b\.json was written by an earlier release .* 2 of its objects.* Write it again/),
    ]);
    expect(known([finding({ fields, severity: "critical" })], old)).toEqual([undefined]);
    expect(known([finding({ class: "changed", fields })], [finding({ class: "changed" })])).toEqual([undefined]);
    // One of this release that is of no access to anybody yet.
    expect(known([finding({ fields })], [finding({ fields: [] })])).toEqual([undefined]);
    for (const same of [found, []]) expect(markKnown(same, found, "b.json").notes).toEqual([]);
    expect(markKnown([finding({ fields: [] })], old, "b.json").notes).toEqual([]);
  });

  test.each(["{", "[]", '{"findings":[{"class":"x"}]}'])("%j is not a baseline", (content) => {
    expect(() => readBaseline(content, "b.json")).toThrow(/^b\.json is not a baseline: /);
  });
});

test("a glob of the ignore file takes no longer for the names that somebody chooses: several stars and a long name", () => {
  const entries = readIgnoreFile(`- pattern: "acme/*a*a*a*a*b"\n  owner: a\n  reason: b\n  expiry: 2099-01-01\n`, "ignore.yaml");
  const named = (name: string) => finding({ kind: "iam:Group", uid: "r/a", path: `acme/${name}` });
  const { ignored } = ignore([named("a".repeat(100_000)), named(`${"a".repeat(100_000)}b`)], entries, 0, "ignore.yaml");
  expect(ignored.map(({ path }) => path.at(-1))).toEqual(["b"]);
});

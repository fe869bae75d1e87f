import Ajv from "ajv";
import addFormats from "ajv-formats";
import { readFileSync } from "node:fs";
import { driftClasses, type Finding } from "../../../drift/finding";
import { type DriftDocument, driftDocument } from "../../../cli/documents/drift";
import { formats } from "../../../cli/drift/formats";
import { finding } from "../../drift/finding";

const hostile = '<script>alert("x")</script> & \u001b[2J | `a`';

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

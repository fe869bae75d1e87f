import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout, useCheckout } from "./fake-checkout";

const manifest = {
  version: "1.2.0",
  author: "Acme <platform@acme.example>",
  homepage: "https://acme.example",
  logoUrl: "https://acme.example/logo.svg",
  keywords: ["category/cloud", "kind/native"],
  repository: { url: "git+https://github.com/acme/pulumi-platform.git" },
};
const schema = {
  version: "1.2.0",
  language: {
    nodejs: { packageName: "pulumi-platform-native" },
    python: { packageName: "sdk" },
    go: { importBasePath: "sdk/go" },
  },
};
const front = "---\ntitle: Platform\nlayout: package\n---\n\n";
const samples = ["typescript", "python", "go", "java", "yaml"].map((language) => `\`\`\`${language}\n\`\`\`\n`).join("\n");
const history = "## [1.1.0] - 2026-09-01\n\n- Older.\n";
const dated = `# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-10-01\n\n- New.\n\n${history}`;
const tag = { GITHUB_WORKFLOW_REF: "acme/provider/.github/workflows/release.yml@refs/tags/v1.2.0" };

useCheckout((made) => {
  made.writeCommandLine("");
  made.writeTool("tools/git", 'printf %s "$CHANGED"');
  made.write("package.json", JSON.stringify(manifest));
  made.write("CHANGELOG.md", dated);
  made.write("schema.json", JSON.stringify(schema));
  made.write("docs/_index.md", front + samples);
  made.write("docs/installation-configuration.md", front);
});

const untagged = { GITHUB_WORKFLOW_REF: "acme/provider/.github/workflows/release.yml@refs/heads/main" };
const otherTag = { GITHUB_WORKFLOW_REF: tag.GITHUB_WORKFLOW_REF.replace("1.2.0", "1.2.1") };
const otherWorkflow = { GITHUB_WORKFLOW_REF: tag.GITHUB_WORKFLOW_REF.replace("release.yml", "ci.yml") };
const without = (field: string) => ({ "package.json": JSON.stringify({ ...manifest, [field]: undefined }) });
const withField = (fields: object) => ({ "package.json": JSON.stringify({ ...manifest, ...fields }) });
const overview = (text: string) => ({ "docs/_index.md": text });
const notTagged = "not the release workflow of the tag v1.2.0";
const notDated = 'does not begin with "## [1.2.0] - YYYY-MM-DD"';

test.each<[what: string, reason: string, env: Record<string, string>, files?: Record<string, string>]>([
  ["by a person", notTagged, {}],
  ["from a branch", notTagged, untagged],
  ["from the tag of another version", notTagged, otherTag],
  ["in another workflow", notTagged, otherWorkflow],
  ["of an undated version", notDated, tag, { "CHANGELOG.md": dated.replace(" - 2026-10-01", "") }],
  [
    "while changes have no version",
    notDated,
    tag,
    { "CHANGELOG.md": dated.replace("[Unreleased]\n", "[Unreleased]\n\n- Newer.\n") },
  ],
  ["of a version that the changelog lacks", notDated, tag, { "CHANGELOG.md": history }],
  ["of a package that names no repository", "names no repository", tag, without("repository")],
  [
    "of a repository elsewhere",
    "none on GitHub",
    tag,
    withField({ repository: { url: "https://gitlab.example/acme/pulumi-platform" } }),
  ],
  [
    "of a repository of another name",
    "called pulumi-platform",
    tag,
    withField({ repository: { url: "https://github.com/acme/platform" } }),
  ],
  ["without a publisher", "names no author", tag, without("author")],
  ["of a publisher without a name", "names no author", tag, withField({ author: "<platform@acme.example>" })],
  ["without a homepage", "names no homepage", tag, without("homepage")],
  ["without a logo", "names no logoUrl", tag, without("logoUrl")],
  ["without a category of the registry", '"category/"', tag, withField({ keywords: ["category/identity", "kind/native"] })],
  [
    "with the schema of another version",
    "has another version",
    tag,
    { "schema.json": JSON.stringify({ ...schema, version: "1.1.0" }) },
  ],
  [
    "with an SDK that npm would take from a stranger",
    "a stranger's repository",
    tag,
    { "schema.json": JSON.stringify({ ...schema, language: { nodejs: { packageName: "pulumi-platform/native" } } }) },
  ],
  ["without front matter for the registry", "does not begin with front matter", tag, overview(samples)],
  ["without a sample in a language", "no sample in go", tag, overview(front + samples.replace("```go", "```golang"))],
  ["with a link that the registry cannot follow", "a link to a .md file", tag, overview(`${front}${samples}[a](native.md)`)],
  ["with a picture that the registry has not", "a relative picture", tag, overview(`${front}${samples}![a](./a.svg)`)],
  ["of a prerelease", "is a prerelease", tag, { "package.json": JSON.stringify({ ...manifest, version: "1.2.0-rc.1" }) }],
  ["of what no commit has", "M sdk/index.ts", { ...tag, CHANGED: " M sdk/index.ts\n" }],
])("nothing is made %s", async (_case, reason, env, files = {}) => {
  for (const [name, text] of Object.entries(files)) checkout.write(name, text);
  await checkout.refuse(reason, "release.mjs", [], env);
});

const failingChecks = "Nothing was made, because npm run check fails";

test("the workflow makes the release of its tag, if the checks pass, which it cannot leave out", async () => {
  await checkout.refuse(failingChecks, "release.mjs", ["--no-check"], tag);
});

test("a dry run says why a release would be refused, and goes on to the checks", async () => {
  checkout.write("CHANGELOG.md", dated.replace(" - 2026-10-01", ""));
  const { code, stderr } = await checkout.run("release.mjs", ["--dry-run"]);
  expect(code).toBe(1);
  for (const part of [notTagged, notDated, failingChecks]) expect(stderr).toContain(part);
});

test("a dry run lists the checks of the registry, with what each needs", async () => {
  checkout.write("package.json", JSON.stringify({ ...manifest, logoUrl: undefined }));
  const { stderr } = await checkout.run("release.mjs", ["--dry-run"]);
  const lines = [...stderr.matchAll(/^ {2}(\S.*?) {2,}(ok|not ok|cannot be checked here): \S/gm)];
  const results = Object.fromEntries(lines.map(([, name = "", result]) => [name, result]));
  expect(results).toEqual({
    repository: "ok",
    publisher: "ok",
    homepage: "ok",
    logo: "not ok",
    keywords: "ok",
    version: "ok",
    "SDK of Node.js": "ok",
    "docs/_index.md": "ok",
    "docs/installation-configuration.md": "ok",
    "pulumi plugin install": "cannot be checked here",
    "npm install pulumi-platform-native": "cannot be checked here",
    "pip download sdk": "cannot be checked here",
    "go get sdk/go": "cannot be checked here",
  });
  expect(stderr).toContain("logo                                not ok: `logoUrl` in package.json");
});

test("a release compiles the package, whatever is in dist/, and keeps no file of an earlier one", async () => {
  await checkout.run("build.mjs");
  checkout.write("dist/cli/main.js", "altered");
  const earlier = checkout.write(".state/release/pulumi-platform-1.1.0.tgz", "");
  await checkout.run("release.mjs", ["--dry-run", "--no-check"]);
  expect(existsSync(earlier)).toBe(false);
  expect(readFileSync(join(checkout.root, "dist/cli/main.js"), "utf8")).toBe("");
});

test("an unknown option makes nothing: it may be a mistyped --dry-run", async () => {
  await checkout.refuse("--dryrun", "release.mjs", ["--dryrun"], tag);
});

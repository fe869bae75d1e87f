import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout, useCheckout } from "./fake-checkout";

const manifest = { version: "1.2.0", repository: { url: "git+https://github.com/acme/provider.git" } };
const history = "## [1.1.0] - 2026-09-01\n\n- Older.\n";
const dated = `# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-10-01\n\n- New.\n\n${history}`;
const tag = { GITHUB_WORKFLOW_REF: "acme/provider/.github/workflows/release.yml@refs/tags/v1.2.0" };

useCheckout((made) => {
  made.writeCommandLine("");
  made.writeTool("tools/git", 'printf %s "$CHANGED"');
  made.write("package.json", JSON.stringify(manifest));
  made.write("CHANGELOG.md", dated);
});

const untagged = { GITHUB_WORKFLOW_REF: "acme/provider/.github/workflows/release.yml@refs/heads/main" };
const otherTag = { GITHUB_WORKFLOW_REF: tag.GITHUB_WORKFLOW_REF.replace("1.2.0", "1.2.1") };
const otherWorkflow = { GITHUB_WORKFLOW_REF: tag.GITHUB_WORKFLOW_REF.replace("release.yml", "ci.yml") };
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
  ["of a package that names no repository", "names no repository", tag, { "package.json": '{ "version": "1.2.0" }' }],
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

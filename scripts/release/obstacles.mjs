import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runQuietly } from "../lib/child.mjs";
import { checkout } from "../lib/paths.mjs";

/**
 * The reasons why this is no release, a sentence each. There are none in the release workflow for the tag of a version in the changelog.
 *
 * @param checks those of the registry, each of whose problems is a reason
 */
export async function obstacles({ version }, checks) {
  const changed = await runQuietly("git status", "git", ["status", "--porcelain"], { cwd: checkout });
  const run = process.env.GITHUB_WORKFLOW_REF ?? "";
  return [
    [
      run.endsWith(`/.github/workflows/release.yml@refs/tags/v${version}`),
      `This is not the release workflow of the tag v${version}.`,
    ],
    [
      isDated(version),
      `CHANGELOG.md does not begin with "## [${version}] - YYYY-MM-DD": give what is under [Unreleased] its version and date.`,
    ],
    [/^\d+\.\d+\.\d+$/.test(version), `${version} is a prerelease, which npm would need a tag for: this workflow gives none.`],
    ...checks.map(({ problem }) => [typeof problem !== "string", problem]),
    [changed === "", `Files differ from the commit:\n${changed.trimEnd()}`],
  ].flatMap(([isMet, sentence]) => (isMet ? [] : [sentence]));
}

/** Whether the first section of the changelog with any content is this version's, and dated. */
function isDated(version) {
  const [, ...sections] = readFileSync(join(checkout, "CHANGELOG.md"), "utf8").split(/^## /m);
  const first = sections.find((section) => section.trim() !== "[Unreleased]") ?? "";
  return first.startsWith(`[${version}] - `) && /^\S+ - \d{4}-\d{2}-\d{2}\n/.test(first);
}

import { constants, accessSync, existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run } from "../lib/child.mjs";
import { withLock } from "../lib/lock.mjs";
import { Failure, say } from "../lib/message.mjs";
import { engineHome, engineVersions } from "../lib/paths.mjs";
import { buildEngine } from "./engine-build.mjs";
import { downloadEngine } from "./engine-download.mjs";
import { compareVersions, isAtLeast } from "./version.mjs";

/** The first version whose exit code 7 means "changes found" (docs/contributing/engine.md#exit-codes). */
const MINIMUM = "3.226.1";
/** The version to download or build if no engine is found. */
const PINNED = "3.259.0";
const TOOL = "pulumi";
/** The Go modules that can be built hold a current CLI and a much older language host. */
const OWN_BUILD_NOTICE =
  "  Built from Go modules: the CLI is current, its Node.js language host is an older release, on which transforms and hooks fail.\n" +
  "  For your own programs, use a full installation: https://www.pulumi.com/docs/install/";
/** Programs that the CLI starts to run a Node program and its dynamic resources. */
const COMPANIONS = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

/**
 * Finds or installs a Pulumi engine and prints its source. The sources are PATH, an earlier run, the official download, and a build from Go
 * modules, in this order (docs/contributing/engine.md#engine-lookup).
 * @returns {Promise<string>} the folder that contains `pulumi`
 * @throws {Failure} with the failed attempts and the one thing to install
 */
export async function ensureEngine() {
  const tried = [];
  const found = (await fromPath(tried)) ?? (await fromVersions(tried)) ?? (await fetched(tried));
  if (found) {
    say(`Engine: pulumi ${found.version} ${found.how} (${found.folder})`);
    if (isOwnBuild(found.folder)) say(OWN_BUILD_NOTICE);
    return found.folder;
  }
  throw new Failure(
    `No Pulumi engine (${MINIMUM} or newer) was found or could be installed. Tried:\n${tried.map((line) => `  - ${line}`).join("\n")}\n` +
      "Install one thing and run the command again: the Pulumi CLI (https://www.pulumi.com/docs/install/), so that `pulumi version` works.",
  );
}

async function fromPath(tried) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const folder = folders.find((each) => isExecutable(join(each, TOOL)));
  if (!folder) {
    tried.push("PATH: no `pulumi` on it");
    return undefined;
  }
  const version = await versionOf(folder);
  const missing = COMPANIONS.filter((name) => ![folder, ...folders].some((each) => isExecutable(join(each, name))));
  if (!version) tried.push(`PATH: ${join(folder, TOOL)} does not run`);
  else if (!isAtLeast(version, MINIMUM)) tried.push(`PATH: ${join(folder, TOOL)} is ${version}, older than ${MINIMUM}`);
  else if (missing.length > 0) tried.push(`PATH: ${join(folder, TOOL)} has no ${missing.join(" and no ")} beside it or on PATH`);
  else return { folder, version, how: "from PATH" };
  return undefined;
}

/** Tries the pinned version first, because the tests use it. */
async function fromVersions(tried) {
  const root = engineVersions();
  const versions = existsSync(root) ? readdirSync(root).filter((name) => isAtLeast(name, MINIMUM)) : [];
  versions.sort((a, b) => Number(b === PINNED) - Number(a === PINNED) || compareVersions(b, a));
  for (const name of versions) {
    const folder = join(root, name, "bin");
    const version = isComplete(folder) ? await versionOf(folder) : undefined;
    if (version && isAtLeast(version, MINIMUM)) return { folder, version, how: "from an earlier run" };
  }
  tried.push(`${root}: no whole engine of ${MINIMUM} or newer in it`);
  return undefined;
}

/** Downloads or builds, one process at a time. The folder appears complete or not at all. */
async function fetched(tried) {
  const home = join(engineVersions(), PINNED);
  return withLock(`${home}.lock`, "another command is bringing the engine", async () => {
    const already = await fromVersions([]);
    if (already) return already;
    const ways = [
      [downloadEngine, "from the official download"],
      [buildEngine, "built from Go modules"],
    ];
    for (const [bring, how] of ways) {
      const reason = await bring(PINNED, home);
      const folder = join(home, "bin");
      if (!reason && isComplete(folder) && (await versionOf(folder))) return { folder, version: PINNED, how };
      tried.push(reason ?? `${how}: it does not run`);
    }
    return undefined;
  });
}

/** The Go build brings only these programs. A full installation also contains the hosts of the other languages. */
function isOwnBuild(folder) {
  const own = new Set([TOOL, ...COMPANIONS]);
  return readdirSync(folder).every((name) => own.has(name)) && isComplete(folder);
}

function isComplete(folder) {
  return [TOOL, ...COMPANIONS].every((name) => isExecutable(join(folder, name)));
}

async function versionOf(folder) {
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_HOME: engineHome };
  const answer = await run(join(folder, TOOL), ["version"], { capture: true, env }).catch((error) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
  return answer?.code === 0 ? /\d+\.\d+\.\d+/.exec(answer.output)?.[0] : undefined;
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

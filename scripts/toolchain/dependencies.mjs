import { readFileSync } from "node:fs";
import { join } from "node:path";
import { announce, Failure, say } from "../lib/message.mjs";
import { checkout } from "../lib/paths.mjs";
import { npm } from "./npm.mjs";

/** Brings node_modules to what the lockfile says; nothing to do is the usual case. @throws {Failure} */
export async function ensureDependencies() {
  if (installedAsLocked()) return;
  let attempt = await install("npm ci", ["ci"]);
  if (onlyForeignBinariesMissing(attempt.output)) {
    say("  npm ci refuses, for the registry lacks binaries of other machines, which the lockfile therefore lacks too.");
    attempt = await install("npm install, versions as locked", ["install", "--no-save"]);
  }
  if (attempt.code === 0) return;
  throw new Failure(
    `The dependencies could not be installed (npm's exit code ${attempt.code}):\n${gistOf(attempt.output)}\n` +
      "Mend what it names (often the network or the registry) and run the command again.",
  );
}

function install(what, args) {
  return announce(`Dependencies: ${what}`, () => npm([...args, "--include=dev"], { cwd: checkout, capture: true }));
}

/**
 * An optional package that the registry does not have at all is left out when the lockfile is written, and `npm ci` then calls
 * the lockfile out of date. npm names such a package without a version; a real difference has one, or is "Invalid".
 */
function onlyForeignBinariesMissing(output) {
  const complaints = output.split("\n").filter((line) => /^npm error (Missing|Invalid): /.test(line));
  return complaints.length > 0 && complaints.every((line) => /^npm error Missing: \S+@ from lock file$/.test(line));
}

/** What npm says is wrong, without its usage page. */
function gistOf(output) {
  return output.split(/^npm error Clean install a project$/m)[0].trimEnd();
}

/**
 * npm writes what it installed into node_modules/.package-lock.json, as its last act: an install that was cut off has none.
 * Optional packages of other machines are locked but not installed.
 */
function installedAsLocked() {
  const locked = readPackages(join(checkout, "package-lock.json"));
  const installed = readPackages(join(checkout, "node_modules", ".package-lock.json"));
  if (!locked || !installed) return false;
  return Object.entries(locked).every(([path, { version, link, optional, integrity }]) => {
    const found = installed[path];
    if (path === "") return true;
    if (!found) return optional === true;
    return found.version === version && found.link === link && found.integrity === integrity;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}

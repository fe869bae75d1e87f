import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { PlatformError } from "../../provider/client/errors";
import { printable } from "../../provider/client/printable";
import type { Progress } from "../shell/progress";
import type { Format } from "./format";
import { type Outcome, pulumiIn, run } from "../project/commands";
import { packageName } from "../project/own-package";
import { type ImportFile, importCommand } from "./protection";

/** The target of an import. */
export interface TakeOver {
  /** Folder of the program. */
  readonly folder: string;
  readonly format: Format;
  /** Name of the stack. */
  readonly stack: string;
  /** The files with the objects. */
  readonly imports: readonly ImportFile[];
  /** The program's dependency on this package. If it is undefined, npm cannot install the package. */
  readonly dependency: string | undefined;
}

/**
 * Imports the objects of an exported program into the state of a stack, then shows that program, state and platform agree. The import sends
 * nothing to the platform, and the preview only reads. An update without changes then completes the state.
 *
 * @returns the output of the preview if it shows changes; undefined if it shows none
 * @throws PlatformError if a command fails
 */
export async function takeOver(target: TakeOver, progress: Progress): Promise<string | undefined> {
  const { folder, format, stack, imports, dependency } = target;
  if (!hasPackages(folder, format)) {
    if (dependency === undefined) throw new PlatformError("CONFIGURATION", unknownOrigin(folder));
    progress.update("Installing the packages of the program");
    required("Install the packages", await run(folder, "npm", ["install", "--no-audit", "--no-fund"]));
  }
  progress.update(`Creating stack ${stack}`);
  required("Create the stack", await pulumi(folder, ["stack", "select", "--create", stack]));
  const { output } = required("Read the stack", await pulumi(folder, ["stack", "export", "--stack", stack]));
  if (/"urn":/.test(output))
    throw new PlatformError(
      "INVALID_INPUT",
      `Stack ${stack} has resources already. Pass --import STACK with a name of a new stack.`,
    );
  const count = imports.reduce((sum, { resources }) => sum + resources.length, 0);
  let imported = 0;
  const note = (line: string) => {
    if (/ imported\b/.test(line)) progress.update(`Taking over ${(imported += 1)} of ${count} objects`);
  };
  progress.update(`Taking over ${count} objects`);
  // An import sends nothing to the platform, so writing the state once at the end loses nothing.
  for (const file of imports) {
    if (file.resources.length === 0) continue;
    required(`Import ${file.name}`, await pulumi(folder, [...importCommand(file), "--stack", stack], note, once));
  }
  progress.update("Comparing program, state and platform");
  const preview = await pulumi(folder, [
    "preview",
    "--stack",
    stack,
    "--refresh",
    "--run-program",
    "--expect-no-changes",
    "--diff",
  ]);
  if (preview.code === changesFound) return preview.output;
  required("Preview", preview);
  progress.update("Completing the state");
  // An import knows no dependencies. Without this, the first update would save the state once for every object. The preview has shown that
  // nothing changes.
  const complete = ["up", "--stack", stack, "--yes", "--skip-preview", "--expect-no-changes"];
  required("Complete the state", await pulumi(folder, complete, undefined, once));
  return undefined;
}

/** Nothing is installed by name, because the owner of that name in a registry would decide which code runs. */
function unknownOrigin(folder: string): string {
  return (
    `Install the packages: the origin of ${packageName} is unknown, and npm is not asked for it by name. ` +
    `Run \`npm install FILE\` in ${folder} with its tarball, then the commands in README.md, which take the objects over. The program is written.`
  );
}

/** Saves the state once, at the end. A killed command leaves the state from before it. */
const once = { PULUMI_SKIP_CHECKPOINTS: "1" };

/** The exit code of the Pulumi CLI for changes with --expect-no-changes. */
const changesFound = 7;

/** @throws PlatformError for a failed command */
function required(what: string, outcome: Outcome): Outcome {
  if (outcome.code === 0) return outcome;
  throw new PlatformError(
    "CONFIGURATION",
    `${what}: exit code ${outcome.code}.\n${printable(outcome.output).trim()}\n` +
      "The program is written. Its README.md has the commands that take the objects over by hand.",
  );
}

/** A TypeScript program also finds packages in a folder above. The Pulumi.yaml of a YAML program names a plugin in its own folder. */
function hasPackages(folder: string, format: Format): boolean {
  if (format === "yaml") return existsSync(path.join(folder, "node_modules", ".bin", "pulumi-resource-platform"));
  try {
    createRequire(path.join(folder, "index.js")).resolve("pulumi-platform/provider");
    return true;
  } catch {
    return false;
  }
}

function pulumi(
  folder: string,
  parameters: readonly string[],
  onLine?: (line: string) => void,
  more?: Record<string, string>,
): Promise<Outcome> {
  return pulumiIn(folder, parameters, { ...(onLine && { onLine }), ...(more && { environment: more }) });
}

import path from "node:path";
import { PlatformError } from "../../provider/client/errors";
import { connect } from "../../provider/credentials";
import { readIgnoreFile, withoutGaps } from "../../drift/ignore-file";
import type { UnreadablePart } from "../../inventory/objects";
import { readInventory } from "../../inventory/platform";
import { UsageError } from "../shell/exit-codes";
import { entriesIn } from "../shell/files";
import { groupNamed } from "../shell/lookup";
import type { Progress } from "../shell/progress";
import { settingsOf } from "../shell/settings";
import { type Sources, stateTexts } from "../shell/states";
import type { Format } from "./format";
import { managedObjects } from "./managed";
import { organizationProgram } from "./organization-program";
import { ownDependency } from "../project/own-package";
import type { Program } from "./program";
import { importFilesOf } from "./protection";
import { documentOf, type Written } from "./result";
import { takeOver } from "./take-over";
import { requireEmpty, writeProject } from "../project/write-project";

/** The selection to export, by the names of the command's options. */
export interface Wanted {
  readonly root?: string;
  readonly out: string;
  readonly format: Format;
  /** The settings, and the states whose objects are excluded. */
  readonly sources: Sources;
  readonly import?: string | true;
  readonly protect: boolean;
  readonly ignore?: string;
}

/** The written files, and the changes of a preview after `--import`. */
interface Exported {
  readonly program: Program;
  readonly written: Written;
  readonly changes: string | undefined;
  /** The parts that were not read, each with the owner of the accepted gap. */
  readonly gaps: readonly string[];
}

/** Writes a group and everything below it as a program. If requested, imports the objects into a stack. @throws PlatformError */
export async function exportTo(wanted: Wanted, progress: Progress): Promise<Exported> {
  const { out, format, sources } = wanted;
  await requireEmpty(out);
  const entries = await entriesIn(wanted.ignore, readIgnoreFile);
  const { configuration } = await settingsOf(sources.settings);
  const named = wanted.root ?? configuration.organization;
  if (named === undefined)
    throw new UsageError("Which group? Pass --root UID or PATH, or set platform:organization or PLATFORM_ORGANIZATION.");
  progress.update("Reading the organisation");
  const client = connect(configuration);
  const inventory = await readInventory(client, await groupNamed(client, "--root", named));
  const { unreadable, notes: gaps } = withoutGaps(inventory.unreadable, entries, client.now());
  requireReadable(unreadable);
  const managed = managedObjects(await stateTexts(sources), inventory.root);
  const dependency = await ownDependency(out);
  const { program, files, root } = await organizationProgram(client, inventory, managed, { ...wanted, dependency });
  await writeProject(out, files);
  const written = documentOf(program, [...files.keys()], { out, format, root, requests: client.requests });
  if (wanted.import === undefined) return { program, written, changes: undefined, gaps };
  const stack = wanted.import === true ? "main" : wanted.import;
  const imports = importFilesOf(program);
  const changes = await takeOver({ folder: path.resolve(out), format, stack, dependency, imports }, progress);
  return { program, written: { ...written, imported: { stack, agrees: changes === undefined } }, changes, gaps };
}

/** @throws PlatformError if objects may be missing, because the program would look complete */
function requireReadable(unreadable: readonly UnreadablePart[]): void {
  const missing = unreadable.filter(({ kind }) => kind !== undefined);
  if (missing.length === 0) return;
  const lines = missing.map(({ what, reason }) => `  ${what}: ${reason}`);
  throw new PlatformError(
    "PERMISSION_DENIED",
    `Nothing was written, because objects may be missing:\n${lines.join("\n")}\nUse an identity that may list them, pass --root with a group where it may, or accept the gap with --ignore.`,
  );
}

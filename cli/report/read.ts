import { findDrift } from "../../drift/compare";
import { ignore, readIgnoreFile, withoutGaps } from "../../drift/ignore-file";
import { verifyOrganization } from "../../drift/scope";
import { readInventory } from "../../inventory/platform";
import { scopeOf } from "../../inventory/state-scope";
import { connect } from "../../provider/credentials";
import { reportData } from "../../report/data";
import { guardedBy, readSources, rootUid } from "../drift/states";
import { UsageError } from "../shell/exit-codes";
import { entriesIn } from "../shell/files";
import type { Progress } from "../shell/progress";
import type { Sources } from "../shell/states";

/** Options that select the content of a report. */
export interface ReadOptions {
  readonly root?: string;
  readonly ignore?: string;
}

/** Reads the content of the page, which is the organisation and, with states, the differences from them. @throws PlatformError */
export async function readReport(sources: Sources, { root: wanted, ignore: file }: ReadOptions, progress: Progress) {
  const hasStates = sources.stacks.length + sources.files.length > 0;
  const entries = await entriesIn(file, readIgnoreFile);
  progress.update("Reading the organisation");
  const { states, configuration } = await readSources(sources);
  if (wanted === undefined && configuration.organization === undefined && !hasStates)
    throw new UsageError("Which organisation? Pass --root UID, or set PLATFORM_ORGANIZATION.");
  const client = connect(configuration);
  const root = await rootUid(client, wanted, configuration.organization, states);
  if (hasStates) verifyOrganization(states, root, wanted !== undefined);
  const inventory = await readInventory(client, root, hasStates ? scopeOf(states) : {});
  const readAt = client.now();
  const all = reportData(inventory, new Date(readAt));
  // Done last, because an object of a gap may be missing wherever another object refers to it.
  const { unreadable, notes: gaps } = withoutGaps(all.unreadable, entries, readAt);
  const data = { ...all, unreadable, gaps };
  if (!hasStates) return { ...data, notes: [] };
  const found = findDrift(inventory, states, readAt, await guardedBy(client, configuration));
  const { findings, notes } = ignore(found.findings, entries, readAt);
  return { ...data, notes: [...found.notes, ...notes], findings };
}

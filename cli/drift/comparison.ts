import { markKnown, readBaseline } from "../../drift/baseline";
import { findDrift } from "../../drift/compare";
import { ignore, readIgnoreFile } from "../../drift/ignore-file";
import { verifyOrganization } from "../../drift/scope";
import { readInventory } from "../../inventory/platform";
import { scopeOf } from "../../inventory/state-scope";
import { connect } from "../../provider/credentials";
import { documentVersion } from "../documents/document";
import type { DriftDocument } from "../documents/drift";
import { entriesIn } from "../shell/files";
import type { Progress } from "../shell/progress";
import type { Sources } from "../shell/states";
import type { DriftOptions } from "./options";
import { guardedBy, readSources, rootUid } from "./states";

/** Reads states and platform, and compares them. Mistakes in the files are found before any request. @throws PlatformError */
export async function compareWith(sources: Sources, options: DriftOptions, progress: Progress): Promise<DriftDocument> {
  const entries = await entriesIn(options.ignore, readIgnoreFile);
  const baseline = await entriesIn(options.baseline, readBaseline);
  progress.update("Reading states");
  const { states, configuration } = await readSources(sources);
  const client = connect(configuration);
  progress.update("Reading the organisation");
  const root = await rootUid(client, options.root, configuration.organization, states);
  verifyOrganization(states, root, options.root !== undefined);
  const inventory = await readInventory(client, root, scopeOf(states));
  const now = client.now();
  const found = findDrift(inventory, states, now, await guardedBy(client, configuration));
  const kept = ignore(found.findings, entries, now);
  const { findings, notes } = markKnown(kept.findings, baseline, options.baseline ?? "");
  return {
    version: documentVersion,
    ...found,
    requests: client.requests,
    findings,
    ignored: kept.ignored,
    notes: [...found.notes, ...kept.notes, ...notes],
  };
}

import { readFile } from "node:fs/promises";
import path from "node:path";
import type { RehearseDocument } from "../../../cli/documents/rehearse";
import { comparisonOf } from "../../../cli/rehearse/comparison";
import { errorTexts } from "../../../cli/rehearse/undecided";
import { reviewDocumentOf } from "../../../cli/review/document";
import { readInventory } from "../../../inventory/platform";
import { connect, readConfiguration } from "../../../provider/credentials";
import { errorsIn } from "../../../rehearse/events";
import type { Outcome } from "../project";
import { platform, project } from "../use-project";

/** The access that an update changes, and its errors, in a form in which a rehearsal and the real update are equal. */
export interface Effect {
  readonly changes: readonly string[];
  readonly errors: readonly string[];
}

/** Texts in their order, with one word for every uid and every request: those of a copy differ. */
const comparable = (texts: readonly string[]) =>
  texts.map((text) => text.replaceAll(/\b[0-9a-f]{40}(\/[0-9a-f]{16})*|\brequest [0-9a-f-]{36}/g, "<uid>")).sort();

const effectOf = (changes: RehearseDocument["changes"], errors: readonly string[]): Effect => ({
  changes: comparable(changes.map((change) => JSON.stringify(change))),
  errors: comparable(errors),
});

/** The effect that a rehearsal says. */
export function said({ changes, errors }: RehearseDocument): Effect {
  return effectOf(changes, errors);
}

/** The effect of a command of the engine, asked of the platform before and after it. */
export async function effectOfReal(command: () => Promise<Outcome>): Promise<Effect> {
  const now = async () => ({ objects: await shown(), state: await project.stateText() });
  const before = await now();
  const { code, output } = await command();
  const after = await now();
  const comparison = comparisonOf({
    before: before.objects,
    after: after.objects,
    hidden: [],
    guarded: { breakGlass: new Set(), own: new Set([platform.identity]) },
    stateBefore: before.state,
    stateAfter: after.state,
    now: Date.now(),
  });
  const told = { undecided: [], unknown: [], assumed: [], warnings: [], errors: [], bounds: "exact", reasons: [] } as const;
  const errors = errorTexts({ code, output, errors: errorsIn(await readFile(path.join(project.folder, "events.json"), "utf8")) });
  return effectOf(reviewDocumentOf({ ...told, ...comparison }).changes, errors);
}

/** Everything that the platform shows to its owner. */
async function shown() {
  const { identity, baseUrl, root } = platform;
  const token = await platform.apiToken({ identity });
  const client = connect(
    readConfiguration(undefined, { PLATFORM_BASE_URL: baseUrl, PLATFORM_IDENTITY: identity, PLATFORM_TOKEN: token }),
  );
  const { objects, around } = await readInventory(client, root);
  return [...objects.all, ...around.all];
}

import { messageOf, PlatformError, withContext } from "../../client/errors";
import { SingleFlight } from "../../client/single-flight";
import { pollUntil } from "../../client/wait";
import { describe, type Inputs, type Kind, naturalKeyOf, type Observed } from "../../schema/kind";
import { kinds } from "../../kinds/kinds";
import type { Run } from "../run/run";
import { isMadeBy } from "./ownership";
import type { UnansweredCreate } from "../ledger/notes";

/** An object that an interrupted create of this program most probably made, and its note. */
interface LeftBehind {
  /** For messages: `group "team" under P (U)`. */
  readonly object: string;
  readonly uid: string;
  readonly file: string;
}

const searches = new WeakMap<Run, SingleFlight<readonly LeftBehind[]>>();

/**
 * Rejects a deletion while objects exist that interrupted creates of this program made, and that the state lacks: a `destroy` would
 * leave them on the platform and report that everything is gone. A run of the program takes them back before it deletes, so there the
 * user is only told (docs/decisions/0040-destroy-names-what-interrupted-creates-made.md).
 *
 * @throws PlatformError `OUTCOME_UNKNOWN`
 */
export async function rejectLeftBehind(kind: Kind, uid: string, state: Inputs, run: Run): Promise<void> {
  const what = `delete ${describe(kind, state)} (${uid})`;
  const found = (await leftBehind(run, what)).filter((each) => each.uid !== uid);
  if (found.length === 0) return;
  if (!run.isProgramRun) throw new PlatformError("OUTCOME_UNKNOWN", `${what}: ${textOf(found)} Nothing was deleted.`);
  run.notifyOnce(`warning: ${textOf(found)}`);
}

/** Tells the user of objects that interrupted creates of this program made, and that the state lacks. */
export async function warnOfLeftBehind(run: Run): Promise<void> {
  try {
    const found = await leftBehind(run, "refresh");
    if (found.length > 0) run.notifyOnce(`warning: ${textOf(found)}`);
  } catch (error) {
    run.notifyOnce(`warning: ${messageOf(error)}`);
  }
}

function textOf(found: readonly LeftBehind[]): string {
  const [one, ...others] = found;
  if (one === undefined) return "";
  const named = others.map(({ object }) => object).join("; ");
  const more = others.length > 0 ? ` So are ${others.length} more: ${named}.` : "";
  return (
    `an interrupted run of this program created ${one.object}, which is on the platform and not in the state.${more} \`pulumi up\` takes ` +
    `back what the program declares. Otherwise delete it on the platform. If it is not of this program, remove ${one.file}.`
  );
}

/** The objects, looked for once in a run: as soon as no create can be applied any more. */
function leftBehind(run: Run, what: string): Promise<readonly LeftBehind[]> {
  const search = searches.get(run) ?? new SingleFlight();
  searches.set(run, search);
  return search.once("", () => searchFor(run, what));
}

async function searchFor(run: Run, what: string): Promise<readonly LeftBehind[]> {
  const creates = run.ledger.notes.unanswered(run.client.timing.attemptMs);
  const found = await Promise.all(
    Object.values<Kind>(kinds).map((kind) =>
      foundOf(
        creates.filter((create) => create.kind === kind.collection.segment),
        kind,
        run,
      ),
    ),
  ).catch((error: unknown) => {
    throw withContext(`${what}: an interrupted run of this program may have left objects, and looking for them failed`, error);
  });
  return found.flat();
}

/** The objects of `kind` that `creates` made. */
async function foundOf(creates: readonly UnansweredCreate[], kind: Kind, run: Run): Promise<readonly LeftBehind[]> {
  if (creates.length === 0) return [];
  const look = async () => {
    const objects = (await run.client.list(kind.collection, {})).map((row) => kind.observe(row));
    const found = creates.flatMap((create) => {
      const made = objects.find((object) => isOf(create, kind, object));
      return made === undefined
        ? []
        : [{ object: `${describe(kind, made.inputs)} (${made.uid})`, uid: made.uid, file: create.file }];
    });
    return found.length === creates.length
      ? { state: "target" as const, value: found }
      : { state: "pending" as const, reason: found };
  };
  const timeoutMs = Math.max(...creates.map(({ timeLeftMs }) => timeLeftMs()));
  const end = await pollUntil({ timeoutMs, delayMs: Infinity, lastProbe: true, clock: run.client.clock }, look);
  return end.state === "target" ? end.value : end.reason;
}

/** True for an object of the create's time that has its natural key, if the kind has one. */
function isOf(create: UnansweredCreate, kind: Kind, object: Observed): boolean {
  if (!isMadeBy(object, [create.made])) return false;
  return kind.naturalKey.length === 0 || create.isFor(naturalKeyOf(kind, object.inputs));
}

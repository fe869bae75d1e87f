import { causeOf, PlatformError, withContext } from "../../client/errors";
import { pollUntil } from "../../client/wait";
import { describeExisting, type Kind, naturalKeyOf, type Observed } from "../../schema/kind";
import { kinds } from "../../kinds/kinds";
import type { LeftBehind, UnansweredCreate } from "../ledger/notes";
import { go, textOf } from "./change";
import type { Guard, Guarded } from "./guard";

/**
 * Deletes nothing while objects of interrupted creates of this program exist, which the state lacks: a `destroy` would
 * leave them on the platform and report that everything is gone. A run of the program takes them back before it deletes, so there
 * the user is only told.
 */
// See docs/decisions/0040-destroy-names-what-interrupted-creates-made.md.
export const leftBehindGuard: Guard = {
  inPreviews: false,
  async before(change, { run }) {
    if (change.is !== "delete") return go;
    const what = textOf(change);
    const found = (await leftBehind(run, what)).filter((each) => each.uid !== change.uid);
    if (found.length === 0) return go;
    if (run.mode === "unknown")
      return { is: "stop", error: new PlatformError("OUTCOME_UNKNOWN", `${what}: ${inWords(found)} Nothing was deleted.`) };
    run.notify(`warning: ${inWords(found)}`);
    return go;
  },
};

/** Tells the user of objects of interrupted creates of this program, which the state lacks. */
export async function warnOfLeftBehind(run: Guarded): Promise<void> {
  try {
    const found = await leftBehind(run, "refresh");
    if (found.length > 0) run.notify(`warning: ${inWords(found)}`);
  } catch (error) {
    run.notify(`warning: ${causeOf(error)}`);
  }
}

function inWords(found: readonly LeftBehind[]): string {
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
function leftBehind(run: Guarded, what: string): Promise<readonly LeftBehind[]> {
  return run.sharing.leftBehind.once("", async () => {
    const creates = Map.groupBy(run.ledger.notes.unanswered(run.client.timing.attemptMs), ({ kind }) => kind);
    const found = Object.values<Kind>(kinds).map((kind) => foundOf(creates.get(kind.collection.segment) ?? [], kind, run));
    const all = await Promise.all(found).catch((error: unknown) => {
      throw withContext(`${what}: an interrupted run of this program may have left objects, and looking for them failed`, error);
    });
    return all.flat();
  });
}

/** The objects of `kind` that `creates` made. */
async function foundOf(creates: readonly UnansweredCreate[], kind: Kind, run: Guarded): Promise<readonly LeftBehind[]> {
  if (creates.length === 0) return [];
  const look = async () => {
    const objects = (await run.client.list(kind.collection, {})).map((row) => kind.observe(row));
    const found = creates.flatMap((create) => {
      const made = objects.find((object) => isOf(create, kind, object));
      return made === undefined
        ? []
        : [{ object: describeExisting(kind, made.uid, made.inputs), uid: made.uid, file: create.file }];
    });
    return { state: found.length === creates.length ? ("target" as const) : ("pending" as const), value: found };
  };
  const timeoutMs = Math.max(...creates.map(({ timeLeftMs }) => timeLeftMs()));
  const end = await pollUntil({ timeoutMs, delayMs: Infinity, lastProbe: "at timeout", clock: run.client.clock }, look);
  return end.value;
}

/** True for an object of the create's time that has its natural key, if the kind has one. */
function isOf(create: UnansweredCreate, kind: Kind, object: Observed): boolean {
  if (!create.made(object.uid, Date.parse(String(object.outputs["createTime"])))) return false;
  return kind.naturalKey.length === 0 || create.isFor(naturalKeyOf(kind, object.inputs));
}

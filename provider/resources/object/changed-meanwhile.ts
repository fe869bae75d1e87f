import { isNotFound, PlatformError, platformErrorAs } from "../../client/errors";
import { literal } from "../../client/printable";
import { pollUntil } from "../../client/wait";
import type { Difference } from "../../schema/differences";
import {
  type DeclaredInputs,
  declaredInputs,
  describeExisting,
  hideSecrets,
  type Inputs,
  inputNames,
  inputsOf,
  isKind,
  type Kind,
  type Observed,
  show,
  shownDifferences,
} from "../../schema/kind";
import type { Comparison } from "../../schema/operation";
import { role } from "../../kinds/role";
import { valueAt } from "../../schema/values";
import type { Run } from "../run/run";

/** The change that an update is about to make. */
export interface Intent extends Comparison {
  readonly mask: readonly string[];
  /** Names of the fields in the mask. */
  readonly sent: readonly string[];
}

/**
 * Rejects an update that would erase a change which no preview has shown. If the kind affects access, each declared field must be
 * as in state or as declared. For other kinds, and if the run overwrites, the user is only told.
 *
 * @param outcome what became of the update, as a sentence
 * @throws PlatformError `CHANGED_MEANWHILE`: nothing was sent, unless `outcome` says otherwise
 */
// See docs/decisions/0041-compare-before-write.md.
export async function requireUnchanged(intent: Intent, run: Run, outcome = "Nothing was sent."): Promise<void> {
  const { kind, uid } = intent;
  const listed = await run.sharing.rows.of(kind, uid);
  if (listed !== undefined && foreignIn(listed, intent).length === 0) return;
  if (run.overwrites || kind.access === "none") {
    const wire = await run.client.get(kind.collection, uid).catch((error: unknown) => {
      if (isNotFound(error)) throw error;
      // The update itself shows whether the platform answers.
      return undefined;
    });
    if (wire !== undefined) announceForeign(kind.observe(wire), intent, run);
    return;
  }
  const foreign = await lastingForeign(intent, run);
  if (foreign.length === 0) return;
  throw new PlatformError("CHANGED_MEANWHILE", changedUnseen(inWords(foreign), outcome));
}

/**
 * The values that an update starts from. They are those of the state. If the run overwrites, fields that somebody else has changed since have their value on
 * the platform, so that the update resets them too.
 */
export async function startOf(comparison: Comparison, run: Run): Promise<DeclaredInputs> {
  const { kind, uid, olds, before } = comparison;
  if (!run.overwrites || kind.calls.update !== "patch") return before;
  // Without an answer, the update itself fails, or reads again.
  const wire = await run.client.get(kind.collection, uid).catch(platformErrorAs(() => undefined));
  if (wire === undefined) return before;
  const observed = kind.observe(wire);
  const live = inputsOf(kind, observed, olds);
  const changed = foreignIn(observed, comparison).map(({ path: [name = ""] }) => [name, live[name]] as const);
  return { ...before, ...Object.fromEntries(changed) };
}

/** Nothing shows which of the two it was: an update that was applied without an answer is in no state. */
const byWhom = "somebody else, or an interrupted run of this stack, has changed it";

/** The message of `CHANGED_MEANWHILE`. @param changes the changed values, in words */
export function changedUnseen(changes: string, outcome = "Nothing was sent."): string {
  return (
    `${byWhom}, and no preview has shown that: ${changes}. ${outcome} Find out who ` +
    "changed it. `pulumi preview --refresh --run-program --diff` shows the change. To keep it, declare it. `pulumi up --refresh " +
    "--run-program` then makes the object as declared. PLATFORM_OVERWRITE=true overwrites it in one run."
  );
}

/**
 * Tells the user what a refresh has found changed in an object that affects access: the `up` of this refresh may reset it without asking.
 *
 * @param state what the last run has stored
 */
export function announceDrift(kind: Kind, observed: Observed, state: Inputs, run: Run): void {
  if (kind.access === "none") return;
  const before = declaredInputs(kind, state);
  const sides = { kind, olds: state, before, wanted: before };
  announce(observed, sides, run, () => "An `up` with this refresh resets it to what the program declares.");
}

/** Tells the user what somebody else has changed in `observed`, and whether this update overwrites it. */
export function announceForeign(observed: Observed, intent: Intent, run: Run): void {
  announce(observed, intent, run, (foreign) =>
    foreign.some(({ path: [name = ""] }) => intent.sent.includes(name))
      ? "This update overwrites that."
      : "This update keeps that; the next preview shows it.",
  );
}

/** @param then what becomes of it, as a sentence */
function announce(observed: Observed, sides: Sides, run: Run, then: (foreign: readonly Foreign[]) => string): void {
  const foreign = foreignIn(observed, sides);
  if (foreign.length === 0) return;
  const what = describeExisting(sides.kind, observed.uid, sides.olds);
  run.notify(`warning: ${what}: ${byWhom}: ${inWords(foreign)}. ${then(foreign)}`);
}

/** The changes of somebody else, asked for until all that earlier runs of this stack wrote must have propagated. */
async function lastingForeign(intent: Intent, run: Run): Promise<readonly Foreign[]> {
  const { kind, uid } = intent;
  const { client } = run;
  const { firstDelayMs, longestDelayMs } = client.timing;
  const delayMs = (_: unknown, { count }: { count: number }) => Math.min(longestDelayMs, firstDelayMs * 2 ** (count - 1));
  const { value } = await pollUntil<Foreign[], Foreign[]>(
    { timeoutMs: run.sharing.rows.staleForMs, delayMs, lastProbe: "at timeout", clock: client.clock },
    async () => {
      const observed = kind.observe(await client.get(kind.collection, uid));
      const foreign = foreignIn(observed, intent);
      // An update that only takes access away is never stopped.
      if (foreign.length > 0 && !onlyNarrows(observed, foreign, intent)) return { state: "pending", value: foreign };
      announceForeign(observed, intent, run);
      return { state: "target", value: [] };
    },
  );
  return value;
}

/** The two sides that an object is compared with. */
type Sides = Omit<Comparison, "uid" | "news">;

/** A value that differs from the state. Its field also differs from the declaration. */
interface Foreign {
  readonly path: Difference["path"];
  /** On the platform. */
  readonly now: unknown;
  /** In the state. */
  readonly before: unknown;
}

/** Changes of other clients in `observed`. Values that the platform never returns are not compared. */
function foreignIn(observed: Observed, { kind, olds, before, wanted }: Sides): Foreign[] {
  const live = inputsOf(kind, observed, olds);
  const changed = shownDifferences(kind, live, before);
  if (changed.length === 0) return [];
  hideSecrets(kind, live);
  const undeclared = inputNames(shownDifferences(kind, live, wanted));
  return changed.flatMap(({ path }) => {
    const [name = ""] = path;
    if (!undeclared.includes(name)) return [];
    return [{ path, now: valueAt(live, path), before: valueAt(before, path) }];
  });
}

/** True if only the capabilities of a role were changed, and the update only removes some of those that it has now. */
function onlyNarrows({ inputs }: Observed, foreign: readonly Foreign[], { kind, wanted, sent }: Intent): boolean {
  if (!isKind(kind, role) || !foreign.every(({ path }) => path[0] === "capabilities")) return false;
  const held = textsIn(inputs["capabilities"]);
  return sent.includes("capabilities") && textsIn(wanted["capabilities"]).every((capability) => held.includes(capability));
}

function inWords(foreign: readonly Foreign[]): string {
  return foreign.map(({ path, now, before }) => `${path.join(".")} ${changeInWords(now, before)}`).join("; ");
}

/** Of two lists, which may be long, only the items that differ. */
function changeInWords(now: unknown, before: unknown): string {
  const [after, earlier] = [textsIn(now), textsIn(before)];
  const added = after.filter((item) => !earlier.includes(item));
  const removed = earlier.filter((item) => !after.includes(item));
  if (added.length + removed.length === 0) return `is ${show(now)} on the platform and ${show(before)} in the state`;
  return [
    ...(added.length > 0 ? [`has ${literal(added)} on the platform, and not in the state`] : []),
    ...(removed.length > 0 ? [`has ${literal(removed)} in the state, and not on the platform`] : []),
  ].join(", and ");
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : [];
}

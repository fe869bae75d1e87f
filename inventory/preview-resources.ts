import { changedReferences, referencesOf } from "../provider/schema/references";
import { kindOfType, listedKinds } from "./kinds";
import type { PreviewState, PreviewStep } from "./preview-file";

/** What a preview does with one resource of the platform. */
export interface PreviewResource {
  readonly urn: string;
  /** Published name of its kind: `iam:RoleBinding`. */
  readonly kind: string;
  /** What is there before the update; undefined if nothing is. */
  readonly before: PreviewState | undefined;
  /** What is there after it; undefined if nothing is. */
  readonly after: PreviewState | undefined;
  /** `same`: one object, unchanged. `changed`: one object. `replaced`: another one. `kept`: it stays, and is no longer managed. */
  readonly fate: "same" | "changed" | "replaced" | "created" | "deleted" | "kept";
  /** The inputs for which the preview replaces it, as far as it names them: others see its uid as unknown, even if the update keeps it. */
  readonly reasons: readonly string[];
}

/** Operations that leave an object as it is: those of objects that a program only reads, too. */
const unchanged = new Set(["same", "read", "read-replacement", "discard", "discard-replaced", "import", "import-replacement"]);

/** What a replacement consists of. */
const parts = new Set(["create-replacement", "import-replacement", "read-replacement", "delete-replaced", "discard-replaced"]);

/** What each resource of the platform is before and after the update, whichever steps show it. */
export function resourcesIn(all: readonly PreviewStep[]): PreviewResource[] {
  const steps = withRetained(all);
  const refreshed = new Map<string, PreviewStep>();
  const rest: PreviewStep[] = [];
  for (const step of steps) {
    if (step.op === "refresh") refreshed.set(step.urn, step);
    else rest.push(step);
  }
  const later = new Set(rest.flatMap(({ urn, oldState }) => [urn, ...(oldState ? [oldState.urn] : [])]));
  const found = [...refreshed.values()].flatMap(({ oldState, newState, ...step }) =>
    later.has(step.urn) || !newState ? [] : [{ ...step, op: "same", oldState: stateFound(newState, oldState), newState }],
  );
  // The parts of a replacement, which the engine may show besides it.
  const replaced = new Set(rest.filter(({ op }) => op === "replace").map(({ urn }) => urn));
  const isPart = ({ op, urn }: PreviewStep) => parts.has(op) && replaced.has(urn);
  // The update of what an import has found follows it, where the program declares it otherwise.
  const changed = new Set(rest.flatMap(({ urn, oldState }) => (oldState ? [`${urn} ${oldState.id}`] : [])));
  const isFirst = ({ op, urn, newState }: PreviewStep) => op === "import" && changed.has(`${urn} ${newState?.importID}`);
  return [...rest.filter((step) => !isPart(step) && !isFirst(step)), ...found].flatMap(resourceOf);
}

/** Operations that end a resource, or an object of it. */
const endings = new Set(["delete", "delete-replaced", "replace", "create-replacement", "remove-pending-replace"]);

/**
 * The steps, with `retainOnDelete` for what has `deletedWith` of a resource that ends in the same update: the engine drops it from the
 * state without a call, whether or not the other contains it (docs/engine.md#state-only-options).
 */
function withRetained(steps: readonly PreviewStep[]): PreviewStep[] {
  const ended = new Set(
    steps.filter(({ op }) => endings.has(op)).flatMap(({ urn, oldState }) => [urn, ...(oldState ? [oldState.urn] : [])]),
  );
  return steps.map((step) => {
    const { oldState } = step;
    const isForgotten = oldState?.deletedWith !== undefined && ended.has(oldState.deletedWith);
    return isForgotten ? { ...step, oldState: { ...oldState, retainOnDelete: true } } : step;
  });
}

/**
 * A state as a refresh has found it. Like every new state it has no id and no outputs, so these are the old ones, but for what its inputs
 * tell better: a binding that was changed by hand has not the role any more that its old outputs say.
 */
function stateFound(found: PreviewState, old: PreviewState | null | undefined): PreviewState {
  if (!old?.outputs) return { ...old, ...found };
  const { fields } = listedKinds.get(kindOfType(old.type) ?? "") ?? { fields: {} };
  const inputs = found.inputs ?? {};
  const changed = changedReferences(fields, old.outputs, inputs);
  const stale = referencesOf(fields).flatMap(({ name, uid, to }) => {
    const isStale = changed.includes(name) || (inputs[uid] !== undefined && inputs[uid] !== old.outputs?.[uid]);
    // Outputs repeat the name of what they refer to.
    return isStale ? [uid, to] : [];
  });
  const told = new Set([...Object.keys(old.inputs ?? {}), ...stale]);
  const kept = Object.entries(old.outputs).filter(([name]) => !told.has(name));
  return { ...old, ...found, outputs: { ...Object.fromEntries(kept), ...inputs } };
}

function resourceOf({ op, urn, oldState, newState, replaceReasons }: PreviewStep): PreviewResource[] {
  const state = newState ?? oldState;
  // An earlier update has deleted this object for a replacement that it did not make any more.
  if (op === "remove-pending-replace") return [];
  if (!state || state.custom === false) return [];
  const kind = kindOfType(state.type);
  if (!kind) return [];
  const [before, after] = [oldState ?? undefined, newState ?? undefined];
  const reasons = replaceReasons ?? [];
  const of = (fate: PreviewResource["fate"], was: PreviewResource["before"], is: PreviewResource["after"]) => {
    return { urn, kind, before: was, after: is, fate, reasons };
  };
  if (unchanged.has(op)) {
    // A new state has no outputs; what the program reads for the first time has none at all.
    const known = { ...state, id: newState?.id ?? oldState?.id ?? newState?.importID };
    if (known.external === true && before !== undefined && before.id !== known.id) return [of("same", known, known)];
    return [of("same", before ?? known, { ...known, outputs: before?.outputs ?? known.outputs })];
  }
  const ended = () => (before?.retainOnDelete === true ? of("kept", before, before) : of("deleted", before, undefined));
  if (op === "delete" || op === "delete-replaced") return [ended()];
  if (op === "replace" || op === "create-replacement") {
    // What the program only reads, before or after, is another object, which the update leaves as it is.
    if (before?.external === true) return [of("created", undefined, after)];
    if (after?.external === true) return [ended(), of("same", after, after)];
    const kept = before?.retainOnDelete === true ? [of("kept", before, before)] : [];
    return [...kept, of("replaced", before, after)];
  }
  if (op === "create") return [of("created", undefined, after)];
  return [of("changed", before, after)];
}

/** True for an object that the update removes, alone or for another in its place. */
export function isEnded({ fate, before }: PreviewResource): boolean {
  return fate === "deleted" || (fate === "replaced" && before?.retainOnDelete !== true);
}

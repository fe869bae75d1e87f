import type { Kind } from "../provider/schema/kind";
import { groupAccess } from "../provider/kinds/group-access";
import { changedReferences, referencesOf } from "../provider/schema/references";
import { kindNames, kindOfType, listedKinds, withoutObject } from "../inventory/kinds";
import { objectKey } from "../inventory/objects";
import { noState, type PreviewState, type PreviewStep, statesOf } from "./file";

/**
 * The effect of an update on an object. `keep`: none. `change`: the object stays the same one. `replace`: another object takes its place.
 * `release`: the object stays, but the program no longer manages it.
 */
export type PlannedOperation = "keep" | "change" | "replace" | "create" | "delete" | "release";

/** The plan of an update for one resource of the platform. */
export interface Planned {
  readonly urn: string;
  /** Published name of its kind, such as `iam:RoleBinding`. This release may not know it: {@link isUnderstood}. */
  readonly kind: string;
  readonly op: PlannedOperation;
  /** The state before the update; {@link noState} with `create`. */
  readonly before: PreviewState;
  /** The state after it; {@link noState} with `delete`. */
  readonly after: PreviewState;
  /**
   * The inputs for which the preview replaces the resource, as far as they are named. Others then see its uid as unknown, even if the
   * update keeps it.
   */
  readonly reasons: readonly string[];
  /** True if this update imports the object, so the resource did not manage it before. */
  readonly isImported: boolean;
}

/** A part of the plan for a resource. */
type Part = readonly [op: PlannedOperation, before: PreviewState, after: PreviewState];

/** Tells the parts of a step from its states. */
type Form = (before: PreviewState, after: PreviewState) => readonly Part[];

const kept: Form = (before, after) => {
  const state = after === noState ? before : after;
  const known = { ...state, id: after.id || before.id || after.importID };
  // A new state has no outputs. A resource read for the first time has none in any state.
  const was = before === noState || (known.external && before.id !== known.id) ? known : before;
  return [["keep", was, { ...known, outputs: was.outputs }]];
};

const changed: Form = (before, after) => [["change", before, after]];

const created: Form = (_, after) => [["create", noState, after]];

const released: Form = (before) => (before.retainOnDelete ? [["release", before, before]] : []);

const ended: Form = (before) => (before.retainOnDelete ? released(before, before) : [["delete", before, noState]]);

const replaced: Form = (before, after) => {
  // If the program only reads the resource before or after, that object is another one, and the update does not touch it.
  if (before.external) return created(before, after);
  if (after.external) return [...ended(before, after), ["keep", after, after]];
  return [...released(before, after), ["replace", before, after]];
};

/** The effects of the engine's operations on an object. Any other operation changes it. */
const forms: ReadonlyMap<string, Form> = new Map([
  ...["same", "read", "read-replacement", "refresh", "discard", "discard-replaced", "import", "import-replacement"].map(
    (op) => [op, kept] as const,
  ),
  ["replace", replaced],
  ["create-replacement", replaced],
  ["create", created],
  ["delete", ended],
  ["delete-replaced", ended],
  // An earlier update deleted the object, and failed before it made the replacement.
  ["remove-pending-replace", () => []],
]);

/** The steps of a replacement besides its `replace`. */
const parts = new Set(["create-replacement", "import-replacement", "read-replacement", "delete-replaced", "discard-replaced"]);

/** The plan of the update in a preview for each resource of the platform, whichever steps show it. */
export function planOf(all: readonly PreviewStep[]): Planned[] {
  const steps = withRetained(all);
  const [found, rest] = [steps.filter(({ op }) => op === "refresh"), steps.filter(({ op }) => op !== "refresh")];
  const later = new Set(rest.flatMap(({ urn, oldState }) => [urn, oldState.urn]));
  const refreshed = [...new Map(found.map((step) => [step.urn, step])).values()]
    .filter(({ urn, newState }) => newState !== noState && !later.has(urn))
    .map((step) => ({ ...step, oldState: stateFound(step.newState, step.oldState) }));
  // By id: of one resource, an earlier update may have left objects that it replaced and did not delete.
  const replaced = new Set(rest.filter(({ op }) => op === "replace").map(({ oldState }) => `${oldState.urn} ${oldState.id}`));
  const isPart = ({ op, oldState }: PreviewStep) => parts.has(op) && replaced.has(`${oldState.urn} ${oldState.id}`);
  // If the program declares other values than an import has found, an update follows the import.
  const managed = new Set(rest.filter(({ oldState }) => oldState.id !== "").map(({ urn, oldState }) => `${urn} ${oldState.id}`));
  const isFirst = ({ op, urn, newState }: PreviewStep) => op === "import" && managed.has(`${urn} ${newState.importID}`);
  const imports = rest.filter((step) => isImport(step));
  const imported = new Set(imports.map(({ urn, newState }) => `${urn} ${newState.importID}`));
  return [...rest.filter((step) => !isPart(step) && !isFirst(step)), ...refreshed]
    .flatMap(plannedBy)
    .map((planned) => ({ ...planned, isImported: imported.has(`${planned.urn} ${planned.before.id}`) }));
}

/** True for a step that imports an object, which its resource does not have yet. The state keeps the text of an import, which may be a name. */
// See docs/contributing/engine.md#import.
export function isImport({ oldState, newState }: PreviewStep): boolean {
  return (
    newState.importID !== "" && (oldState.importID || oldState.id) !== newState.importID && oldState.id !== newState.importID
  );
}

/** Operations that end a resource, or an object of it. */
const endings = new Set(["delete", "delete-replaced", "replace", "create-replacement", "remove-pending-replace"]);

/**
 * The steps, with `retainOnDelete` for each resource with `deletedWith` of a resource that ends in the same update. The engine drops the
 * former from the state without a call, whether or not the other contains it (docs/contributing/engine.md#state-only-options).
 */
function withRetained(steps: readonly PreviewStep[]): PreviewStep[] {
  const ends = new Set(steps.filter(({ op }) => endings.has(op)).flatMap(({ urn, oldState }) => [urn, oldState.urn]));
  return steps.map((step) => {
    const { oldState } = step;
    const isForgotten = oldState.deletedWith !== "" && ends.has(oldState.deletedWith);
    return isForgotten ? { ...step, oldState: { ...oldState, retainOnDelete: true } } : step;
  });
}

/**
 * A state as a refresh has found it. Like every new state it has no id and no outputs, so it gets the old ones. Its inputs overrule them: a
 * binding changed by hand has another role than its old outputs say.
 */
function stateFound(found: PreviewState, old: PreviewState): PreviewState {
  const { fields } = listedKinds.get(kindOfType(old.type) ?? "") ?? { fields: {} };
  const { inputs } = found;
  const references = changedReferences(fields, old.outputs, inputs);
  const stale = referencesOf(fields).flatMap(({ name, uid, to }) => {
    const isStale = references.includes(name) || (inputs[uid] !== undefined && inputs[uid] !== old.outputs[uid]);
    // Outputs repeat the names of referenced objects.
    return isStale ? [uid, to] : [];
  });
  const told = new Set([...Object.keys(old.inputs), ...stale]);
  const stays = Object.entries(old.outputs).filter(([name]) => !told.has(name));
  return { ...(old === noState ? found : old), inputs, outputs: { ...Object.fromEntries(stays), ...inputs } };
}

function plannedBy(step: PreviewStep): Omit<Planned, "isImported">[] {
  const { urn, replaceReasons: reasons } = step;
  const states = statesOf(step).reverse();
  const kind = kindIn(states.map(({ type }) => type));
  if (kind === undefined || withoutObject.has(kind) || states[0]?.custom === false) return [];
  const form = forms.get(step.op) ?? changed;
  return form(step.oldState, step.newState).map(([op, before, after]) => ({ urn, kind, op, before, after, reasons }));
}

/** The kind of a resource of these types; undefined if no type belongs to this package. An alias can turn one kind into another. */
function kindIn(types: readonly string[]): string | undefined {
  const kinds = new Set(types.map((type) => kindOfType(type) ?? type));
  return types.some((type) => kindOfType(type) !== undefined) ? [...kinds].join(", which was ") : undefined;
}

const plannedKinds: ReadonlyMap<string, Kind> = new Map([...listedKinds, [kindNames.groupAccess, groupAccess]]);

/** True for a resource of a kind that this release knows. The effects of any other kind are unknown. */
export function isUnderstood({ kind }: Pick<Planned, "kind">): boolean {
  return plannedKinds.has(kind);
}

/** The declaration of a resource's kind. @throws Error unless {@link isUnderstood} */
export function kindOf({ kind }: Pick<Planned, "kind">): Kind {
  const known = plannedKinds.get(kind);
  if (known === undefined) throw new Error(`${kind} is not a kind of resource.`);
  return known;
}

/** The name at the end of a URN. */
export function nameOf(urn: string): string {
  return urn.split("::").at(-1) ?? "";
}

/** True for an object that stays on the platform when its resource ends, such as a repo by default. */
export function isKept({ kind, before }: Planned): boolean {
  return listedKinds.get(kind)?.isKept({ ...before.inputs, ...before.outputs }) === true;
}

/** True for a group that the provider empties before deleting it. The state's `forceDestroy` decides. */
export function isForced({ before }: Planned): boolean {
  return [before.outputs, before.inputs].some(({ forceDestroy }) => forceDestroy === true);
}

/** The key of the object of a resource before the update. */
export function keyBefore({ kind, before }: Planned): string {
  return objectKey({ kind, uid: before.id });
}

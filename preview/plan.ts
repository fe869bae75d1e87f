import type { Kind } from "../provider/schema/kind";
import { groupAccess } from "../provider/kinds/group-access";
import { changedReferences, referencesOf } from "../provider/schema/references";
import { kindNames, kindOfType, listedKinds, withoutObject } from "../inventory/kinds";
import { objectKey } from "../inventory/objects";
import type { PreviewState, PreviewStep } from "./file";

/**
 * What an update does with an object. `keep`: nothing. `change`: it stays the same object. `replace`: another one takes its place.
 * `release`: it stays, and is no longer managed.
 */
export type PlannedOperation = "keep" | "change" | "replace" | "create" | "delete" | "release";

/** What an update does with one resource of the platform. */
export interface Planned {
  readonly urn: string;
  /** Published name of its kind: `iam:RoleBinding`. Perhaps of none that this release knows: {@link isUnderstood}. */
  readonly kind: string;
  readonly op: PlannedOperation;
  /** What is there before the update; undefined if nothing is. */
  readonly before: PreviewState | undefined;
  /** What is there after it; undefined if nothing is. */
  readonly after: PreviewState | undefined;
  /** The inputs for which the preview replaces it, as far as it names them: others see its uid as unknown, even if the update keeps it. */
  readonly reasons: readonly string[];
  /** True for an object that an import of this update takes: the resource did not manage it before. */
  readonly isImported: boolean;
}

/** What the engine's operations do with an object. */
const operations: Readonly<Record<string, PlannedOperation>> = {
  ...{ same: "keep", read: "keep", "read-replacement": "keep", refresh: "keep" },
  ...{ discard: "keep", "discard-replaced": "keep", import: "keep", "import-replacement": "keep" },
  update: "change",
  ...{ replace: "replace", "create-replacement": "replace" },
  create: "create",
  ...{ delete: "delete", "delete-replaced": "delete" },
};

/** What a replacement consists of, besides its `replace`. */
const parts = new Set(["create-replacement", "import-replacement", "read-replacement", "delete-replaced", "discard-replaced"]);

/** What the update in a preview does with each resource of the platform, whichever steps show it. */
export function planOf(all: readonly PreviewStep[]): Planned[] {
  const steps = withRetained(all);
  const [found, rest] = [steps.filter(({ op }) => op === "refresh"), steps.filter(({ op }) => op !== "refresh")];
  const later = new Set(rest.flatMap(({ urn, oldState }) => [urn, ...(oldState ? [oldState.urn] : [])]));
  const refreshed = [...new Map(found.map((step) => [step.urn, step])).values()].flatMap((step) =>
    later.has(step.urn) || !step.newState ? [] : [{ ...step, oldState: stateFound(step.newState, step.oldState) }],
  );
  const replaced = new Set(rest.filter(({ op }) => op === "replace").map(({ urn }) => urn));
  const isPart = ({ op, urn }: PreviewStep) => parts.has(op) && replaced.has(urn);
  // The update of what an import has found follows it, where the program declares it otherwise.
  const changed = new Set(rest.flatMap(({ urn, oldState }) => (oldState ? [`${urn} ${oldState.id}`] : [])));
  const isFirst = ({ op, urn, newState }: PreviewStep) => op === "import" && changed.has(`${urn} ${newState?.importID}`);
  const imported = new Set(
    rest.flatMap(({ urn, oldState, newState }) =>
      newState?.importID && oldState?.id !== newState.importID ? [`${urn} ${newState.importID}`] : [],
    ),
  );
  return [...rest.filter((step) => !isPart(step) && !isFirst(step)), ...refreshed]
    .flatMap(plannedBy)
    .map((planned) => ({ ...planned, isImported: imported.has(`${planned.urn} ${planned.before?.id}`) }));
}

/** Operations that end a resource, or an object of it. */
const endings = new Set(["delete", "delete-replaced", "replace", "create-replacement", "remove-pending-replace"]);

/**
 * The steps, with `retainOnDelete` for what has `deletedWith` of a resource that ends in the same update: the engine drops it from the
 * state without a call, whether or not the other contains it (docs/contributing/engine.md#state-only-options).
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

function plannedBy({ op: step, urn, oldState, newState, replaceReasons }: PreviewStep): Omit<Planned, "isImported">[] {
  const [before, after] = [oldState ?? undefined, newState ?? undefined];
  const state = after ?? before;
  const op = operations[step] ?? "change";
  // An earlier update has deleted the object for a replacement that it did not make any more.
  if (step === "remove-pending-replace" || state === undefined || state.custom === false) return [];
  const kind = kindIn([after, before].flatMap((each) => each?.type ?? []));
  if (kind === undefined || withoutObject.has(kind)) return [];
  const planned = (is: PlannedOperation, was: Planned["before"], then: Planned["after"]) => {
    return { urn, kind, op: is, before: was, after: then, reasons: replaceReasons ?? [] };
  };
  const released = before?.retainOnDelete === true ? [planned("release", before, before)] : [];
  const ended = released.length > 0 ? released : [planned("delete", before, undefined)];
  switch (op) {
    case "keep": {
      // A new state has no outputs; what the program reads for the first time has none at all.
      const known = { ...state, id: after?.id ?? before?.id ?? after?.importID };
      if (known.external === true && before !== undefined && before.id !== known.id) return [planned(op, known, known)];
      return [planned(op, before ?? known, { ...known, outputs: before?.outputs ?? known.outputs })];
    }
    case "replace":
      // What the program only reads, before or after, is another object, which the update leaves as it is.
      if (before?.external === true) return [planned("create", undefined, after)];
      if (after?.external === true) return [...ended, planned("keep", after, after)];
      return [...released, planned(op, before, after)];
    case "create":
      return [planned(op, undefined, after)];
    case "delete":
      return ended;
    default:
      return [planned(op, before, after)];
  }
}

/** The kind of a resource of these types; undefined if none is of this package. An alias can make one kind of another. */
function kindIn(types: readonly string[]): string | undefined {
  const kinds = new Set(types.map((type) => kindOfType(type) ?? type));
  return types.some((type) => kindOfType(type) !== undefined) ? [...kinds].join(", which was ") : undefined;
}

const plannedKinds: ReadonlyMap<string, Kind> = new Map([...listedKinds, [kindNames.groupAccess, groupAccess]]);

/** True for a resource of a kind that this release knows: of any other, nothing says what it does. */
export function isUnderstood({ kind }: Pick<Planned, "kind">): boolean {
  return plannedKinds.has(kind);
}

/** The declaration of the kind of a resource. @throws Error for one that is not {@link isUnderstood} */
export function kindOf({ kind }: Pick<Planned, "kind">): Kind {
  const known = plannedKinds.get(kind);
  if (known === undefined) throw new Error(`${kind} is not a kind of resource.`);
  return known;
}

/** The name at the end of a URN. */
export function nameOf(urn: string): string {
  return urn.split("::").at(-1) ?? "";
}

/** True for what the platform keeps when its resource goes: a repo, unless it says otherwise. */
export function isKept({ kind, before }: Planned): boolean {
  return listedKinds.get(kind)?.isKept({ ...before?.inputs, ...before?.outputs }) === true;
}

/** True for a group that the provider empties before it deletes it. `forceDestroy` counts as the state has it. */
export function isForced({ before }: Planned): boolean {
  return before?.outputs?.["forceDestroy"] === true || before?.inputs?.["forceDestroy"] === true;
}

/** What identifies the object of a resource before the update. */
export function keyBefore({ kind, before }: Planned): string {
  return objectKey({ kind, uid: before?.id ?? "" });
}

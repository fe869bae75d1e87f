import type { DeclaredObject, InventoryObject, PlatformObject } from "../inventory/objects";
import { decidesAccess, kindNamed } from "../inventory/kinds";
import { type Path, valueAt, type Values } from "../provider/schema/values";
import { differences, type Inputs, type Kind, stateOf } from "../provider/schema/kind";
import { secretPaths } from "../provider/schema/hidden-values";
import { withKnownUids } from "../provider/schema/references";
import type { Finding } from "./finding";

/** Stands for a secret value in findings. */
export const hiddenValue = "[secret]";

/** A field that differs. */
export type FieldDrift = NonNullable<Finding["fields"]>[number];

/**
 * The declared value, as far as it can be compared. Encrypted values of the state are taken as unchanged.
 *
 * @param actual the object as it is
 */
export function declaredValue(declared: DeclaredObject, actual: Inputs): Inputs {
  return declared.encryptedPaths.reduce<Values>((value, path) => withValueAt(value, path, valueAt(actual, path)), declared.value);
}

/** The fields in which the object differs from its declaration, exactly as in a preview after a refresh. */
export function fieldDrift(declared: DeclaredObject, actual: PlatformObject): FieldDrift[] {
  const kind = kindNamed(declared.kind);
  const before = stateOf(kind, kind.observe(actual.row), declared.outputs);
  const after = declaredValue(declared, withKnownUids(kind.fields, declared.outputs, before));
  return differences(kind, before, after).map(({ path }) => {
    const isSecret = isSecretIn(kind, declared.secretPaths, path);
    const show = (value: unknown) => (isSecret && value !== undefined ? hiddenValue : value);
    return { path: path.join("."), declared: show(valueAt(after, path)), actual: show(valueAt(before, path)) };
  });
}

/**
 * The fields that decide access through an object outside of the states. After a change of one, the object is no longer the one people
 * accepted.
 *
 * @param owner the resource whose place the object takes, if there is one
 */
export function accessFields({ kind: name, value }: InventoryObject, owner?: DeclaredObject): FieldDrift[] {
  const kind = kindNamed(name);
  const isDecisive = (field: string) => field !== kind.parentInput && decidesAccess({ kind: name }, [field]);
  const decisive = Object.fromEntries(Object.entries(value).filter(([field]) => isDecisive(field)));
  const fields = leavesOf(decisive).map(({ path, leaf }) => ({
    path: path.join("."),
    actual: isSecretIn(kind, owner?.secretPaths ?? [], path) ? hiddenValue : leaf,
  }));
  // Sorted, because the platform may return the entries of a map in any order.
  return fields.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** The values in `values` that contain no others, each with its path. A list is one value. */
function leavesOf(values: Inputs, around: Path = []): { path: Path; leaf: unknown }[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const path = [...around, name];
    const isLeaf = typeof value !== "object" || value === null || Array.isArray(value) || Object.keys(value).length === 0;
    return isLeaf ? [{ path, leaf: value }] : leavesOf(value as Inputs, path);
  });
}

/** True if a part of the value at `path` is secret, by its kind or by the `declared` paths. */
function isSecretIn(kind: Kind, declared: readonly Path[], path: Path): boolean {
  return [...secretPaths(kind.fields), ...declared].some((secret) => startsWith(secret, path) || startsWith(path, secret));
}

function startsWith(path: Path, start: Path): boolean {
  return start.every((name, index) => path[index] === name);
}

function withValueAt(values: Values, [name = "", ...rest]: Path, value: unknown): Record<string, unknown> {
  const inner = values[name];
  if (rest.length === 0) return value === undefined ? { ...values } : { ...values, [name]: value };
  const around = typeof inner === "object" && inner !== null ? (inner as Values) : {};
  const changed = withValueAt(around, rest, value);
  return Object.keys(changed).length === 0 ? { ...values } : { ...values, [name]: changed };
}

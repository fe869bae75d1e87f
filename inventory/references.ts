import { isUid } from "../provider/client/uid";
import { own, type Shape } from "../provider/schema/field";
import type { Values } from "../provider/schema/values";
import { answered } from "../provider/schema/answers";
import type { WireObject } from "../provider/client/collection";
import type { Kind } from "../provider/schema/kind";
import { listedKinds } from "./kinds";

/** Another object that an object refers to. */
export interface Reference {
  /** Published name of its kind. */
  readonly kind: string;
  readonly uid: string;
  /** The name as repeated in the answer; empty if the answer lacks it. */
  readonly name: string;
}

const byNoun = new Map([...listedKinds].map(([name, { collection }]) => [collection.noun, name]));

/** The objects that a row refers to by its declared uids, such as identity and role of a binding. */
export function referencesInRow(kind: Kind, row: WireObject): Reference[] {
  const wire = row as unknown as Values;
  return Object.entries(kind.fields).flatMap(([field, declared]): Reference[] => {
    const { by, shape } = declared;
    if (shape.is !== "uid" || (by !== "required" && by !== "optional")) return [];
    // The object itself stands beside its uid, `role` beside `roleUid`.
    const expanded = wire[field.replace(/Uid$/, "")] as { name?: unknown } | null | undefined;
    return referenceTo(shape.of, answered(field, declared, wire), expanded?.name);
  });
}

/** The objects that the fields of an object refer to, also inside messages, lists and maps. */
export function referencesInValue(kind: Kind, value: Values): Reference[] {
  return Object.entries(kind.fields).flatMap(([field, { by, shape }]) =>
    by === "required" || by === "optional" ? referencesIn(shape, value[field]) : [],
  );
}

function referencesIn(shape: Shape, value: unknown): Reference[] {
  if (shape.is === "uid") return referenceTo(shape.of, value);
  if (typeof value !== "object" || value === null) return [];
  if (shape.is === "message")
    return Object.entries(value).flatMap(([name, member]) => {
      const field = own(shape.members, name);
      return field === undefined ? [] : referencesIn(field.shape, member);
    });
  return shape.is === "map" || shape.is === "list" || shape.is === "set"
    ? Object.values(value).flatMap((item) => referencesIn(shape.of, item))
    : [];
}

function referenceTo(noun: string, uid: unknown, name: unknown = ""): Reference[] {
  const of = byNoun.get(noun);
  if (typeof uid !== "string" || !isUid(uid) || of === undefined) return [];
  return [{ kind: of, uid, name: typeof name === "string" ? name : "" }];
}

import { isValues, type Path, type Values } from "./values";
import { derivedOnce } from "./derived";
import type { Field, Fields } from "./field";

/** True for a secret, and for a message that contains one. */
export function holdsSecret({ shape, traits }: Field): boolean {
  return traits.secret === true || (shape.is === "message" && Object.values(shape.members).some(holdsSecret));
}

/** The paths of the secrets in `fields`. */
export const secretPaths: (fields: Fields) => readonly Path[] = derivedOnce((fields: Fields) =>
  Object.entries(fields).flatMap(([name, { shape, traits }]): Path[] => {
    if (traits.secret) return [[name]];
    return shape.is === "message" ? secretPaths(shape.members).map((path) => [name, ...path]) : [];
  }),
);

/** True for a field that no answer shows. */
export function isNeverShown({ by, traits }: Field): boolean {
  return by === "local" || by === "reference" || traits.writeOnly === true;
}

/** The fields that differ between answers and declarations because an answer never shows them or a part of them. */
const hidingIn: (fields: Fields) => readonly { name: string; within?: Fields }[] = derivedOnce((fields: Fields) =>
  Object.entries(fields).flatMap(([name, field]) => {
    if (isNeverShown(field)) return [{ name }];
    const { shape } = field;
    return shape.is === "message" && hidingIn(shape.members).length > 0 ? [{ name, within: shape.members }] : [];
  }),
);

/** `values` without the values that no answer shows. */
export function asShown(fields: Fields, values: Values): Record<string, unknown> {
  const shown: Record<string, unknown> = { ...values };
  for (const { name, within } of hidingIn(fields)) {
    const value = values[name];
    if (within === undefined) shown[name] = undefined;
    else if (isValues(value)) shown[name] = asShown(within, value);
  }
  return shown;
}

/** Paths of values in `inputs` that no answer shows and a body sends. */
export function unseenPaths(fields: Fields, inputs: Values): Path[] {
  return Object.entries(fields).flatMap(([name, { shape, traits }]): Path[] => {
    const value = inputs[name];
    if (value === undefined || value === null) return [];
    if (traits.writeOnly) return [[name]];
    return shape.is === "message" && isValues(value) ? unseenPaths(shape.members, value).map((path) => [name, ...path]) : [];
  });
}

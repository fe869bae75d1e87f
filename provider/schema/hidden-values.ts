import { isValues, type Path, type Values } from "./values";
import { derivedOnce } from "./derived";
import type { Field, Fields } from "./field";

/** True for a secret, and for a message that holds one. */
export function holdsSecret({ shape, traits }: Field): boolean {
  return traits.secret === true || (shape.is === "message" && Object.values(shape.members).some(holdsSecret));
}

/** Where the secrets of `fields` are. */
export const secretPaths: (fields: Fields) => readonly Path[] = derivedOnce((fields: Fields) =>
  Object.entries(fields).flatMap(([name, { shape, traits }]): Path[] => {
    if (traits.secret) return [[name]];
    return shape.is === "message" ? secretPaths(shape.members).map((path) => [name, ...path]) : [];
  }),
);

/** Where `inputs` have values that no answer shows and a body sends. */
export function unseenPaths(fields: Fields, inputs: Values): Path[] {
  return Object.entries(fields).flatMap(([name, { shape, traits }]): Path[] => {
    const value = inputs[name];
    if (value === undefined || value === null) return [];
    if (traits.writeOnly) return [[name]];
    return shape.is === "message" && isValues(value) ? unseenPaths(shape.members, value).map((path) => [name, ...path]) : [];
  });
}

import type { WireObject } from "../client/collection";
import { list, literal } from "../client/printable";
import { type Inputs, type Kind, observedInputs } from "../kinds/kind";

/**
 * A sentence about the names that the platform left out of sets, such as a role's capabilities; empty without any. It silently drops
 * those that it does not know (docs/platform-api.md#enums).
 */
export function droppedNames<Wire extends WireObject>(kind: Kind<Wire>, wire: Wire, inputs: Inputs): string {
  const observed = observedInputs(kind, wire);
  const dropped = Object.entries(kind.fields).flatMap(([field, { shape }]) => {
    if (shape.is !== "set" || shape.of.is !== "enum") return [];
    const kept = namesIn(observed[field]);
    return namesIn(inputs[field]).filter((name) => !kept.includes(name));
  });
  if (dropped.length === 0) return "";
  return ` The platform dropped ${list(dropped.map((name) => literal(name)))}: it does not know such a name. Correct the spelling.`;
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

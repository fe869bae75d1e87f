import type { WireObject } from "../client/collection";
import { list } from "../client/printable";
import { type Inputs, type Kind, observedInputs } from "../kinds/kind";
import { enumNamesIn, withNearest } from "./checking/enum-names";

/**
 * A sentence about the names that the platform left out, such as a role's capabilities; empty without any. It silently drops those
 * that it does not know (docs/platform-api.md#enums).
 */
export function droppedNames<Wire extends WireObject>(kind: Kind<Wire>, wire: Wire, inputs: Inputs): string {
  const kept = enumNamesIn(kind.fields, observedInputs(kind, wire));
  const dropped = enumNamesIn(kind.fields, inputs).filter(
    ({ path, name }) => !kept.some((each) => each.path === path && each.name === name),
  );
  if (dropped.length === 0) return "";
  return ` The platform dropped ${list(dropped.map(withNearest))}: it does not know such a name. Correct the spelling.`;
}

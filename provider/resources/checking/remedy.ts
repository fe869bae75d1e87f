import { list } from "../../client/printable";
import { type Inputs, type Kind, type Observed } from "../../schema/kind";
import { enumNamesIn, withNearest } from "./enum-names";

/**
 * The way out if the platform has other values than were sent. It silently drops unknown names, such as a role's capabilities
 * (docs/platform-api.md#enums), and may keep its own form of a text. Shows no value, because it may be a secret.
 */
export function remedyFor(kind: Kind, observed: Observed, inputs: Inputs): string {
  const kept = enumNamesIn(kind.fields, observed.inputs);
  const dropped = enumNamesIn(kind.fields, inputs).filter(
    ({ path, name }) => !kept.some((each) => each.path === path && each.name === name),
  );
  if (dropped.length === 0)
    return (
      "`pulumi refresh --preview-only --run-program --diff` shows what the platform has. If that means the same as what was sent, such " +
      "as a trimmed text, declare it in that form."
    );
  return `The platform dropped ${list(dropped.map(withNearest))}: it does not know such a name. Correct the spelling.`;
}

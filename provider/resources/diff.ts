import type { Field } from "../kinds/fields";
import { unknownValue } from "../kinds/inputs";
import { differences, inputNames, type Inputs, keyOf, type Kind } from "../kinds/kind";
import type { Run } from "./run";

/** What the engine asks of a diff. */
export interface DiffResult {
  changes: boolean;
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/**
 * Compares the object as it was last seen with the program.
 *
 * A change of an immutable input replaces the object. Where the natural key stays, the old object is deleted first, because the new
 * one would meet it. That cascades: a reference that keeps such an object from being deleted is replaced too, and the engine asks
 * for that with an unknown value (docs/engine.md#replacement).
 */
export function diff(kind: Kind, uid: string, olds: Inputs, news: Inputs, run: Pick<Run, "claim">): DiffResult {
  const changed = differences(kind, olds, news);
  const otherForm = isOtherForm(kind, olds, news);
  const replacing = changed.filter(
    ({ path: [name = ""], fields }) =>
      kind.calls.update === "none" ||
      fields.some(({ traits }) => traits.immutable) ||
      (otherForm && fields[0]?.traits.form) ||
      blocksUnknown(fields[0], news[name]),
  );
  const replaces = inputNames(replacing);
  if (replaces.length === 0) run.claim(kind, uid, keyOf(kind, news));
  const key = keyOf(kind, news);
  return {
    changes: changed.length > 0,
    replaces,
    deleteBeforeReplace: replaces.length > 0 && key !== undefined && key === keyOf(kind, olds),
  };
}

/** True where the program declares the object in another form than it has. One without any form gets it in place. */
function isOtherForm({ fields }: Kind, olds: Inputs, news: Inputs): boolean {
  const forms = Object.keys(fields).filter((name) => fields[name]?.traits.form);
  const formsOf = (inputs: Inputs) => forms.filter((name) => (inputs[name] ?? undefined) !== undefined);
  return formsOf(olds).length > 0 && formsOf(olds).join() !== formsOf(news).join();
}

/** True for a reference to an object that is about to be replaced, and that cannot be deleted while the reference exists. */
function blocksUnknown(field: Field | undefined, value: unknown): boolean {
  return field?.traits.blocksTarget === true && value === unknownValue;
}

import { platformErrorAs } from "../../client/errors";
import type { Problem } from "../../schema/declaration";
import { declaredInputs, describe, naturalKeyOf } from "../../schema/kind";
import type { Declaring } from "../../schema/operation";
import { bothDeclare } from "../ledger/declarations";
import { stillHolder } from "./look-up";
import type { Run } from "../run/run";

/**
 * Finds a second resource of the program with the same natural key, so that a preview shows it.
 *
 * It never rejects a valid program. Create rejects what check cannot prove, such as a key under a group that does not exist yet.
 *
 * @param declaring `olds` has the resource's inputs in state, empty for a new one; `news` is what check returned
 */
export async function duplicateFailures({ kind, olds, news: inputs, logicalName }: Declaring, run: Run): Promise<Problem[]> {
  const key = naturalKeyOf(kind, inputs);
  if (key === undefined) return [];
  const repetition = run.ledger.declarations.checked(key, Object.keys(olds).length > 0 ? naturalKeyOf(kind, olds) : null);
  if (repetition.is === "first") return [];
  if (repetition.is === "duplicate if it exists") {
    const sought = { kind, inputs: declaredInputs(kind, repetition.inputs), run };
    const holder = await stillHolder(sought, repetition.uid).catch(platformErrorAs(() => undefined));
    if (holder === undefined) {
      run.ledger.declarations.replaces(key);
      return [];
    }
  }
  const both = bothDeclare(run.ledger.declarations.nameOf(key), logicalName);
  const reason = `${both} the same ${describe(kind, inputs)}. Remove one of the two.`;
  return [{ property: kind.naturalKey[0] ?? "", reason, code: "KEY_TAKEN" }];
}

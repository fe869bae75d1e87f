import type { Problem } from "../../schema/declaration";
import { describe, naturalKeyOf } from "../../schema/kind";
import type { Declaring } from "../../schema/operation";
import { withKnownUids } from "../../schema/references";
import { bothOf } from "../ledger/declarations";
import type { Run } from "../run/run";

/**
 * Records that a resource declares its natural key, with `adopt` for the create that may follow. A second resource with the same key fails.
 *
 * @param declaring `olds` has the resource's inputs in state; none for a new object
 */
// See docs/decisions/0023-duplicates-fail-in-check.md.
export function duplicates({ kind, olds, news, path }: Declaring, adopt: unknown, { ledger }: Pick<Run, "ledger">): Problem[] {
  const key = naturalKeyOf(kind, news);
  if (key === undefined) return [];
  const isInState = Object.keys(olds).length > 0;
  const other = ledger.declarations.check(key, {
    path,
    adopt: typeof adopt === "boolean" ? adopt : undefined,
    // A state may have a name without its uid, which the check has found.
    old: isInState ? naturalKeyOf(kind, withKnownUids(kind.fields, news, olds)) : null,
  });
  if (other === undefined) return [];
  const reason = `${bothOf(other, path, "declare")} the same ${describe(kind, news)}. Remove one of the two.`;
  return [{ property: kind.naturalKey[0] ?? "", reason, code: "KEY_TAKEN" }];
}

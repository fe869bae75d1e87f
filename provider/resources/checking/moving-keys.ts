import { literal } from "../../client/printable";
import { describe, type Kind, naturalKeyOf } from "../../schema/kind";
import type { Declaring } from "../../schema/operation";
import { logicalNameIn } from "../../schema/path";
import { withKnownUids } from "../../schema/references";
import { stillBelongs } from "../ledger/declarations";
import type { Run } from "../run/run";

/** Tells the user, in the check and so in a preview, that `up` rejects a name moving from one resource of the program to another. */
export function warnOfMovingKeys({ kind, news, path, olds }: Declaring, run: Pick<Run, "ledger" | "notify" | "mode">): void {
  const { declarations } = run.ledger;
  if (run.mode === "update" || path === undefined) return;
  const [key, old] = [naturalKeyOf(kind, news), naturalKeyOf(kind, withKnownUids(kind.fields, news, olds))];
  const warn = (taker: string, holder: string) =>
    run.notify(`warning: ${literal(logicalNameIn(taker))}: ${inTwoUpdates(kind, taker === path ? news : olds, holder)}`);
  const holder = declarations.givenUpBy(key, path);
  if (holder !== undefined) warn(path, holder);
  const taker = old === undefined || old === key ? undefined : declarations.pathOf(old);
  if (taker !== undefined && taker !== path) warn(taker, path);
}

/** Why a resource cannot take the natural key of `inputs`, although the resource at `holder` gives it up in the same update. */
export function inTwoUpdates(kind: Kind, inputs: Parameters<typeof describe>[1], holder: string): string {
  return `${describe(kind, inputs)} ${stillBelongs(holder)}`;
}

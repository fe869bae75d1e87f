import type { PlatformError } from "../../client/errors";
import { hasUnknown } from "../../schema/inputs";
import type { Operation } from "../../schema/operation";
import type { Run } from "../run/run";
import { bindingInputs, boundIn, knownRoles, pairOf, wantedIn } from "./members";
import { memberDeletion, withWaysOut } from "./remove-members";
import { ManagedScope } from "./scope";

/**
 * The errors with which guards of an `up` would stop an update of the access to a group. It removes members. Empty while a value is
 * unknown, and for a replacement, which gives the access again.
 */
export async function foreseeRemovals(
  { uid: groupUid, olds, news }: Operation,
  replaces: readonly string[],
  run: Run,
): Promise<PlatformError[]> {
  if (replaces.length > 0 || hasUnknown(news)) return [];
  const roleUids = knownRoles(news, olds);
  const scope = new ManagedScope(news, roleUids);
  const wanted = wantedIn(news, roleUids);
  const pairs = new Set(wanted.map(pairOf));
  const leaving = boundIn(olds).filter((member) => !pairs.has(pairOf(member)) && !scope.isExempt(member));
  // Another resource of the program takes some of them over.
  const removed = leaving.filter((member) => !run.ledger.access.declares(bindingInputs(groupUid, member)));
  const instead = wanted.map((member) => bindingInputs(groupUid, member));
  const changes = removed.map((member) => ({ ...memberDeletion(groupUid, member), instead }));
  return (await run.guards.foresee(changes, run)).map(withWaysOut);
}

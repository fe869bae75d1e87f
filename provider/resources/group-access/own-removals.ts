import type { PlatformError } from "../../client/errors";
import { hasUnknown } from "../../schema/inputs";
import type { FoundChange } from "../guards/lockout-preview";
import type { Run } from "../run/run";
import { withWaysOut } from "./remove-members";
import { bindingInputs, boundIn, pairOf, knownRoles, wantedIn } from "./members";
import { ManagedScope } from "./scope";

/** Why `up` would reject an update of the access to a group: it removes access of this run. Empty while a value is unknown. */
export async function ownRemovals(groupUid: string, { olds, news }: FoundChange, run: Run): Promise<PlatformError[]> {
  const preview = run.lockoutPreview;
  const own = boundIn(olds).filter(({ identityUid }) => preview.isCaller(identityUid));
  const errors: PlatformError[] = [];
  for (const { roleUid } of own) errors.push(...(await preview.holds(roleUid)));
  if (own.length === 0 || hasUnknown(news)) return errors;
  const roleUids = knownRoles(news, olds);
  const scope = new ManagedScope(news, roleUids);
  const wanted = wantedIn(news, roleUids).filter(({ identityUid }) => preview.isCaller(identityUid));
  const pairs = wanted.map(pairOf);
  const leaving = own.filter((member) => !pairs.includes(pairOf(member)) && scope.covers(member));
  const instead = wanted.map((member) => bindingInputs(groupUid, member));
  for (const member of leaving) {
    const inputs = bindingInputs(groupUid, member);
    // Another resource of the program takes this one over.
    if (run.ledger.access.declares(inputs)) continue;
    errors.push(...(await preview.ofRemoval("delete", member.binding, inputs, instead)).map(withWaysOut));
  }
  return errors;
}

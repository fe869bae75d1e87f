import type { StateObjects } from "../inventory/state";
import { PlatformError } from "../provider/client/errors";
import { list, literal } from "../provider/client/printable";
import { isAtOrBelow, organizationOf } from "../provider/client/uid";

/** The organisations of managed objects in the states. */
export function organizationsIn({ managed }: StateObjects): string[] {
  return [...new Set(managed.flatMap(({ uid }) => (uid === undefined ? [] : [organizationOf(uid)])))].sort();
}

/**
 * @param isChosen true if the command line names the root, so only its part is compared
 * @throws PlatformError if the states manage nothing in the organisation, or something that would not be compared without notice
 */
export function verifyOrganization(states: StateObjects, root: string, isChosen: boolean): void {
  const { managed } = states;
  if (managed.length === 0)
    throw new PlatformError(
      "INVALID_INPUT",
      "The states have no object of the platform: is it the right stack? Nothing was compared.",
    );
  if (managed.some(({ uid }) => uid !== undefined && isAtOrBelow(uid, root))) {
    verifyRest(managed, root, isChosen);
    return;
  }
  const others = organizationsIn(states);
  throw new PlatformError(
    "INVALID_INPUT",
    `The states have no object in ${root}: theirs are in ${others.length === 0 ? "no organisation" : list(others)}. ` +
      "Pass the states of this organisation, or another --root. Nothing was compared.",
  );
}

/** A state of a second organisation is a mistake. Objects outside of a configured root may be intended. */
function verifyRest(managed: StateObjects["managed"], root: string, isChosen: boolean): void {
  const outside = (uid: string | undefined) => uid !== undefined && organizationOf(uid) !== organizationOf(root);
  const byStack = Map.groupBy(managed, ({ stack }) => stack);
  const [foreign] = [...byStack].find(([, objects]) => objects.every(({ uid }) => outside(uid))) ?? [];
  if (foreign !== undefined)
    throw new PlatformError(
      "INVALID_INPUT",
      `Stack ${literal(foreign)} has no object in the organisation ${organizationOf(root)}: it belongs to another one. Leave its state out. ` +
        "Nothing was compared.",
    );
  const beside = managed.filter(({ uid }) => uid !== undefined && !isAtOrBelow(uid, root));
  const [first] = beside;
  if (isChosen || first === undefined) return;
  throw new PlatformError(
    "INVALID_INPUT",
    `${beside.length} objects in the states are outside of the configured organisation ${root}, such as ${first.urn} (${first.uid ?? ""}). ` +
      "Pass --root UID to compare one part, and compare each other part in a separate run. Nothing was compared.",
  );
}

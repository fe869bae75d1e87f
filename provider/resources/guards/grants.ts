import { isAtOrBelow } from "../../client/uid";
import type { Grant } from "../../sight/rights";

/** A change of this run: a binding that it deletes, replaces or updates, or a role that it gives other capabilities. */
export type AccessChange =
  | { readonly is: "binding"; readonly uid: string; readonly becomes: readonly Grant[] }
  | { readonly is: "role"; readonly uid: string; readonly capabilities: readonly string[] };

/** What a run does to grants. */
export interface Changes {
  /** Each may be applied or not. */
  readonly earlier: readonly AccessChange[];
  /** The one to compare with and without. */
  readonly next?: AccessChange;
  /** True for a binding or role that another process of the run may change. Default: none */
  readonly isOthers?: (uid: string) => boolean;
}

/** A grant that certainly stays: the capabilities that its role has in each of these forms. */
export interface CertainGrant extends Omit<Grant, "role"> {
  readonly roles: readonly RoleForm[];
}

/** A role as the platform has it, or with the capabilities that this run gives it. */
interface RoleForm {
  readonly uid: string;
  readonly capabilities?: readonly string[];
}

/** The capabilities lost in one place. */
export interface Loss {
  readonly place: string;
  readonly capabilities: readonly string[];
}

/** What certainly stays of the grants that the platform shows, without what this run and others take away. */
export function grantsAfter(shown: readonly Grant[], { earlier, next, isOthers = () => false }: Changes): CertainGrant[] {
  const changes = next === undefined ? earlier : [...earlier, next];
  const isOwn = (uid: string) => changes.some((change) => change.uid === uid);
  const roleChanges = changes.filter((change) => change.is === "role");
  const formsOf = (uid: string): RoleForm[] => [{ uid }, ...roleChanges.filter((change) => change.uid === uid)];
  const begun = shown.flatMap((grant) => (next?.is === "binding" && next.uid === grant.binding ? next.becomes : [grant]));
  return begun.flatMap(({ binding, place, role }) => {
    const roles = [role];
    for (const change of earlier) {
      if (change.is !== "binding" || change.uid !== binding) continue;
      const updated = change.becomes.find((grant) => grant.binding === binding);
      if (updated === undefined) return [];
      roles.push(updated.role);
    }
    const isUncertain = [binding, ...roles].some((uid) => isOthers(uid) && !isOwn(uid));
    return isUncertain ? [] : [{ binding, place, roles: roles.flatMap(formsOf) }];
  });
}

/**
 * What `before` grants and `after` does not, in the same place or from above.
 *
 * @param capabilitiesOf the capabilities of a role as the platform has it
 */
export async function lossOf(
  before: readonly CertainGrant[],
  after: readonly CertainGrant[],
  capabilitiesOf: (role: string) => Promise<readonly string[]>,
): Promise<Loss[]> {
  const read = new Map<string, Promise<readonly string[]>>();
  const capabilitiesIn = async ({ uid, capabilities }: RoleForm) => {
    if (capabilities !== undefined) return capabilities;
    const known = read.get(uid) ?? capabilitiesOf(uid);
    read.set(uid, known);
    return known;
  };
  const granted = async ({ roles }: CertainGrant) => {
    const [first = [], ...others] = await Promise.all(roles.map(capabilitiesIn));
    return first.filter((capability) => others.every((set) => set.includes(capability)));
  };
  const losses: Loss[] = [];
  for (const grant of before) {
    const { place, roles } = grant;
    const above = after.filter((other) => isAtOrBelow(place, other.place));
    const isHere = (form: RoleForm) => roles.some((own) => own.uid === form.uid && own.capabilities === form.capabilities);
    if (above.some((other) => other.roles.every(isHere))) continue;
    const kept = new Set((await Promise.all(above.map(granted))).flat());
    const capabilities = (await granted(grant)).filter((capability) => !kept.has(capability));
    if (capabilities.length > 0) losses.push({ place, capabilities });
  }
  return losses;
}

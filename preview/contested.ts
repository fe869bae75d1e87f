import { kindNames } from "../inventory/kinds";
import { objectKey } from "../inventory/objects";
import { list } from "../provider/client/printable";
import { keepsOthers, textsOf } from "../provider/kinds/group-access";
import type { Effect, Open } from "./effect";
import { nameOf, type Planned } from "./plan";
import type { References } from "./references";

/** The effect of an update on one resource. */
export interface PlannedEffect extends Effect {
  readonly planned: Planned;
}

/**
 * Objects that several resources of the program manage at once, before the update or after it. The order of their calls decides the
 * result, and no preview shows that order.
 */
// See docs/decisions/0049-what-a-review-does-not-judge.md.
export function contested(effects: readonly PlannedEffect[], references: References): Open[] {
  const owners = new Map<string, { uid: string; names: Set<string> }>();
  const add = (when: string, key: string, uid: string, { urn }: Planned) => {
    const owner = owners.get(`${when} ${key}`) ?? { uid, names: new Set() };
    owners.set(`${when} ${key}`, { uid, names: owner.names.add(urn) });
  };
  for (const { planned, before, after } of effects) {
    const isManaged = !planned.before.external && !planned.isImported;
    if (isManaged) for (const object of before) add("before", objectKey(object), object.uid, planned);
    const stays = planned.op !== "release" && !planned.after.external;
    if (stays) for (const object of after) add("after", objectKey(object), object.uid, planned);
  }
  for (const [planned, role] of managedRoles(effects, references)) add("after", role, references.keyAfter(planned), planned);
  const open = [...owners.values()].flatMap(({ uid, names }): Open[] => {
    if (names.size < 2) return [];
    const what = `what ${list([...names].map(nameOf).sort())} do`;
    const reason = `all of them manage ${uid}. Keep one, and remove the others from the program and, with \`pulumi state delete\`, from the state`;
    return [{ what, reason, is: "undecided", about: [uid] }];
  });
  return [...new Map(open.map((each) => [`${each.what} ${each.reason}`, each])).values()];
}

/**
 * Each `GroupAccess` with the keys of the roles that it manages after the update. A `GroupAccess` of all roles meets every other one of its
 * group that removes others. With `keep`, it manages its members alone, which are objects of their own.
 */
function managedRoles(effects: readonly PlannedEffect[], references: References): [Planned, string][] {
  const accesses = effects.flatMap(({ planned }) => {
    const { kind, op, after } = planned;
    if (kind !== kindNames.groupAccess || op === "delete" || op === "release" || after.external || keepsOthers(after.inputs))
      return [];
    const { roles } = after.inputs;
    return [{ planned, place: references.keyAfter(planned), roles: Array.isArray(roles) ? textsOf(roles) : undefined }];
  });
  const whole = new Set(accesses.flatMap(({ place, roles }) => (roles === undefined ? [place] : [])));
  return accesses.flatMap(({ planned, place, roles = [] }): [Planned, string][] => {
    const keys = roles
      .map((text) => references.roleWritten(planned, text))
      .map((ref, at) => ("key" in ref ? ref.key : roles[at]));
    return (whole.has(place) ? ["every role"] : keys).map((role) => [planned, `${role} of ${place}`]);
  });
}

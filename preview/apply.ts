import type { SnapshotRole } from "../access/snapshot";
import { groupOf, kindNames } from "../inventory/kinds";
import { type InventoryObject, ObjectIndex, objectKey } from "../inventory/objects";
import { isAtOrBelow, lineageOf, parentOf } from "../provider/client/uid";
import { roleUidsIn } from "../provider/kinds/group-access";
import { isBuiltIn } from "../provider/kinds/role";
import type { Inputs } from "../provider/schema/kind";
import { isValues } from "../provider/schema/values";
import { contested, type PlannedEffect } from "./contested";
import type { Actual, Open } from "./effect";
import { accessEffect } from "./group-access";
import { objectEffect } from "./object";
import { isUnderstood, keyBefore, kindOf, nameOf, type Planned } from "./plan";
import { References } from "./references";

/** The known objects before an update. */
export interface World {
  /**
   * Objects of all programs, as the platform shows them. A state may be older, because somebody may have changed an object by hand since.
   */
  readonly objects: readonly InventoryObject[];
  /** True if the platform is proven not to have the object. */
  readonly isGone: (kind: string, uid: string) => boolean;
  /** Roles by uid. */
  readonly roles: ReadonlyMap<string, SnapshotRole>;
  /** Capabilities of built-in roles by name, where their uid is not known. */
  readonly builtIns: ReadonlyMap<string, readonly string[]>;
}

/** A fact for the reader of a review that is no change. */
export interface Notice {
  readonly message: string;
  readonly urn?: string;
}

/** The effect of an update on a world. */
export interface Applied {
  readonly plan: readonly Planned[];
  readonly before: readonly InventoryObject[];
  readonly after: readonly InventoryObject[];
  /** Objects of `after` that the update perhaps removes, by {@link objectKey}. */
  readonly mayGo: ReadonlySet<string>;
  /** The uid of each replaced object, by the key of its replacement. */
  readonly moved: ReadonlyMap<string, string>;
  /** Keys that are no uids, because their objects are not made yet or not known. */
  readonly made: ReadonlySet<string>;
  /** URNs of the resources that manage the objects, by {@link objectKey}. */
  readonly urns: ReadonlyMap<string, string>;
  /** URNs of resources of which either the object is open, or whether the update replaces it or changes it in place. */
  readonly uncertain: ReadonlySet<string>;
  /** Changed resources of kinds that this release does not know. */
  readonly unknownKinds: readonly Planned[];
  readonly open: readonly Open[];
  readonly warnings: readonly Notice[];
}

/** The world before and after an update. */
export function apply(world: World, all: readonly Planned[]): Applied {
  const previewed = all.filter(isUnderstood);
  const unknownKinds = all.filter((each) => each.op !== "keep" && each.op !== "release" && !isUnderstood(each));
  const index = new ObjectIndex([...namedIn(previewed, world), ...world.objects]);
  const managed = new Set(previewed.filter(({ after }) => !after.external).map(keyBefore));
  const unmanaged = index.all.filter((object) => !managed.has(objectKey(object)));
  const references = new References(previewed, unmanaged);
  const actual: Actual = {
    known: index,
    unmanaged,
    shown: new ObjectIndex(world.objects),
    isGone: world.isGone,
  };
  const planned = previewed.map((each): PlannedEffect => {
    const isAccess = each.kind === kindNames.groupAccess;
    return { planned: each, ...(isAccess ? accessEffect : objectEffect)(each, references, actual) };
  });
  const isGone = goneIn(planned);
  const effects = changesLast(withoutSuperseded(planned, isGone));
  const [before, after] = [effects.flatMap((effect) => effect.before), effects.flatMap((effect) => effect.after)];
  const [had, stays] = [new Set(before.map(objectKey)), new Set(after.map(objectKey))];
  // Objects taken over belonged to others before. Others' objects in a deleted group are deleted with it.
  const others = index.all.filter((object) => !had.has(objectKey(object)));
  const left = others.filter((object) => !stays.has(objectKey(object)) && !isGone(object));
  // If an object stays in the old group, the new group is another object.
  const lived = new Set(after.flatMap(({ uid, place }) => [...lineageOf(uid), ...lineageOf(place)]));
  const moved = new Map([...references.moved].filter(([, old]) => !lived.has(old)));
  return {
    plan: previewed,
    before: [...before, ...others],
    after: [...after, ...effects.flatMap(({ standIns = [] }) => standIns), ...left],
    mayGo: new Set(effects.flatMap(({ mayGo = [] }) => mayGo.map(objectKey))),
    moved,
    made: references.made,
    urns: new Map(
      effects.flatMap(({ planned, mayGo = [], ...effect }) =>
        [...effect.before, ...effect.after, ...mayGo].map((object) => [objectKey(object), planned.urn]),
      ),
    ),
    uncertain: new Set(previewed.filter((each) => references.open.has(each) || references.mayStay(each)).map(({ urn }) => urn)),
    unknownKinds,
    open: withoutRepeated([
      ...unknownKinds.map(notUnderstood),
      ...[
        ...[...references.open].map(([{ urn }, reason]): Open => ({
          what: `which object ${nameOf(urn)} is`,
          reason,
          is: "undecided",
        })),
        ...contested(effects, references),
        ...effects.flatMap(({ open = [] }) => open),
      ].map(rehearsed),
    ]),
    warnings: effects.flatMap(({ planned: { urn }, warnings = [] }) =>
      warnings.flatMap((message) => (message === undefined ? [] : [{ message, urn }])),
    ),
  };
}

/** Names the way to decide a fact that the preview leaves open. */
function rehearsed({ reason, ...open }: Open): Open {
  const way = open.is === "undecided" ? ". Or run `pulumi-platform rehearse`, which does the update on a copy" : "";
  return { ...open, reason: `${reason}${way}` };
}

/** List a hidden value once, not for both sides. */
function withoutRepeated(open: readonly Open[]): Open[] {
  return [...new Map(open.map((each) => [JSON.stringify(each), each])).values()];
}

/** A changed resource of an unknown kind may do anything. */
function notUnderstood({ kind, urn }: Planned): Open {
  const reason = `this release knows no ${kind}. Review with the release that the program uses, or apply it in an update of its own`;
  return { what: `what ${nameOf(urn)} gives`, reason, is: "undecided" };
}

/** The last of several resources of one object decides, so changes come last: an unchanged resource must not hide a change by another. */
function changesLast(effects: readonly PlannedEffect[]): PlannedEffect[] {
  const [stay, change] = [true, false].map((isKeep) => effects.filter(({ planned }) => (planned.op === "keep") === isKeep));
  return [...(stay ?? []), ...(change ?? [])];
}

/** Kinds whose deletion also deletes others' objects inside. */
const holders: readonly string[] = [kindNames.group, kindNames.identityProvider];

/** Finds the objects deleted with the groups and identity providers that the update deletes or replaces. */
function goneIn(effects: readonly PlannedEffect[]): (object: InventoryObject) => boolean {
  const stay = new Set(effects.flatMap(({ after }) => after.map(objectKey)));
  const gone = effects
    .flatMap(({ before }) => before)
    .filter((object) => holders.includes(object.kind) && !stay.has(objectKey(object)));
  return ({ uid }) => gone.some((holder) => isAtOrBelow(uid, holder.uid));
}

/** Drops released objects from the state after the update, if another resource takes them over or if they are deleted with their group. */
function withoutSuperseded(effects: readonly PlannedEffect[], isGone: (object: InventoryObject) => boolean): PlannedEffect[] {
  const held = new Set(effects.flatMap(({ planned, after }) => (planned.op === "release" ? [] : after.map(objectKey))));
  return effects.map((effect) => {
    if (effect.planned.op !== "release") return effect;
    const stays = effect.after.filter((object) => !held.has(objectKey(object)) && !isGone(object));
    return stays.length === effect.after.length ? effect : { before: effect.before, after: stays, planned: effect.planned };
  });
}

/** Objects known only by the name that outputs or inputs have beside their uid, and the roles known otherwise. */
function namedIn(plan: readonly Planned[], { roles, builtIns }: World): InventoryObject[] {
  const of = (kind: string, uid: string, value: Inputs) => ({ kind, uid, place: groupOf(kindOf({ kind }), uid), value });
  const repeated = plan.flatMap(({ before, after }) => {
    const [{ outputs }, { inputs }] = [before, after];
    const roles = [
      [inputs["roleName"], inputs["roleUid"]],
      [inputs["defaultRoleName"], inputs["defaultRole"]],
      ...roleUidsIn(inputs),
    ];
    const pairs: [kind: string, uid: unknown, shown: unknown][] = [
      ...roles.map(([name, uid]): [string, unknown, unknown] => [kindNames.role, uid, { name }]),
      [kindNames.group, outputs["parentUid"], outputs["group"]],
      [kindNames.identity, outputs["identityUid"], outputs["identity"]],
      [kindNames.role, outputs["roleUid"], outputs["role"]],
    ];
    return pairs.flatMap(([kind, uid, shown]) => {
      const name = isValues(shown) ? shown["name"] : undefined;
      if (typeof uid !== "string" || typeof name !== "string" || name === "") return [];
      // People choose their own names, so a name identifies no person.
      if (kind === kindNames.identity && parentOf(uid) === undefined) return [];
      const capabilities = kind === kindNames.role && isBuiltIn(uid) ? builtIns.get(name) : undefined;
      return [of(kind, uid, { name, ...(capabilities && { capabilities }) })];
    });
  });
  return [...repeated, ...[...roles].map(([uid, role]) => of(kindNames.role, uid, { ...role }))];
}

import type { SnapshotRole } from "../access/snapshot";
import { groupOf, kindNames } from "../inventory/kinds";
import { type InventoryObject, ObjectIndex, objectKey } from "../inventory/objects";
import { isAtOrBelow, lineageOf, parentOf } from "../provider/client/uid";
import { isBuiltIn } from "../provider/kinds/role";
import type { Inputs } from "../provider/schema/kind";
import { isValues } from "../provider/schema/values";
import { contested, type PlannedEffect } from "./contested";
import type { Actual, Open } from "./effect";
import { accessEffect } from "./group-access";
import { objectEffect } from "./object";
import { isUnderstood, keyBefore, kindOf, nameOf, type Planned } from "./plan";
import { References } from "./references";

/** What is there before an update, as far as it is known. */
export interface World {
  /** Objects that the platform shows, of all programs. A state may be older: somebody may have changed them by hand since. */
  readonly objects: readonly InventoryObject[];
  /** True if the platform is proven not to have the object. */
  readonly isGone: (kind: string, uid: string) => boolean;
  /** Roles by uid. */
  readonly roles: ReadonlyMap<string, SnapshotRole>;
  /** Capabilities of built-in roles by name, where their uid is not known. */
  readonly builtIns: ReadonlyMap<string, readonly string[]>;
}

/** Something that whoever reads a review should know, besides changes. */
export interface Notice {
  readonly message: string;
  readonly urn?: string;
}

/** What an update does to a world. */
export interface Applied {
  /** The plan, with an update of what only the preview replaces. */
  readonly plan: readonly Planned[];
  readonly before: readonly InventoryObject[];
  readonly after: readonly InventoryObject[];
  /** Those of `after` that the update perhaps removes: {@link objectKey}. */
  readonly mayGo: ReadonlySet<string>;
  /** For an object that replaces another one: the uid of that, by its own key. */
  readonly moved: ReadonlyMap<string, string>;
  /** Keys that are no uids: of objects that are not made yet, or not known. */
  readonly made: ReadonlySet<string>;
  /** URNs of what the program manages, by kind and key: {@link objectKey}. */
  readonly urns: ReadonlyMap<string, string>;
  /** URNs of resources that the update may change in place or replace, or of which it is open which object they are. */
  readonly uncertain: ReadonlySet<string>;
  /** Resources that it changes, of kinds that this release does not know. */
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
  const plan = previewed.flatMap((planned) => asApplied(planned, references));
  const planned = plan.map((each): PlannedEffect => {
    const isAccess = each.kind === kindNames.groupAccess;
    return { planned: each, ...(isAccess ? accessEffect : objectEffect)(each, references, actual) };
  });
  const isGone = goneIn(planned);
  const effects = changesLast(withoutSuperseded(planned, isGone));
  const [before, after] = [effects.flatMap((effect) => effect.before), effects.flatMap((effect) => effect.after)];
  const [had, stays] = [new Set(before.map(objectKey)), new Set(after.map(objectKey))];
  // What an update takes over was of others before; what others have in a group that is deleted goes with it.
  const others = index.all.filter((object) => !had.has(objectKey(object)));
  const left = others.filter((object) => !stays.has(objectKey(object)) && !isGone(object));
  // Where something stays in the old one, the new one is another object.
  const lived = new Set(after.flatMap(({ uid, place }) => [...lineageOf(uid), ...lineageOf(place)]));
  const moved = new Map([...references.moved].filter(([, old]) => !lived.has(old)));
  return {
    plan,
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
    uncertain: new Set(plan.filter((each) => references.open.has(each) || mayStay(each, references)).map(({ urn }) => urn)),
    unknownKinds,
    open: withoutRepeated([
      ...unknownKinds.map(notUnderstood),
      ...[...references.open].map(([{ urn }, reason]): Open => ({
        what: `which object ${nameOf(urn)} is`,
        reason,
        is: "undecided",
      })),
      ...contested(effects, references),
      ...effects.flatMap(({ open = [] }) => open),
    ]),
    warnings: effects.flatMap(({ planned: { urn }, warnings = [] }) =>
      warnings.flatMap((message) => (message === undefined ? [] : [{ message, urn }])),
    ),
  };
}

/** What is hidden before an update and after it is hidden once. */
function withoutRepeated(open: readonly Open[]): Open[] {
  return [...new Map(open.map((each) => [JSON.stringify(each), each])).values()];
}

/** A resource may do anything that this release does not know the kind of, unless it stays as it is. */
function notUnderstood({ kind, urn }: Planned): Open {
  const reason = `this release knows no ${kind}. Review with the release that the program uses, or apply it in an update of its own`;
  return { what: `what ${nameOf(urn)} gives`, reason, is: "undecided" };
}

/** Of several resources of one object the last one counts: one that stays as it is must not hide that another one changes it. */
function changesLast(effects: readonly PlannedEffect[]): PlannedEffect[] {
  const [stay, change] = [true, false].map((isKeep) => effects.filter(({ planned }) => (planned.op === "keep") === isKeep));
  return [...(stay ?? []), ...(change ?? [])];
}

/** Kinds of what others may have something in, which goes with it. */
const holders: readonly string[] = [kindNames.group, kindNames.identityProvider];

/** Finds what goes with the groups and identity providers that the update deletes or replaces. */
function goneIn(effects: readonly PlannedEffect[]): (object: InventoryObject) => boolean {
  const stay = new Set(effects.flatMap(({ after }) => after.map(objectKey)));
  const gone = effects
    .flatMap(({ before }) => before)
    .filter((object) => holders.includes(object.kind) && !stay.has(objectKey(object)));
  return ({ uid }) => gone.some((holder) => isAtOrBelow(uid, holder.uid));
}

/** Without what is released where another resource takes it over, or where it goes with the group that it is in. */
function withoutSuperseded(effects: readonly PlannedEffect[], isGone: (object: InventoryObject) => boolean): PlannedEffect[] {
  const held = new Set(effects.flatMap(({ planned, after }) => (planned.op === "release" ? [] : after.map(objectKey))));
  return effects.map((effect) => {
    if (effect.planned.op !== "release") return effect;
    const stays = effect.after.filter((object) => !held.has(objectKey(object)) && !isGone(object));
    return stays.length === effect.after.length ? effect : { before: effect.before, after: stays, planned: effect.planned };
  });
}

/** What is only known by a name that outputs repeat, and the roles that are known otherwise. */
function namedIn(plan: readonly Planned[], { roles, builtIns }: World): InventoryObject[] {
  const of = (kind: string, uid: string, value: Inputs) => ({ kind, uid, place: groupOf(kindOf({ kind }), uid), value });
  const repeated = plan.flatMap(({ before }) => {
    const { outputs } = before;
    const pairs = [
      [kindNames.group, outputs["parentUid"], outputs["group"]],
      [kindNames.identity, outputs["identityUid"], outputs["identity"]],
      [kindNames.role, outputs["roleUid"], outputs["role"]],
    ] as const;
    return pairs.flatMap(([kind, uid, shown]) => {
      const name = isValues(shown) ? shown["name"] : undefined;
      if (typeof uid !== "string" || typeof name !== "string" || name === "") return [];
      // People choose their names, so these say nothing.
      if (kind === kindNames.identity && parentOf(uid) === undefined) return [];
      const capabilities = kind === kindNames.role && isBuiltIn(uid) ? builtIns.get(name) : undefined;
      return [of(kind, uid, { name, ...(capabilities && { capabilities }) })];
    });
  });
  // Of built-in roles of one name, the first is meant: one that outputs repeat, then one that this platform shows, then the published one.
  const known = [...repeated, ...[...roles].map(([uid, role]) => of(kindNames.role, uid, { ...role }))];
  const builtIn = known.filter(({ kind, uid }) => kind === kindNames.role && isBuiltIn(uid));
  const first = new Map(builtIn.toReversed().map(({ uid, value }) => [value["name"], uid]));
  return known.filter((each) => !builtIn.includes(each) || first.get(each.value["name"]) === each.uid);
}

/** True for what the preview replaces, and the update perhaps not. */
function mayStay(planned: Planned, references: References): boolean {
  return (planned.op === "replace" || planned.op === "release") && references.isReplaced(planned) === "perhaps";
}

/** The planned resource as the update finds it, once references are resolved; nothing for what a replacement would have left behind. */
function asApplied(planned: Planned, references: References): Planned[] {
  const { op, reasons } = planned;
  if (reasons.length === 0 || (op !== "replace" && op !== "release")) return [planned];
  if (references.isReplaced(planned) !== false) return [planned];
  return op === "replace" ? [{ ...planned, op: "change" }] : [];
}

import { type Level, mayControl } from "./capabilities";
import { type Alarm, alarmsOf, type Guarded } from "./guarded";
import { type Holder, type Located, located } from "./holders";
import { compareLogins, isAnybody, isWhole, type Login, letsOthersIn } from "./logins";
import { bySeverity, type Severity, severityOf } from "./severity";
import { pairKey, type Pair, Side } from "./side";
import type { Snapshot, SnapshotRole } from "./snapshot";
import { levelOfRole, type Source, type SourceKind } from "./ways";

/** Somebody gains or loses a role, or a part of a role, in a group and the groups below. */
export interface AccessChange {
  readonly effect: "gain" | "loss";
  readonly severity: Severity;
  readonly holder: Holder;
  /** The name that a `GroupAccess` gives the holder, in a program or after a refresh. It does not identify the holder. */
  readonly label?: string;
  /** `capabilities` is absent if the role cannot be read. */
  readonly role: { readonly uid: string } & Partial<SnapshotRole>;
  /** The highest group in which access changes. */
  readonly at: Located;
  /** The group above that grants the role; absent if `at` itself grants it. */
  readonly inheritedFrom?: Located;
  /** Uids of all groups in which access changes, `at` first. */
  readonly groups: readonly string[];
  /** Number of groups below `at` in which access changes too. */
  readonly reach: number;
  /** The source that gives or gave the role. It is `login` or `role` if the binding stays and only the login or the role changes. */
  readonly through: { readonly kind: SourceKind; readonly uid: string };
  /** The gained or lost part of the role. Absent if the whole role changes, or if the role stays and can no longer be read. */
  readonly capabilities?: readonly string[];
  /** True for a role that allows more although no holder of it is known. Another program may have granted it. */
  readonly isWithoutHolder?: true;
  /** True if the login matches differently and it is unclear whether the match is broader. */
  readonly isUnclear?: true;
  /** Set where others can log in than before. `before` is the earlier login, `members` the members that changed. */
  readonly loginChange?: { readonly before: Login; readonly members: readonly string[] };
  /** Names of other roles that gave the holder the same before, or give it afterwards. Nothing is really gained or lost. */
  readonly coveredBy?: string;
  /** Why a loss ranks higher than its role; absent where it does not. */
  readonly alarms?: readonly Alarm[];
}

/**
 * The access that people and machines gain and lose from one snapshot to the other. Removing a binding is no loss if a binding above gives
 * the same. A group that exists in only one snapshot changes nothing for holders of access above it.
 *
 * @param moved uid of the same object in `before` for each object in `after` whose uid differs
 * @param guarded uids in `before` of identities whose losses are critical
 */
export function compare(
  before: Snapshot,
  after: Snapshot,
  moved: ReadonlyMap<string, string> = new Map(),
  guarded: Guarded = {},
): AccessChange[] {
  const one = new Side(before, (uid) => uid);
  const other = new Side(after, (uid) => moved.get(uid) ?? uid);
  // A loss is a gain in the opposite direction.
  return [...new Gains(one, other, "gain", {}).changes(), ...new Gains(other, one, "loss", guarded).changes()].sort(byWeight);
}

/** The access that `to` gives and `from` does not. For losses, `to` is the side before and `from` the side after. */
class Gains {
  /** Groups in both snapshots that have other groups above them. */
  readonly #moved: readonly string[];
  #controlled: ReadonlySet<string> | undefined;

  constructor(
    private readonly from: Side,
    private readonly to: Side,
    private readonly effect: "gain" | "loss",
    private readonly guarded: Guarded,
  ) {
    this.#moved = to.tree.all
      .map(to.same)
      .filter((group) => from.own(group) !== undefined && from.above(group).join("\n") !== to.above(group).join("\n"));
  }

  changes(): AccessChange[] {
    return [...this.to.pairs.values()].flatMap((pair) => [
      ...this.#tops(this.#newIn(pair)).map((groups) => this.#change(pair, groups, {})),
      ...this.#wider(pair),
    ]);
  }

  /** The groups in which the pair's role holds now and did not hold before. */
  #newIn(pair: Pair): string[] {
    const [before, now] = [this.from.places(pair), this.to.places(pair)];
    const differing = [...now].filter((place) => !before.has(place)).concat([...before].filter((place) => !now.has(place)));
    const candidates = new Set([...differing.flatMap((place) => this.to.within(place)), ...this.#moved]);
    return [...candidates].filter((group) => this.to.holds(pair, group) && !this.#isSettled(pair, group));
  }

  /**
   * True if the pair's role held in the group before. In a new group, true if the role comes from a group above in which it held before and
   * still holds.
   */
  #isSettled(pair: Pair, group: string): boolean {
    if (this.from.own(group) !== undefined) return this.from.holds(pair, group) !== undefined;
    const around = this.to.above(group).findLast((above) => this.from.own(above) !== undefined);
    return around !== undefined && this.from.holds(pair, around) !== undefined && this.to.holds(pair, around) !== undefined;
  }

  /** The groups in which the pair itself stays and its role or login gives more than before. */
  #wider(pair: Pair): AccessChange[] {
    const places = [...this.to.places(pair)];
    const stays = () =>
      this.#tops(places.flatMap((place) => this.to.within(place)).filter((group) => this.from.holds(pair, group) !== undefined));
    const roleChange = this.#roleChange(pair.role);
    const source = this.to.holds(pair, places[0] ?? "");
    const roles =
      roleChange === undefined ? [] : stays().map((groups) => this.#change(pair, groups, { by: "role", ...roleChange }));
    const login = this.#loginChange(source);
    // A new role of an identity is a gain whose text says who can log in. People of a provider may have other roles that no snapshot shows.
    const isOfProvider = this.#isProvider(source);
    const tops = () => (isOfProvider ? this.#tops(places.flatMap((place) => this.to.within(place))) : stays());
    const logins = login === undefined ? [] : tops().map((groups) => this.#change(pair, groups, { by: "login", ...login }));
    return [...roles, ...logins];
  }

  /** The part of the role that is new, or an empty part if the role can no longer be read. Undefined if nothing is new. */
  #roleChange(uid: string): Pick<Part, "capabilities"> | undefined {
    const change = addedTo(this.from.role(uid), this.to.role(uid));
    return change?.capabilities === undefined && this.effect === "loss" ? undefined : change;
  }

  /** How the set of people who can log in has grown; undefined if it has not. */
  #loginChange(source: Source | undefined): Pick<Part, "isUnclear" | "loginChange"> | undefined {
    if (source?.loginUid === undefined) return undefined;
    const [was, is] = [this.from.login(this.to.same(source.loginUid)), source.holder.login];
    if (was === undefined || is === undefined) return undefined;
    const { relation, members } = compareLogins(was, is);
    if (!letsOthersIn(relation)) return undefined;
    return { isUnclear: relation === "unclear", loginChange: { before: was, members } };
  }

  /** The groups, each under the highest group of the list that contains it. */
  #tops(groups: readonly string[]): string[][] {
    const all = new Set(groups);
    const below = Map.groupBy(all, (group) => [...this.to.above(group), group].find((each) => all.has(each)) ?? group);
    return [...below].map(([top, members]) => [top, ...members.filter((group) => group !== top).sort()]);
  }

  #change(pair: Pair, groups: readonly string[], { capabilities, by, isUnclear, loginChange }: Part): AccessChange {
    const [top = ""] = groups;
    const source = this.to.holds(pair, top);
    if (source === undefined) throw new Error(`Nothing gives ${pairKey(pair)} in ${top}.`);
    const role = this.to.role(pair.role);
    const at = this.to.own(top) ?? top;
    const label = this.to.label(pair.role);
    // People who could not log in before had nothing, so the holder's earlier roles cover nothing for them.
    const isSameHolder = by !== "login" && this.#loginChange(source) === undefined;
    const { left, coveredBy } = this.#cover(pair, isSameHolder ? groups : [], capabilities ?? role?.capabilities);
    const level = this.#level(pair, source, left, by);
    const { snapshot } = this.to;
    const isLost = this.effect === "loss" && coveredBy === undefined && level !== "none" && isHeld(source);
    const alarms = isLost ? this.#alarms(pair, groups, { source, level, by }) : [];
    return {
      effect: this.effect,
      severity: severityOf({
        effect: this.effect,
        level,
        isRoot: this.to.above(top).length === 0,
        reach: groups.length - 1,
        isAnybody: isAnybody(source.holder.login),
        isUnknown: !isWhole(source.holder.login ?? {}),
        alarms,
        isCovered: coveredBy !== undefined,
      }),
      holder: source.holder,
      ...(source.label !== undefined && { label: source.label }),
      role: { uid: source.roleUid, ...role, ...(label !== undefined && { name: label }) },
      at: located(snapshot, at),
      ...(source.place !== at && { inheritedFrom: located(snapshot, source.place) }),
      groups: groups.map((group) => this.to.own(group) ?? group),
      reach: groups.length - 1,
      through:
        by === undefined
          ? source.through
          : { kind: by, uid: by === "role" ? source.roleUid : (source.loginUid ?? source.through.uid) },
      ...(capabilities && { capabilities }),
      ...(isUnclear && { isUnclear }),
      ...(loginChange && { loginChange }),
      ...(coveredBy !== undefined && { coveredBy }),
      ...(alarms.length > 0 && { alarms }),
    };
  }

  /** Why a loss in the groups ranks higher than its role; empty if it does not. */
  #alarms({ who }: Pair, groups: readonly string[], { source, level, by }: Lost): Alarm[] {
    const { through, loginUid } = source;
    const ofHolder = through.kind === "roleBinding" ? alarmsOf(loginUid, this.guarded) : [];
    const [top = ""] = groups;
    if (!mayControl(level)) return ofHolder;
    const isControl = (role: string) => levelOfRole(role, this.from.role(role)?.capabilities) === "control";
    // People who can no longer log in lose the role, even if the identity keeps it.
    const keeps =
      by !== "login" && this.from.rolesOf(who).some((role) => isControl(role) && isHeld(this.from.holds({ who, role }, top)));
    const isLast = by !== "login" && !this.#areControlled(groups);
    const isRoot = this.to.above(top).length === 0;
    const isLastOwner = by !== "login" && !isLast && !isRoot && this.to.same(source.place) === top && !this.#isOwned(top);
    return [
      ...ofHolder,
      ...(isLast ? ["lastControl" as const] : []),
      ...(isRoot && !keeps ? ["rootControl" as const] : []),
      ...(isLastOwner ? ["lastOwner" as const] : []),
    ];
  }

  #level({ role }: Pair, source: Source, capabilities: readonly string[] | undefined, by: Part["by"]): Level {
    // Other people who sign in at an identity provider may be mistaken for earlier ones, whose own roles no binding here shows.
    return by === "login" && this.#isProvider(source) ? "unknown" : levelOfRole(role, capabilities);
  }

  #isProvider(source: Source | undefined): boolean {
    return this.to.snapshot.providers?.has(source?.loginUid ?? "") === true;
  }

  /**
   * The capabilities that the holder does not also have by other roles in all of the groups, on the other side. If none are left, the names
   * of these roles. A missing group below an existing one is covered like the existing one.
   */
  #cover({ who, role }: Pair, groups: readonly string[], capabilities: readonly string[] | undefined): Cover {
    const others = this.from.rolesOf(who).flatMap((uid) => {
      const held = this.from.role(uid)?.capabilities;
      const isIn = (group: string) => this.from.holds({ who, role: uid }, group) !== undefined;
      return uid === role || held === undefined ? [] : [{ uid, held: new Set(held), isIn, label: this.from.label(uid) ?? uid }];
    });
    const [top] = groups;
    if (others.length === 0 || top === undefined || !capabilities?.length) return { left: capabilities };
    const there = this.from.own(top) === undefined ? groups : groups.filter((group) => this.from.own(group) !== undefined);
    // Most groups share the same other roles.
    const combinations = new Map(
      there.map((group) => others.filter(({ isIn }) => isIn(group))).map((here) => [here.map(({ uid }) => uid).join(" "), here]),
    );
    const everywhere = [...combinations.values()];
    const left = capabilities.filter((each) => !everywhere.every((here) => here.some(({ held }) => held.has(each))));
    if (left.length > 0) return { left };
    others.sort((one, other) => compareTexts(one.uid, other.uid));
    const whole = others.find(
      (each) => capabilities.every((one) => each.held.has(one)) && everywhere.every((here) => here.includes(each)),
    );
    const parts = others.filter(
      (each) => capabilities.some((one) => each.held.has(one)) && everywhere.some((here) => here.includes(each)),
    );
    return { left, coveredBy: whole?.label ?? parts.map(({ label }) => label).join(" and ") };
  }

  /** True if, on the other side, each of the groups has a known holder of control. A group that does not exist there needs none. */
  #areControlled(groups: readonly string[]): boolean {
    const isControlled = (place: string) => this.#grantsControl(place);
    return groups.every((group) => this.from.own(group) === undefined || [...this.from.above(group), group].some(isControlled));
  }

  /** True if, on the other side, the group itself grants control to a known holder. A group that does not exist there needs no owner. */
  #isOwned(group: string): boolean {
    return this.from.own(group) === undefined || this.#grantsControl(group);
  }

  #grantsControl(place: string): boolean {
    this.#controlled ??= new Set(
      [...this.from.pairs.values()]
        .filter(({ role }) => levelOfRole(role, this.from.role(role)?.capabilities) === "control")
        .flatMap((pair) => [...this.from.places(pair)].filter((each) => isHeld(this.from.holds(pair, each)))),
    );
    return this.#controlled.has(place);
  }
}

/** False for an invite, because nobody has its role before it is accepted. */
function isHeld(source: Source | undefined): boolean {
  return source !== undefined && source.through.kind !== "groupInvite";
}

/** How far other roles of a holder cover a role. */
interface Cover {
  /** Undefined where the role cannot be read. */
  readonly left: readonly string[] | undefined;
  readonly coveredBy?: string;
}

/** A loss, as {@link Alarm}s need it. */
interface Lost {
  readonly source: Source;
  readonly level: Level;
  readonly by: Part["by"];
}

/** The change of a pair that stays. */
interface Part {
  readonly capabilities?: readonly string[];
  readonly by?: "role" | "login";
  readonly isUnclear?: boolean;
  readonly loginChange?: AccessChange["loginChange"];
}

/**
 * The capabilities that a role newly allows; an empty result if the role could be read before and cannot be read now. Undefined if nothing
 * is new.
 */
export function addedTo(
  was: Partial<SnapshotRole> | undefined,
  is: Partial<SnapshotRole> | undefined,
): Pick<Part, "capabilities"> | undefined {
  const [before, after] = [was?.capabilities, is?.capabilities];
  if (before === undefined || is === undefined) return undefined;
  if (after === undefined) return {};
  const added = after.filter((each) => !before.includes(each)).sort();
  return added.length === 0 ? undefined : { capabilities: added };
}

/** By severity, gains before losses. */
function byWeight(one: AccessChange, other: AccessChange): number {
  return (
    bySeverity(one.severity, other.severity) ||
    one.effect.localeCompare(other.effect, "en") ||
    other.reach - one.reach ||
    compareTexts(sortKey(one), sortKey(other))
  );
}

function sortKey({ at, holder, role, through }: AccessChange): string {
  const who = holder.path ?? holder.uid ?? holder.email ?? holder.account ?? holder.externalGroupId ?? "";
  return [at.path ?? at.uid, who, role.name ?? role.uid, through.kind, through.uid].join("\n");
}

/** Compares by code units, so that the order is the same on every machine. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

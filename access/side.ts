import { GroupTree } from "./group-tree";
import { type Login, loginsOf } from "./logins";
import { ancestorsOf } from "./places";
import { roleLabels } from "./role-labels";
import type { Snapshot, SnapshotRole } from "./snapshot";
import { accountRole, type Source, sourcesOf } from "./ways";

/** One holder and one role, the unit of comparison. */
export interface Pair {
  readonly who: string;
  /** Uid of the role in the first snapshot. */
  readonly role: string;
}

/** One of two compared snapshots. An object in both snapshots has its uid of the first one. */
export class Side {
  readonly tree: GroupTree;
  readonly #own = new Map<string, string>();
  readonly #sources = new Map<string, Map<string, Source>>();
  readonly #pairs = new Map<string, Pair>();
  readonly #rolesOf = new Map<string, string[]>();
  readonly #roles: ReadonlyMap<string, SnapshotRole>;
  readonly #labels: ReadonlyMap<string, string | undefined>;
  readonly #logins: ReadonlyMap<string, Login>;

  constructor(
    readonly snapshot: Snapshot,
    readonly same: (uid: string) => string,
  ) {
    this.tree = new GroupTree(snapshot);
    for (const uid of this.tree.all) this.#own.set(same(uid), uid);
    this.#roles = new Map([...snapshot.roles].map(([uid, role]) => [same(uid), role]));
    const roleLabel = roleLabels(snapshot);
    this.#labels = new Map([...snapshot.roles.keys()].map((uid) => [same(uid), roleLabel(uid)]));
    this.#logins = new Map([...loginsOf(snapshot)].map(([uid, login]) => [same(uid), login]));
    for (const source of sourcesOf(snapshot, same)) this.#add(source);
  }

  #add(source: Source): void {
    const pair = { who: source.who, role: this.same(source.roleUid) };
    const key = pairKey(pair);
    const places = this.#sources.get(key) ?? new Map<string, Source>();
    const place = this.same(source.place);
    const known = places.get(place);
    // Among equal sources, picks the same one whatever their order.
    if (known === undefined || source.through.uid < known.through.uid) places.set(place, source);
    if (!this.#sources.has(key)) this.#rolesOf.set(pair.who, [...(this.#rolesOf.get(pair.who) ?? []), pair.role]);
    this.#sources.set(key, places);
    this.#pairs.set(key, pair);
  }

  get pairs(): ReadonlyMap<string, Pair> {
    return this.#pairs;
  }

  /** Uid of the group in this snapshot; undefined if it has none. */
  own(group: string): string | undefined {
    return this.#own.get(group);
  }

  /** The groups that grant the pair's role. */
  places(pair: Pair): ReadonlySet<string> {
    return new Set(this.#sources.get(pairKey(pair))?.keys() ?? []);
  }

  /** The group and all groups below. */
  within(group: string): string[] {
    const own = this.own(group);
    return own === undefined ? [] : this.tree.within(own).map(this.same);
  }

  /** The groups above, from the top. */
  above(group: string): string[] {
    const own = this.own(group);
    return own === undefined ? [] : ancestorsOf(own).map(this.same);
  }

  /** The highest source of the pair's role in the group; undefined if there is none. */
  holds(pair: Pair, group: string): Source | undefined {
    const places = this.#sources.get(pairKey(pair));
    if (places === undefined || this.own(group) === undefined) return undefined;
    for (const place of [...this.above(group), group]) {
      const source = places.get(place);
      if (source !== undefined) return source;
    }
    return undefined;
  }

  role(uid: string): SnapshotRole | undefined {
    return uid === accountRole ? { name: accountRole } : this.#roles.get(uid);
  }

  /** The name of the role for people, by {@link roleLabels}. */
  label(uid: string): string | undefined {
    return uid === accountRole ? accountRole : this.#labels.get(uid);
  }

  login(uid: string): Login | undefined {
    return this.#logins.get(uid);
  }

  /** The roles of the holder in any group. */
  rolesOf(who: string): readonly string[] {
    return this.#rolesOf.get(who) ?? [];
  }
}

/** The pair as a key. */
export function pairKey({ who, role }: Pair): string {
  return `${who}\n${role}`;
}

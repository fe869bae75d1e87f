import { isAtOrBelow, parentOf } from "../../provider/client/uid";
import { ancestorsOf } from "../../access/places";
import { bySeverity, type Severity } from "../../access/severity";
import type { ReportData, ReportFinding, ReportGrant, ReportGroup, ReportHolder } from "../report-data";

/** A row of the tree, which is a group, or an identity in a group. */
export interface Node {
  readonly uid: string;
  readonly name: string;
  readonly kind: "group" | "identity";
  readonly children: readonly Node[];
}

/** The data of a report, indexed for the page. */
export class Organization {
  readonly root: Node;
  readonly holders: ReadonlyMap<string, ReportHolder>;
  /** Groups by uid, in the order of the tree. */
  readonly groups: ReadonlyMap<string, ReportGroup>;
  readonly #granted: ReadonlyMap<string, readonly ReportGrant[]>;
  readonly #held: ReadonlyMap<string, readonly ReportGrant[]>;
  readonly #findings: ReadonlyMap<string, readonly ReportFinding[]>;
  readonly #worst = new Map<string, Severity>();

  constructor(readonly data: ReportData) {
    this.holders = new Map(data.holders.map((holder) => [holder.uid, holder]));
    const names = new Map(data.groups.map((group) => [group.uid, group]));
    const members = Map.groupBy([...data.groups, ...data.holders], ({ uid }) => parentOf(uid) ?? "");
    const ordered = new Map<string, ReportGroup>();
    const node = (uid: string, name: string): Node => {
      const group = names.get(uid);
      if (group === undefined) return { uid, name, kind: "identity", children: [] };
      ordered.set(uid, group);
      const children = [...(members.get(uid) ?? [])].sort((one, other) => byName(one.name, other.name));
      const [identities, groups] = [
        children.filter((child) => !names.has(child.uid)),
        children.filter(({ uid }) => names.has(uid)),
      ];
      return { uid, name, kind: "group", children: [...identities, ...groups].map((child) => node(child.uid, child.name)) };
    };
    this.root = node(data.root, names.get(data.root)?.name ?? data.title);
    this.groups = ordered;
    const grants = data.grants.toSorted(byWeight);
    this.#granted = Map.groupBy(grants, ({ place }) => place);
    this.#held = Map.groupBy(grants, ({ holder }) => holder);
    this.#findings = Map.groupBy(data.findings ?? [], (finding) => this.#shownAt(finding));
    for (const { uid, severity } of data.findings ?? [])
      for (const place of [...ancestorsOf(uid), uid])
        this.#worst.set(place, worstOf([severity, this.#worst.get(place) ?? severity]) ?? severity);
  }

  /** `acme/engineering/ci`. */
  pathOf(uid: string): string {
    const above = [...ancestorsOf(uid), uid].filter((each) => each !== this.data.root && isAtOrBelow(each, this.data.root));
    const isInside = isAtOrBelow(uid, this.data.root);
    if (!isInside) return this.data.above[uid] ?? this.holders.get(uid)?.name ?? uid;
    return [this.data.title, ...above.map((each) => this.nameOf(each))].join("/");
  }

  nameOf(uid: string): string {
    return this.groups.get(uid)?.name ?? this.holders.get(uid)?.name ?? uid;
  }

  roleName(uid: string): string {
    return this.data.roles[uid] ?? `role ${uid}`;
  }

  /** The grants in the group itself. */
  grantedIn(place: string): readonly ReportGrant[] {
    return this.#granted.get(place) ?? [];
  }

  /** The grants that hold in the group, whether granted there or above, the most powerful first. */
  holdingIn(at: string): ReportGrant[] {
    return [at, ...ancestorsOf(at).reverse()].flatMap((place) => this.grantedIn(place)).sort(byWeight);
  }

  /** The grants to the identity in any group. */
  heldBy(holder: string): readonly ReportGrant[] {
    return this.#held.get(holder) ?? [];
  }

  /** The number of groups below. */
  reachOf(place: string): number {
    return [...this.groups.keys()].filter((uid) => uid !== place && isAtOrBelow(uid, place)).length;
  }

  /** The differences of the object itself, or of the objects attached to it. */
  findingsOf(uid: string): readonly ReportFinding[] {
    return this.#findings.get(uid) ?? [];
  }

  /** The most severe difference in the object and below. */
  worstIn(uid: string): Severity | undefined {
    return this.#worst.get(uid);
  }

  /** The object in the tree at which a finding is shown. It is the object itself, or otherwise the group that contains it. */
  #shownAt({ uid }: ReportFinding): string {
    const isShown = this.groups.has(uid) || this.holders.has(uid);
    return isShown ? uid : (ancestorsOf(uid).findLast((place) => this.groups.has(place)) ?? this.data.root);
  }
}

/** Compares for sorting, the most powerful first. */
function byWeight(one: ReportGrant, other: ReportGrant): number {
  return bySeverity(one.severity, other.severity);
}

/** The most severe of them; undefined if there are none. */
export function worstOf(severities: readonly Severity[]): Severity | undefined {
  return [...severities].sort(bySeverity)[0];
}

/** `team-2` comes before `team-10`. */
export const byName = new Intl.Collator("en", { numeric: true }).compare;

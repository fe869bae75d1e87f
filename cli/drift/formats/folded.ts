import { ancestorsOf } from "../../../access/places";
import { bySeverity } from "../../../access/severity";
import { listedKinds } from "../../../inventory/kinds";
import type { Finding } from "../../../drift/finding";

/** A finding, with the unmanaged objects in it if it is unmanaged itself: a group, a repo, an identity provider. */
export interface Folded {
  readonly finding: Finding;
  /** Number of unmanaged objects below by kind. Empty: nothing is folded. */
  readonly counts: readonly (readonly [kind: string, count: number])[];
  /** What matters most below. */
  readonly worst: readonly Finding[];
}

/** Findings below an unmanaged object that are named in spite of it. */
const mostNamed = 3;

/** The findings, those below an unmanaged object as one with it, for people: a subtree made by hand is one thing to look at. */
export function fold(findings: readonly Finding[]): Folded[] {
  const holders = new Set(findings.filter(isHead).map(({ uid }) => uid));
  const tops = [...holders].filter((uid) => !ancestorsOf(uid).some((above) => holders.has(above)));
  const heads = new Map(tops.map((uid): [string, Finding[]] => [uid, []]));
  const alone = findings.filter((finding) => {
    const around = finding.class === "unmanaged" ? [...ancestorsOf(finding.uid), finding.uid] : [];
    const within = around.find((each) => heads.has(each));
    if (within === undefined || within === finding.uid) return true;
    heads.get(within)?.push(finding);
    return false;
  });
  const folded = alone.map((finding): Folded => {
    const below = isHead(finding) ? (heads.get(finding.uid) ?? []) : [];
    const byKind = Map.groupBy(below, ({ kind }) => kind);
    const worst = below.filter(({ severity }) => bySeverity(severity, "low") < 0).slice(0, mostNamed);
    const [most = finding] = [finding, ...below].sort((one, other) => bySeverity(one.severity, other.severity));
    return {
      finding: { ...finding, severity: most.severity },
      counts: [...byKind].map(([kind, all]) => [kind, all.length] as const).sort(),
      worst,
    };
  });
  return folded.sort((one, other) => bySeverity(one.finding.severity, other.finding.severity));
}

/** True for an unmanaged object that others can be in. What shares the uid of its group does not hold what is in the group. */
function isHead({ class: what, kind }: Finding): boolean {
  return what === "unmanaged" && listedKinds.get(kind)?.sharesUid !== true;
}

/** `3 iam:Group, 12 iam:RoleBinding`. */
export function countsInWords(counts: Folded["counts"]): string {
  return counts.map(([kind, count]) => `${count} ${kind}`).join(", ");
}

import { ancestorsOf } from "../../../access/places";
import { bySeverity } from "../../../access/severity";
import { listedKinds } from "../../../inventory/kinds";
import type { Finding } from "../../../drift/finding";

/** A finding. If it is an unmanaged group, repo or identity provider, the unmanaged objects in it are folded into it. */
export interface Folded {
  readonly finding: Finding;
  /** Number of folded objects below, by kind. Empty if none are folded. */
  readonly counts: readonly (readonly [kind: string, count: number])[];
  /** The most severe findings below. */
  readonly worst: readonly Finding[];
}

/** Maximum number of folded findings that are named nevertheless. */
const mostNamed = 3;

/**
 * Folds the findings below an unmanaged object into the finding for that object, so that people look at a subtree made by hand as one
 * thing.
 */
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

/** True for an unmanaged object that can contain others. An object with the uid of its group does not contain the objects in the group. */
function isHead({ class: what, kind }: Finding): boolean {
  return what === "unmanaged" && listedKinds.get(kind)?.sharesUid !== true;
}

/** `3 iam:Group, 12 iam:RoleBinding`. */
export function countsInWords(counts: Folded["counts"]): string {
  return counts.map(([kind, count]) => `${count} ${kind}`).join(", ");
}

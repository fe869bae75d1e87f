import type { ReportData, ReportFinding, ReportGrant, ReportGroup, ReportHolder } from "../../report/report-data";
import type { Severity } from "../../access/severity";

const roles = { viewer: "low", editor: "medium", owner: "critical" } as const satisfies Record<string, Severity>;
const names = Object.keys(roles) as (keyof typeof roles)[];

/** A made-up organisation: a tree of groups, ten below each, with an identity and a role for every few of them. */
export function sampleReport(size: { groups: number; identities: number; grants: number }): ReportData {
  const groups: ReportGroup[] = [{ uid: "root", name: "acme", description: "The whole company" }];
  for (let count = 1; count < size.groups; count++) {
    const parent = groups[Math.floor((count - 1) / 10)]?.uid ?? "root";
    groups.push({ uid: `${parent}/g${count}`, name: `team-${count}` });
  }
  const placed = (count: number) => groups[count % groups.length]?.uid ?? "root";
  const holders: ReportHolder[] = Array.from({ length: size.identities }, (_, count) => ({
    uid: `${placed(count * 7)}/i${count}`,
    kind: "identity",
    name: `ci-${count}`,
    login: `GitHub acme/service-${count}, branch main`,
  }));
  const grants: ReportGrant[] = Array.from({ length: size.grants }, (_, count) => {
    const role = names[count % names.length] ?? "viewer";
    const place = placed(count * 3);
    return { uid: `${place}/b${count}`, place, holder: holders[count % holders.length]?.uid ?? "", role, severity: roles[role] };
  });
  return {
    title: "acme",
    root: "root",
    readAt: "2026-01-02T03:04:05Z",
    groups,
    holders,
    identities: holders.length,
    roles: Object.fromEntries(names.map((name) => [name, name])),
    above: {},
    grants,
    findings: [finding("unmanaged", "critical", grants[2]), finding("changed", "low", grants[9])],
    unreadable: [],
  };
}

function finding(name: string, severity: Severity, grant: ReportGrant | undefined): ReportFinding {
  const uid = grant?.uid ?? "root";
  return { class: name, severity, kind: "iam:RoleBinding", uid, path: `binding ${uid}`, message: `${name} role binding ${uid}` };
}

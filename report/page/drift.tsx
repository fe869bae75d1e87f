import type { ReportFinding } from "../report-data";
import type { Organization } from "./organization";
import { Link, Table } from "./details";
import { Path, SeverityMark } from "./marks";

/** All differences from the declarations, the most severe first. */
export function Drift({ organization }: { readonly organization: Organization }) {
  const { findings, notes = [] } = organization.data;
  if (findings === undefined)
    return <p>This report was made without a state to compare with. Pass --stack, --state-of or --state-file to mark drift.</p>;
  const slight = findings.filter(({ severity }) => severity === "info");
  return (
    <>
      <Notes notes={notes} />
      <FindingTable
        organization={organization}
        rows={findings.filter(({ severity }) => severity !== "info")}
        empty={emptyText(findings, notes)}
      />
      {slight.length > 0 && (
        <details>
          <summary>{slight.length} of severity info</summary>
          <FindingTable organization={organization} rows={slight} empty="" />
        </details>
      )}
    </>
  );
}

/** @param findings all of severity info */
function emptyText(findings: readonly ReportFinding[], notes: readonly string[]): string {
  if (notes.length > 0) return "No drift in what was compared.";
  return findings.length > 0 ? "Nothing that matters more." : "No drift: the platform is as declared.";
}

function FindingTable({ organization, rows, empty }: FindingTableProps) {
  return (
    <Table
      rows={rows}
      head={["Severity", "Class", "Object", "What"]}
      empty={empty}
      cells={({ severity, class: name, kind, uid, path, message }) => [
        <SeverityMark key="severity" severity={severity} />,
        name,
        organization.groups.has(uid) || organization.holders.has(uid) ? (
          <Link key="object" uid={uid} text={path} />
        ) : (
          <Path key="object" text={`${kind} ${path}`} />
        ),
        <Path key="message" text={message} />,
      ]}
    />
  );
}

interface FindingTableProps {
  readonly organization: Organization;
  readonly rows: readonly ReportFinding[];
  readonly empty: string;
}

/** Notes on parts that were not compared. */
export function Notes({ notes = [] }: { readonly notes?: readonly string[] | undefined }) {
  if (notes.length === 0) return null;
  return (
    <ul aria-label="Notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

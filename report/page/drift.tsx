import type { Organization } from "./organization";
import { Link, Table } from "./details";
import { SeverityMark } from "./marks";

/** Everything that differs from the declarations, the worst first. */
export function Drift({ organization }: { readonly organization: Organization }) {
  const { findings, notes = [] } = organization.data;
  if (findings === undefined)
    return <p>This report was made without a state to compare with. Pass --stack or --state to mark drift.</p>;
  return (
    <>
      <Notes notes={notes} />
      <Table
        rows={findings}
        head={["Severity", "Class", "Object", "What"]}
        empty={notes.length === 0 ? "No drift: the platform is as declared." : "No drift in what was compared."}
        cells={({ severity, class: name, kind, uid, path, message }) => [
          <SeverityMark key="severity" severity={severity} />,
          name,
          organization.groups.has(uid) || organization.holders.has(uid) ? (
            <Link key="object" uid={uid} text={path} />
          ) : (
            `${kind} ${path}`
          ),
          message,
        ]}
      />
    </>
  );
}

/** What was not compared. */
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

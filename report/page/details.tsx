import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ReportGrant } from "../report-data";
import type { Organization } from "./organization";
import { Path, SeverityMark } from "./marks";

/** Maximum number of rows of a table until the reader asks for all. */
const FIRST_ROWS = 100;

/** The details of the selected group, identity or role. */
export function Details({ organization, selected }: { readonly organization: Organization; readonly selected: string }) {
  const group = organization.groups.get(selected);
  const holder = organization.holders.get(selected);
  if (group) return <GroupDetails organization={organization} uid={selected} description={group.description} />;
  if (holder) return <HolderDetails organization={organization} uid={selected} login={holder.login} />;
  return <RoleDetails organization={organization} uid={selected} />;
}

function GroupDetails({ organization, uid, description }: Subject & { readonly description: string | undefined }) {
  const grants = organization.holdingIn(uid);
  return (
    <>
      <h2>
        <Path text={organization.pathOf(uid)} />
      </h2>
      {description && <p>{description}</p>}
      <p class="uid">Group {uid}</p>
      <h3>Who has access here ({grants.length})</h3>
      <Table
        rows={grants}
        head={["Who", "Logs in as", "Role", "Granted in"]}
        empty="No one has a role here."
        cells={(grant) => [
          <Link key="who" uid={grant.holder} text={organization.pathOf(grant.holder)} />,
          organization.holders.get(grant.holder)?.login ?? "",
          <RoleName key="role" organization={organization} grant={grant} />,
          grant.place === uid ? "here" : <Link key="at" uid={grant.place} text={organization.pathOf(grant.place)} />,
        ]}
      />
      <Findings organization={organization} uid={uid} />
    </>
  );
}

function HolderDetails({ organization, uid, login }: Subject & { readonly login: string }) {
  const grants = organization.heldBy(uid);
  return (
    <>
      <h2>
        <Path text={organization.pathOf(uid)} />
      </h2>
      <p>{login}</p>
      <p class="uid">{uid}</p>
      <h3>What it can reach ({grants.length})</h3>
      <Table
        rows={grants}
        head={["Role", "In", "And groups below"]}
        empty="It has no role."
        cells={(grant) => [
          <RoleName key="role" organization={organization} grant={grant} />,
          <Link key="at" uid={grant.place} text={organization.pathOf(grant.place)} />,
          organization.reachOf(grant.place),
        ]}
      />
      <Findings organization={organization} uid={uid} />
    </>
  );
}

function RoleDetails({ organization, uid }: Subject) {
  const grants = organization.data.grants.filter(({ role }) => role === uid);
  return (
    <>
      <h2>Role {organization.roleName(uid)}</h2>
      <p class="uid">{uid}</p>
      <h3>Who has it ({grants.length})</h3>
      <Table
        rows={grants}
        head={["Who", "Logs in as", "In", "And groups below"]}
        empty="No one has it."
        cells={(grant) => [
          <Link key="who" uid={grant.holder} text={organization.pathOf(grant.holder)} />,
          organization.holders.get(grant.holder)?.login ?? "",
          <Link key="at" uid={grant.place} text={organization.pathOf(grant.place)} />,
          organization.reachOf(grant.place),
        ]}
      />
      <Findings organization={organization} uid={uid} />
    </>
  );
}

/** The differences between the object and its declaration. */
function Findings({ organization, uid }: Subject) {
  const findings = organization.findingsOf(uid);
  if (findings.length === 0) return null;
  return (
    <ul class="findings" aria-label="Drift">
      {findings.map(({ severity, class: name, message }) => (
        <li key={message}>
          <SeverityMark severity={severity} /> <strong>{name}</strong> {message}
        </li>
      ))}
    </ul>
  );
}

function RoleName({ organization, grant }: { readonly organization: Organization; readonly grant: ReportGrant }) {
  return (
    <>
      <Link uid={grant.role} text={organization.roleName(grant.role)} /> <SeverityMark severity={grant.severity} />
    </>
  );
}

/** A link to another object of the page. */
export function Link({ uid, text }: { readonly uid: string; readonly text: string }) {
  return (
    <a href={`#${encodeURIComponent(uid)}`}>
      <Path text={text} />
    </a>
  );
}

/** A table that starts with its first rows. */
export function Table<Row>({ rows, head, cells, empty }: TableProps<Row>) {
  const [isWhole, setWhole] = useState(false);
  if (rows.length === 0) return <p>{empty}</p>;
  const shown = isWhole ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={head.join(", ")}>
      <table>
        <thead>
          <tr>
            {head.map((text) => (
              <th key={text} scope="col">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            <tr key={index}>
              {cells(row).map((cell, column) => (
                <td key={column} data-head={head[column]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < rows.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {rows.length}
        </button>
      )}
    </div>
  );
}

interface Subject {
  readonly organization: Organization;
  readonly uid: string;
}

interface TableProps<Row> {
  readonly rows: readonly Row[];
  readonly head: readonly string[];
  readonly empty: string;
  readonly cells: (row: Row) => ComponentChildren[];
}

import { isAtOrBelow } from "../../provider/client/uid";
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { ReportGrant } from "../report-data";
import { press } from "./keys";
import { byName, worstOf, type Organization } from "./organization";
import { indices, useWindowed } from "./windowed";

const ROW_HEIGHT = 30;
const COLUMN_WIDTH = 150;
const HEAD_HEIGHT = 52;
const HEAD_WIDTH = 220;

/**
 * The roles of holders below one group, with a row for each identity, and a column for each group that grants roles. Groups in between have
 * the roles of the group above them.
 */
export function Matrix({ organization, place, onSelect }: Props) {
  const { columns, rows, cells } = useMemo(() => tabulate(organization, place), [organization, place]);
  const [active, setActive] = useState({ row: 0, column: 0 });
  const windowed = useWindowed({
    rowCount: rows.length,
    rowHeight: ROW_HEIGHT,
    headHeight: HEAD_HEIGHT,
    columnCount: columns.length,
    columnWidth: COLUMN_WIDTH,
    headWidth: HEAD_WIDTH,
  });
  const move = (row: number, column: number) => {
    const next = { row: clamp(row, rows.length), column: clamp(column, columns.length) };
    setActive(next);
    windowed.show(next.row, next.column);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { row, column } = active;
    const holder = rows[row];
    press(event, {
      ArrowDown: () => move(row + 1, column),
      ArrowUp: () => move(row - 1, column),
      ArrowRight: () => move(row, column + 1),
      ArrowLeft: () => move(row, column - 1),
      PageDown: () => move(row + 10, column),
      PageUp: () => move(row - 10, column),
      Home: () => move(event.ctrlKey ? 0 : row, 0),
      End: () => move(event.ctrlKey ? rows.length - 1 : row, columns.length - 1),
      Enter: () => {
        if (holder !== undefined) onSelect(holder);
      },
    });
  };
  if (rows.length === 0) return <p>No one has a role in {organization.pathOf(place)} or below.</p>;
  const shownColumns = indices(windowed.columns);
  return (
    <>
      <p>
        {organization.pathOf(place)} and below: {rows.length} who have a role, in {columns.length} groups. Roles in italics are
        inherited from a group above. A group without a column has what the group above it has.
      </p>
      <div
        class="matrix"
        role="grid"
        aria-label={`Access in ${organization.pathOf(place)} and below`}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        aria-activedescendant={`cell-${active.row}-${active.column}`}
        tabIndex={0}
        ref={windowed.ref}
        onScroll={windowed.onScroll}
        onKeyDown={onKeyDown}
      >
        <div
          role="rowgroup"
          style={{
            width: `${HEAD_WIDTH + columns.length * COLUMN_WIDTH}px`,
            height: `${HEAD_HEIGHT + rows.length * ROW_HEIGHT}px`,
          }}
        >
          <HeadRow organization={organization} columns={columns} shown={shownColumns} />
          {indices(windowed.rows).map((row) => {
            const holder = rows[row] ?? "";
            return (
              <HolderRow key={holder} organization={organization} holder={holder} row={row}>
                {shownColumns.map((column) => (
                  <Cell
                    key={column}
                    organization={organization}
                    grants={cells(holder, columns[column] ?? "")}
                    at={columns[column] ?? ""}
                    id={`cell-${row}-${column}`}
                    column={column}
                    isActive={row === active.row && column === active.column}
                  />
                ))}
              </HolderRow>
            );
          })}
        </div>
      </div>
    </>
  );
}

function HeadRow({ organization, columns, shown }: HeadRowProps) {
  return (
    <div role="row" aria-rowindex={1} class="matrix-head" style={{ height: `${HEAD_HEIGHT}px` }}>
      <div role="columnheader" aria-colindex={1} class="corner" style={{ width: `${HEAD_WIDTH}px` }}>
        Who
      </div>
      {shown.map((column) => {
        const uid = columns[column] ?? "";
        return (
          <div
            key={column}
            role="columnheader"
            aria-colindex={column + 2}
            class="column-head"
            title={organization.pathOf(uid)}
            style={{ left: `${HEAD_WIDTH + column * COLUMN_WIDTH}px`, width: `${COLUMN_WIDTH}px` }}
          >
            <a href={`#${encodeURIComponent(uid)}`} tabIndex={-1}>
              {organization.nameOf(uid)}
            </a>
          </div>
        );
      })}
    </div>
  );
}

function HolderRow({ organization, holder, row, children }: HolderRowProps) {
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      class="matrix-row"
      style={{ top: `${HEAD_HEIGHT + row * ROW_HEIGHT}px`, height: `${ROW_HEIGHT}px` }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        class="row-head"
        title={organization.pathOf(holder)}
        style={{ width: `${HEAD_WIDTH}px` }}
      >
        <a href={`#${encodeURIComponent(holder)}`} tabIndex={-1}>
          {organization.nameOf(holder)}
        </a>
      </div>
      {children}
    </div>
  );
}

function Cell({ organization, grants, at, id, column, isActive }: CellProps) {
  const names = [...new Set(grants.map(({ role }) => organization.roleName(role)))].join(", ");
  const isInherited = grants.every(({ place }) => place !== at);
  const severity = worstOf(grants.map((grant) => grant.severity));
  return (
    <div
      id={id}
      role="gridcell"
      aria-colindex={column + 2}
      title={names}
      class={`cell${isActive ? " active" : ""}${names === "" ? "" : ` ${severity ?? ""}`}${isInherited ? " inherited" : ""}`}
      style={{ left: `${HEAD_WIDTH + column * COLUMN_WIDTH}px`, width: `${COLUMN_WIDTH}px` }}
    >
      {names}
      {names !== "" && isInherited && <span class="hidden"> inherited</span>}
    </div>
  );
}

interface Props {
  readonly organization: Organization;
  /** Uid of the group. */
  readonly place: string;
  readonly onSelect: (uid: string) => void;
}

interface HeadRowProps {
  readonly organization: Organization;
  /** Uids of the groups. */
  readonly columns: readonly string[];
  /** Indices of the columns in view. */
  readonly shown: readonly number[];
}

interface HolderRowProps {
  readonly organization: Organization;
  readonly holder: string;
  readonly row: number;
  readonly children: ComponentChildren;
}

interface CellProps {
  readonly organization: Organization;
  readonly grants: readonly ReportGrant[];
  readonly at: string;
  readonly id: string;
  readonly column: number;
  readonly isActive: boolean;
}

interface Table {
  readonly columns: string[];
  readonly rows: string[];
  readonly cells: (holder: string, at: string) => ReportGrant[];
}

function tabulate(organization: Organization, place: string): Table {
  const columns = [...organization.groups.keys()].filter(
    (uid) => uid === place || (isAtOrBelow(uid, place) && organization.grantedIn(uid).length > 0),
  );
  const shown = columns.flatMap((uid) => (uid === place ? organization.holdingIn(uid) : organization.grantedIn(uid)));
  const byHolder = Map.groupBy(shown, ({ holder }) => holder);
  const rows = [...byHolder.keys()].sort((one, other) => byName(organization.nameOf(one), organization.nameOf(other)));
  return { columns, rows, cells: (holder, at) => (byHolder.get(holder) ?? []).filter((grant) => isAtOrBelow(at, grant.place)) };
}

function clamp(value: number, count: number): number {
  return Math.max(0, Math.min(count - 1, value));
}

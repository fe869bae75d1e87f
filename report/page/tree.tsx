import { useEffect, useMemo, useState } from "preact/hooks";
import { ancestorsOf } from "../../access/places";
import { press } from "./keys";
import { DriftMark } from "./marks";
import type { Organization } from "./organization";
import { type Row, visibleRows } from "./tree-rows";
import { indices, useWindowed } from "./windowed";

const ROW_HEIGHT = 28;

/** The organisation as a tree, with groups that open and close, and the identities in them. */
export function Tree({ organization, selected, onSelect }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set([organization.root.uid]));
  const [active, setActive] = useState(organization.root.uid);
  const rows = useMemo(() => visibleRows(organization.root, open), [organization, open]);
  const windowed = useWindowed({ rowCount: rows.length, rowHeight: ROW_HEIGHT });
  const at = Math.max(
    0,
    rows.findIndex(({ node }) => node.uid === active),
  );

  // An object selected elsewhere is shown here, so the groups around it open.
  useEffect(() => {
    if (selected === undefined) return;
    setOpen((before) => new Set([...before, ...ancestorsOf(selected)]));
    setActive(selected);
  }, [selected]);
  useEffect(() => windowed.show(at), [at]);

  const move = (index: number) => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (row) setActive(row.node.uid);
  };
  const toggle = (uid: string, isOpen: boolean) =>
    setOpen((before) => (isOpen ? new Set([...before, uid]) : new Set([...before].filter((each) => each !== uid))));
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at];
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const isOpen = open.has(row.node.uid) && row.node.children.length > 0;
    const isClosed = !isOpen && row.node.children.length > 0;
    const parent = rows.findLastIndex(({ level }, index) => index < at && level < row.level);
    press(event, {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at - 1),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      ArrowRight: () => {
        if (isClosed) toggle(row.node.uid, true);
        else if (isOpen) move(at + 1);
      },
      ArrowLeft: () => {
        if (isOpen) toggle(row.node.uid, false);
        else if (parent >= 0) move(parent);
      },
      Enter: () => onSelect(row.node.uid),
      " ": () => onSelect(row.node.uid),
    });
  };
  const openAll = () => setOpen(new Set(organization.groups.keys()));
  const closeAll = () => {
    setOpen(new Set());
    setActive(organization.root.uid);
  };

  return (
    <>
      <div class="tree-buttons">
        <button type="button" onClick={openAll}>
          Open all
        </button>
        <button type="button" onClick={closeAll}>
          Close all
        </button>
      </div>
      <div
        class="tree"
        role="tree"
        aria-label="Groups and identities"
        tabIndex={0}
        aria-activedescendant={`tree-${at}`}
        ref={windowed.ref}
        onScroll={windowed.onScroll}
        onKeyDown={onKeyDown}
      >
        <div role="none" style={{ height: `${rows.length * ROW_HEIGHT}px` }}>
          {indices(windowed.rows).map((index) => {
            const row = rows[index];
            return (
              row && (
                <TreeRow
                  key={row.node.uid}
                  row={row}
                  index={index}
                  organization={organization}
                  isOpen={open.has(row.node.uid)}
                  isActive={index === at}
                  isSelected={row.node.uid === selected}
                  onToggle={toggle}
                  onSelect={onSelect}
                />
              )
            );
          })}
        </div>
      </div>
    </>
  );
}

interface Props {
  readonly organization: Organization;
  readonly selected: string | undefined;
  readonly onSelect: (uid: string) => void;
}

interface RowProps {
  readonly row: Row;
  readonly index: number;
  readonly organization: Organization;
  readonly isOpen: boolean;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onToggle: (uid: string, isOpen: boolean) => void;
  readonly onSelect: (uid: string) => void;
}

function TreeRow({ row, index, organization, isOpen, isActive, isSelected, onToggle, onSelect }: RowProps) {
  const { node, level, position, siblings } = row;
  const canOpen = node.children.length > 0;
  const severity = organization.worstIn(node.uid);
  return (
    <div
      id={`tree-${index}`}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={isSelected}
      {...(canOpen && { "aria-expanded": isOpen })}
      class={`tree-row${isActive ? " active" : ""}`}
      style={{ top: `${index * ROW_HEIGHT}px`, paddingInlineStart: `${(level - 1) * 18 + 4}px` }}
      onClick={() => onSelect(node.uid)}
    >
      <span
        class="twist"
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          if (canOpen) onToggle(node.uid, !isOpen);
        }}
      >
        {canOpen ? (isOpen ? "▾" : "▸") : ""}
      </span>
      <span class={`icon ${node.kind}`} aria-hidden="true" />
      <span class="tree-name">{node.name}</span>
      <span class="hidden">{node.kind}</span>
      {severity && <DriftMark severity={severity} />}
    </div>
  );
}

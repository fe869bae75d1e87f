import { useMemo, useState } from "preact/hooks";
import { press } from "./keys";
import type { Organization } from "./organization";

/** Maximum number of listed results. Of the others, only the number is shown. */
const LISTED = 50;

interface Entry {
  readonly uid: string;
  /** `group`, `role`, or the kind of a holder. */
  readonly kind: string;
  readonly title: string;
  readonly detail: string;
  /** The text that is searched. */
  readonly text: string;
}

/** Finds groups, identities (also by their login) and roles. A chosen result shows who can reach it, or what it can reach. */
export function Search({ organization, onSelect }: Props) {
  const entries = useMemo(() => entriesOf(organization), [organization]);
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? [] : entries.filter(({ text }) => words.every((word) => text.includes(word)));
  const listed = found.slice(0, LISTED);
  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    setQuery("");
    onSelect(entry.uid);
  };
  const onKeyDown = (event: KeyboardEvent) =>
    press(event, {
      ArrowDown: () => setAt(Math.min(listed.length - 1, at + 1)),
      ArrowUp: () => setAt(Math.max(0, at - 1)),
      Enter: () => choose(listed[at]),
      Escape: () => setQuery(""),
    });
  return (
    <div class="search" role="search">
      <label for="search">Who can reach what</label>
      <input
        id="search"
        type="text"
        role="combobox"
        autocomplete="off"
        placeholder="an identity, a login, a group or a role"
        aria-expanded={listed.length > 0}
        aria-controls="found"
        aria-autocomplete="list"
        {...(listed.length > 0 && { "aria-activedescendant": `found-${at}` })}
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="found" role="listbox" aria-label="Found" class={listed.length > 0 ? "found" : "hidden"}>
        {listed.map((entry, index) => (
          <div
            key={entry.uid}
            id={`found-${index}`}
            role="option"
            aria-selected={index === at}
            onMouseDown={(event) => {
              event.preventDefault();
              choose(entry);
            }}
          >
            <span class="found-kind">{entry.kind}</span> {entry.title} <small>{entry.detail}</small>
          </div>
        ))}
      </div>
      <p class="found-count" role="status">
        {words.length > 0 && countOf(found.length)}
      </p>
    </div>
  );
}

interface Props {
  readonly organization: Organization;
  readonly onSelect: (uid: string) => void;
}

function countOf(found: number): string {
  if (found === 0) return "Nothing found";
  return found > LISTED ? `${found} found, ${LISTED} listed` : `${found} found`;
}

function entriesOf(organization: Organization): Entry[] {
  const entry = (kind: Entry["kind"], uid: string, title: string, detail: string): Entry => ({
    uid,
    kind,
    title,
    detail,
    text: `${kind} ${title} ${detail} ${uid}`.toLowerCase(),
  });
  return [
    ...[...organization.groups.keys()].map((uid) => entry("group", uid, organization.pathOf(uid), "")),
    ...[...organization.holders.values()].map(({ uid, kind, login }) => entry(kind, uid, organization.pathOf(uid), login)),
    ...Object.entries(organization.data.roles).map(([uid, name]) => entry("role", uid, name, "")),
  ];
}

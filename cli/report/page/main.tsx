import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ReportData } from "../report-data";
import { Details } from "./details";
import { Drift } from "./drift";
import { Matrix } from "./matrix";
import { Organization } from "./organization";
import { printWhole } from "./print";
import { Search } from "./search";
import { ThemeButton } from "./theme";
import { Tree } from "./tree";
import "./style.css";

const views = ["Details", "Matrix", "Drift"] as const;
type View = (typeof views)[number];

function Page({ organization }: { readonly organization: Organization }) {
  const { data } = organization;
  const [view, setView] = useState<View>("Details");
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = () => {
      setHash(location.hash);
    };
    addEventListener("hashchange", onChange);
    return () => {
      removeEventListener("hashchange", onChange);
    };
  }, []);
  const selected = selectionOf(organization, hash);
  const place = organization.groups.has(selected) ? selected : data.root;
  const select = (uid: string) => {
    location.hash = encodeURIComponent(uid);
    setView((before) => (before === "Drift" ? "Details" : before));
  };
  const onTabKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = views[(views.indexOf(view) + step + views.length) % views.length] ?? view;
    setView(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <>
      <header>
        <h1>Access in {data.title}</h1>
        <p>
          {organization.groups.size} groups, {organization.holders.size} identities, {data.grants.length} grants. Read at{" "}
          <time dateTime={data.readAt}>{data.readAt}</time>.
        </p>
        <Search
          organization={organization}
          onSelect={(uid) => {
            select(uid);
            setView("Details");
          }}
        />
        <ThemeButton />
      </header>
      {data.unreadable.length > 0 && (
        <section class="warning" aria-label="Incomplete">
          <strong>Incomplete: these could not be read.</strong>
          <ul>
            {data.unreadable.map(({ what, reason }) => (
              <li key={what}>
                {what}: {reason}
              </li>
            ))}
          </ul>
        </section>
      )}
      <nav aria-label="Organisation">
        <Tree organization={organization} selected={selected} onSelect={select} />
      </nav>
      <main>
        <div role="tablist" aria-label="Views" onKeyDown={onTabKey}>
          {views.map((name) => (
            <button
              key={name}
              id={`tab-${name}`}
              type="button"
              role="tab"
              aria-selected={name === view}
              aria-controls="view"
              tabIndex={name === view ? 0 : -1}
              onClick={() => {
                setView(name);
              }}
            >
              {name}
              {name === "Drift" && data.findings ? ` (${data.findings.length})` : ""}
            </button>
          ))}
        </div>
        <div id="view" role="tabpanel" aria-labelledby={`tab-${view}`} tabIndex={-1}>
          {view === "Details" && <Details key={selected} organization={organization} selected={selected} />}
          {view === "Matrix" && <Matrix key={place} organization={organization} place={place} onSelect={select} />}
          {view === "Drift" && <Drift organization={organization} />}
        </div>
      </main>
    </>
  );
}

/** What the address of the page names, if it is here; else the root. */
function selectionOf({ data, groups, holders }: Organization, hash: string): string {
  try {
    const uid = decodeURIComponent(hash.slice(1));
    return groups.has(uid) || holders.has(uid) || Object.hasOwn(data.roles, uid) ? uid : data.root;
  } catch {
    return data.root;
  }
}

const organization = new Organization(JSON.parse(document.getElementById("data")?.textContent ?? "") as ReportData);
const [page, paper] = ["page", "paper"].map((id) => document.getElementById(id));
if (page && paper) {
  render(<Page organization={organization} />, page);
  printWhole(organization, paper);
}

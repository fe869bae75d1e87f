import { render } from "preact";
import { useState } from "preact/hooks";
import type { ReportData } from "../report-data";
import { Details } from "./details";
import { Drift } from "./drift";
import { Path } from "./marks";
import { Matrix } from "./matrix";
import { Organization } from "./organization";
import { printWhole } from "./print";
import { Search } from "./search";
import { useSelection } from "./selection";
import { Tabs, type View } from "./tabs";
import { ThemeButton } from "./theme";
import { Tree } from "./tree";
import "./style.css";

function Page({ organization }: { readonly organization: Organization }) {
  const { data } = organization;
  const [view, setView] = useState<View>("Details");
  const selected = useSelection(organization);
  const place = organization.groups.has(selected) ? selected : data.root;
  const select = (uid: string) => {
    location.hash = encodeURIComponent(uid);
    setView((before) => (before === "Drift" ? "Details" : before));
  };
  return (
    <>
      <header>
        <h1>
          Access in <Path text={data.title} />
        </h1>
        <p>
          {organization.groups.size} groups, {data.identities} identities, {data.grants.length} grants. Read at{" "}
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
      <Incomplete data={data} />
      <nav aria-label="Organisation">
        <Tree organization={organization} selected={selected} onSelect={select} />
      </nav>
      <main>
        <Tabs view={view} counts={{ Drift: data.findings?.length }} onView={setView} />
        <div id="view" role="tabpanel" aria-labelledby={`tab-${view}`} tabIndex={-1}>
          {view === "Details" && <Details key={selected} organization={organization} selected={selected} />}
          {view === "Matrix" && <Matrix key={place} organization={organization} place={place} onSelect={select} />}
          {view === "Drift" && <Drift organization={organization} />}
        </div>
      </main>
    </>
  );
}

/** The gaps of the page, both the unreadable parts and the parts accepted by an owner. */
function Incomplete({ data: { unreadable, gaps = [] } }: { readonly data: ReportData }) {
  if (unreadable.length + gaps.length === 0) return null;
  return (
    <section class={unreadable.length > 0 ? "missing warning" : "missing"} aria-label="Incomplete">
      {unreadable.length > 0 && <strong>Incomplete: these could not be read.</strong>}
      <ul>
        {[...unreadable.map(({ what, reason }) => `${what}: ${reason}`), ...gaps].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}

const organization = new Organization(JSON.parse(document.getElementById("data")?.textContent ?? "") as ReportData);
const [page, paper] = ["page", "paper"].map((id) => document.getElementById(id));
if (page && paper) {
  render(<Page organization={organization} />, page);
  printWhole(organization, paper);
}

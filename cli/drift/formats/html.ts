import type { DriftDocument } from "../../documents/drift";
import { escaped } from "../../text/escaped";
import { countsInWords, fold, type Folded } from "./folded";
import { conclusion, newFindings } from "./shared";

const style = `
:root { color-scheme: light dark; font: 1rem/1.4 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid #8886; overflow-wrap: break-word; }
small { overflow-wrap: anywhere; } summary { cursor: pointer; }
.critical { color: #c00; font-weight: 700; } .high { color: #c30; } .medium { color: #960; }
@media (max-width: 40rem) {
  body { margin-top: 1rem; } thead { display: none; } table, tbody, tr, td { display: block; }
  tr { border: 1px solid #8886; border-radius: 6px; margin: .6rem 0; padding: .2rem 0; } td { border: 0; padding: .1rem .6rem; }
  td::before { content: attr(data-head) ": "; opacity: .7; } td:empty { display: none; }
}
@media (prefers-color-scheme: dark) { .critical, .high { color: #f87; } .medium { color: #fc6; } }
`;

/** A single page that loads nothing. */
export function html(drift: DriftDocument): string {
  const folded = fold(newFindings(drift));
  const slight = folded.filter(({ finding }) => finding.severity === "info");
  const title = `Drift of ${drift.root.path ?? drift.root.uid}`;
  const notes = drift.notes.map((note) => `<li>${escaped(note)}</li>`).join("");
  const coverage = drift.coverage.map(({ kind, managed, unmanaged, unreadable }) =>
    [kind, managed, unmanaged, unreadable].map((value) => escaped(String(value))),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<p>${escaped(conclusion(drift))}</p>
${notes === "" ? "" : `<ul>${notes}</ul>`}
${findingTable(folded.filter(({ finding }) => finding.severity !== "info"))}
${slight.length === 0 ? "" : `<details><summary>${slight.length} of severity info</summary>${findingTable(slight)}</details>`}
<h2>Coverage</h2>
${table(["Kind", "Managed", "Unmanaged", "Unreadable"], coverage)}
</body>
</html>
`;
}

function findingTable(findings: readonly Folded[]): string {
  return findings.length === 0 ? "" : table(["Severity", "Class", "Kind", "Where", "What"], findings.map(cellsOf));
}

function cellsOf({ finding, counts, worst }: Folded): string[] {
  const { severity, class: what, kind, path, uid, message, urn } = finding;
  const where = `${escaped(path)}<br><small>${escaped(uid)}${urn === undefined ? "" : `<br>${escaped(urn)}`}</small>`;
  const below =
    counts.length === 0 ? [] : [`With what is in it: ${countsInWords(counts)}.`, ...worst.map((each) => each.message)];
  return [
    `<span class="${severity}">${severity}</span>`,
    escaped(what),
    escaped(kind),
    where,
    [message, ...below].map(escaped).join("<br>"),
  ];
}

/** @param rows cells as HTML. On a narrow screen each row is a card, with the heads beside the cells */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((each) => `<th scope="col">${each}</th>`).join("");
  const row = (cells: readonly string[]) =>
    `<tr>${cells.map((cell, column) => `<td data-head="${heads[column] ?? ""}">${cell}</td>`).join("")}</tr>`;
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${rows.map(row).join("\n")}\n</tbody></table>`;
}

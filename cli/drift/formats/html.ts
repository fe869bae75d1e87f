import type { Finding } from "../../../drift/finding";
import type { DriftDocument } from "../../documents/drift";
import { escaped } from "../../text/escaped";
import { conclusion, newFindings } from "./shared";

const style = `
:root { color-scheme: light dark; font: 1rem/1.4 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid #8886; overflow-wrap: anywhere; }
.critical { color: #c00; font-weight: 700; } .high { color: #c30; } .medium { color: #960; }
@media (prefers-color-scheme: dark) { .critical, .high { color: #f87; } .medium { color: #fc6; } }
`;

/** One page without anything to load. */
export function html(drift: DriftDocument): string {
  const findings = newFindings(drift);
  const title = `Drift of ${drift.root.path ?? drift.root.uid}`;
  const notes = drift.notes.map((note) => `<li>${escaped(note)}</li>`).join("");
  const coverage = drift.coverage.map(({ kind, managed, unmanaged, unreadable }) =>
    cells([kind, managed, unmanaged, unreadable]),
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
${findings.length === 0 ? "" : table(["Severity", "Class", "Kind", "Where", "What"], findings.map(rowOf))}
<h2>Coverage</h2>
${table(["Kind", "Managed", "Unmanaged", "Unreadable"], coverage)}
</body>
</html>
`;
}

function rowOf({ severity, class: what, kind, path, uid, message, urn }: Finding): string {
  const where = `${escaped(path)}<br><small>${escaped(uid)}${urn === undefined ? "" : `<br>${escaped(urn)}`}</small>`;
  const own = [what, kind].map((each) => `<td>${escaped(each)}</td>`).join("");
  return `<tr><td class="${severity}">${severity}</td>${own}<td>${where}</td><td>${escaped(message)}</td></tr>`;
}

function cells(values: readonly (string | number)[]): string {
  return `<tr>${values.map((value) => `<td>${escaped(String(value))}</td>`).join("")}</tr>`;
}

function table(heads: readonly string[], rows: readonly string[]): string {
  const head = heads.map((each) => `<th scope="col">${each}</th>`).join("");
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${rows.join("\n")}\n</tbody></table>`;
}

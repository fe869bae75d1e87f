import { markdownCode, markdownText } from "../../text/markdown";
import type { DriftDocument } from "../../documents/drift";
import { countsInWords, fold, type Folded } from "./folded";
import { conclusion, countsBySeverity, newFindings } from "./shared";

/** Limits the number of findings, because comments of issues and pull requests have a limited length. */
const most = 100;

/** Markdown for issues and pull requests. */
export function markdown(drift: DriftDocument): string {
  const folded = fold(newFindings(drift));
  const rest = folded.slice(most).map(({ finding }) => finding);
  const table =
    folded.length === 0
      ? []
      : [["| severity | class | where | what |", "| --- | --- | --- | --- |", ...folded.slice(0, most).map(row)].join("\n")];
  const more = rest.length === 0 ? [] : [markdownText(`and ${rest.length} more: ${countsBySeverity(rest)}`)];
  const notes = drift.notes.map((note) => `- ${markdownText(note)}`).join("\n");
  const coverage = [
    ["| kind | managed | unmanaged | unreadable |", "| --- | --- | --- | --- |"],
    drift.coverage.map((row) => `| ${markdownCode(row.kind)} | ${row.managed} | ${row.unmanaged} | ${row.unreadable} |`),
  ].flat();
  const details = `<details><summary>Coverage</summary>\n\n${coverage.join("\n")}\n\n</details>`;
  const title = `## Drift of ${markdownText(drift.root.path ?? drift.root.uid)}`;
  return `${[title, markdownText(conclusion(drift)), ...table, ...more, ...(notes === "" ? [] : [notes]), details].join("\n\n")}\n`;
}

function row({ finding, counts, worst }: Folded): string {
  const below =
    counts.length === 0 ? [] : [`With what is in it: ${countsInWords(counts)}.`, ...worst.map(({ message }) => message)];
  const what = [finding.message, ...below].map(markdownText).join("<br>");
  return `| ${finding.severity} | ${finding.class} | ${markdownCode(finding.path)} | ${what} |`;
}

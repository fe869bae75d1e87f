import type { DriftDocument } from "../../documents/drift";
import { oneLine } from "../../text/one-line";
import { severityText } from "../../text/severity-text";
import { countsInWords, fold, type Folded } from "./folded";
import { conclusion, countsBySeverity, newFindings } from "./shared";

/** Maximum number of lines, so that the start stays on the screen. */
const most = 50;

/** The most severe findings for a terminal, and the number of the others. */
export function text(drift: DriftDocument): string {
  const folded = fold(newFindings(drift));
  const rest = folded.slice(most).map(({ finding }) => finding);
  const more = `... and ${rest.length} more: ${countsBySeverity(rest)}. --json has all of them.`;
  return [...folded.slice(0, most).map(lines), ...(rest.length > 0 ? [more] : []), conclusion(drift)].join("\n\n") + "\n";
}

function lines({ finding, counts, worst }: Folded): string {
  const { severity, kind, path, uid, message, urn } = finding;
  const head = [severityText(severity), finding.class.padEnd(10), kind, oneLine(path)].join("  ");
  const below = counts.length === 0 ? [] : [`With what is in it: ${countsInWords(counts)}.`];
  const named = worst.map((each) => `${each.severity}: ${each.message}`);
  const where = [uid, ...(urn === undefined ? [] : [urn])].join("  ");
  return [head, ...[message, ...below, ...named, where].map((line) => `          ${oneLine(line)}`)].join("\n");
}

import type { Markup } from "../../access/prose/sentence";
import { markdownCode, markdownText } from "../text/markdown";
import type { Review } from "./review";
import { rightsText } from "./rights-text";
import { isMove, type Row } from "./rows";
import { assumedText, boundsText, effectOf, rowSentence, split, titleOf } from "./summary";
import { renameText } from "./text";

/** Most changes before the fold. */
const mostOpen = 10;
/** Most changes in the fold: comments of GitHub hold 65,536 characters. */
const mostFolded = 150;
/** Most lines of another list. */
const mostListed = 50;
/** Most lines of a list that `--fail-on` needs to decide. */
const mostDecisive = 150;

const markup: Markup = { name: markdownCode, words: markdownText };

const signs = { gain: "➕", loss: "➖", move: "🔀" } as const;

const marks = { critical: "🔴", high: "🟠", medium: "🟡", low: "🟢", info: "⚪" } as const;

/** The review as a comment on a pull request. The worst changes come first, the others in a fold. @param title its heading */
export function reviewMarkdown(review: Review, title = "Access review"): string {
  const { changes, renames, unknown, undecided, warnings, errors } = review;
  const { shown, covered } = split(changes);
  const rights = rightsText(review);
  const line = (row: Row) =>
    `| ${marks[row.severity]} ${row.severity} | ${signs[effectOf(row)]} | ${rowSentence(row, covered, markup)} |`;
  const table = (rows: readonly Row[]) => ["| severity | | change |", "| --- | --- | --- |", ...rows.map(line), ""];
  const [open, folded] = [shown.slice(0, mostOpen), [...shown.slice(mostOpen), ...covered]];
  const notes = [assumedText(review), boundsText(review)].filter((text) => text !== undefined);
  const details = [
    ...(folded.length === 0 ? [] : ["**More changes**", "", ...table(folded.slice(0, mostFolded))]),
    ...(folded.length > mostFolded ? [`and ${folded.length - mostFolded} more: \`--json\` lists all`, ""] : []),
    ...list("Same objects, with another name or place", renames.map(renameText)),
    ...list(markdownText(rights.title), rights.others),
    ...list("Not known", lines(unknown), undecided.length),
    ...(shown.length === 0 ? [] : ["**Resources**", "", ...resourcesOf(shown).map((each) => `- ${markdownCode(each)}`), ""]),
  ];
  return [
    `### ${title}`,
    "",
    changes.length === 0 ? titleOf(review) : `**${titleOf(review)}**`,
    "",
    ...(errors.length === 0 ? [] : ["> [!CAUTION]", "> The preview failed, so this review is incomplete.", ""]),
    ...(open.length === 0 ? [] : table(open)),
    ...list("The preview failed", errors),
    ...list(
      "Warnings",
      warnings.map(({ message }) => message),
    ),
    ...list(markdownText(rights.title), rights.refused),
    ...notes.flatMap((text) => [markdownText(text), ""]),
    ...(details.length === 0 ? [] : ["<details><summary>Details</summary>", "", ...details, "</details>", ""]),
  ].join("\n");
}

function resourcesOf(rows: readonly Row[]): string[] {
  const changes = rows.flatMap((row) => (isMove(row) ? [row.gain, row.loss] : [row]));
  return [...new Set(changes.flatMap(({ urn }) => (urn === undefined ? [] : [urn.split("::").slice(-2).join(" ")])))].slice(
    0,
    50,
  );
}

/** @param decisive the number of leading lines that decide, of which more are listed */
function list(title: string, lines: readonly string[], decisive = 0): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, Math.max(mostListed, Math.min(decisive, mostDecisive)));
  const rest = lines.length - shown.length;
  return [
    `**${title}**`,
    "",
    ...shown.map((line) => `- ${markdownText(line)}`),
    ...(rest > 0 ? [`- and ${rest} more: \`--json\` lists all`] : []),
    "",
  ];
}

function lines(unreadable: Review["unknown"]): string[] {
  return unreadable.map(({ what, reason }) => `${what}: ${reason}`);
}

import { nameInWords } from "../../access/values";
import { printable } from "../../provider/client/printable";
import { oneLine } from "../text/one-line";
import { severityText } from "../text/severity-text";
import type { Review } from "./review";
import type { ReviewedChange } from "./reviewed-changes";
import { rightsText } from "./rights-text";
import type { Row } from "./rows";
import { assumedText, boundsText, effectOf, rowSentence, split, titleOf } from "./summary";

/** Most changes that a terminal shows. The JSON document lists all. */
const mostShown = 50;

const signs = { gain: "+", loss: "-", move: "~" } as const;

/** The review for a terminal: a line for each change, the worst first. */
export function reviewText(review: Review): string {
  const { changes, renames, unknown, warnings } = review;
  const { shown, covered } = split(changes);
  const rights = rightsText(review);
  const line = (row: Row) => `${severityText(row.severity)}  ${signs[effectOf(row)]} ${oneLine(rowSentence(row, covered))}`;
  const more = shown.length - mostShown;
  return [
    titleOf(review),
    ...(shown.length === 0 ? [] : ["", ...shown.slice(0, mostShown).map(line)]),
    ...(more > 0 ? [`and ${more} more, none worse: --json lists all`] : []),
    ...section("No effective change:", covered.length === 0 ? [] : [coveredText(covered)]),
    ...section("Same objects, with another name or place:", renames.map(renameText)),
    ...section(
      "Warnings:",
      warnings.map(({ message }) => message),
    ),
    ...section(`${rights.title}:`, [...rights.refused, ...rights.others]),
    ...section(
      "Not known:",
      unknown.map(({ what, reason }) => `${what}: ${reason}`),
    ),
    ...[assumedText(review), boundsText(review)].flatMap((text) => (text === undefined ? [] : ["", text])),
  ].join("\n");
}

function coveredText(covered: readonly ReviewedChange[]): string {
  const changes = covered.length === 1 ? "1 change" : `${covered.length} changes`;
  return `${changes} of roles: other roles of the same holder allow as much. --json lists them`;
}

/** A rename in words. */
export function renameText({ kind, how, before, after }: Review["renames"][number]): string {
  const noun = kind === "identityProvider" ? "identity provider" : kind;
  return `${noun} ${nameInWords(before)} is ${how === "renamed" ? "renamed to" : "moved to"} ${nameInWords(after)}`;
}

/** A section. Line feeds in names are indented, so they cannot forge lines of the review. */
function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", title, ...lines.map((line) => `- ${printable(line).replaceAll("\n", "\n  ")}`)];
}

import { kindNamed } from "../../inventory/kinds";
import { parentOf } from "../../provider/client/uid";
import { printable } from "../../provider/client/printable";
import { type Call, callsIn } from "../../rehearse/calls";
import { Names } from "../../rehearse/ledger";
import { printDocument } from "../documents/document";
import type { RehearseDocument } from "../documents/rehearse";
import { reviewDocumentOf } from "../review/document";
import { reviewMarkdown } from "../review/markdown";
import { reviewText } from "../review/text";
import { markdownText } from "../text/markdown";
import { type Compared, documentOf, isOther, linesOf, sameText, titleOf } from "./like";
import type { Rehearsal } from "./rehearsal";

/** A rehearsal to show, with the files that `--save` and `--like` name. */
export type Shown = Rehearsal & {
  readonly ledger?: { readonly file: string; readonly isSaved: boolean };
  readonly like?: Compared | undefined;
};

/** The form of the result. */
export type Format = "text" | "markdown" | "json";

/** Most calls that a terminal shows. The JSON document lists all. */
const mostShown = 50;

/** Prints a rehearsal as the result of the command. */
export function printRehearsal(shown: Shown, format: Format): void {
  if (format === "json") printDocument<RehearseDocument>(rehearsalDocument(shown));
  else process.stdout.write(`${format === "markdown" ? rehearsalMarkdown(shown) : rehearsalText(shown)}\n`);
}

/** The rehearsal for a terminal: what a review says, then how the update ends, and its calls. */
export function rehearsalText(shown: Shown): string {
  const { failure, calls, notes, like } = partsOf(shown);
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", title, ...lines.map((line) => `- ${printable(line).replaceAll("\n", "\n  ")}`)];
  const more = calls.length - mostShown;
  return [
    reviewText({ ...shown.review, errors: [] }),
    ...list(like.title, like.lines),
    ...list(failure.title, failure.errors),
    ...list(callsTitle(calls), calls.slice(0, mostShown)),
    ...(more > 0 ? [`and ${more} more: --json lists all`] : []),
    "",
    ...notes,
  ].join("\n");
}

/** The rehearsal as a comment on a pull request. */
export function rehearsalMarkdown(shown: Shown): string {
  const { failure, calls, notes, like } = partsOf(shown);
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`**${title}**\n\n${lines.map((line) => `- ${markdownText(line)}`).join("\n")}`];
  const more = calls.length - mostShown;
  const listed = [...calls.slice(0, mostShown), ...(more > 0 ? [`and ${more} more`] : [])];
  return [
    // The approver must see it first. Its title has texts of the file.
    ...list(markdownText(like.title), like.lines),
    reviewMarkdown({ ...shown.review, errors: [] }, "Rehearsed on a copy"),
    ...list(failure.title, failure.errors),
    ...(calls.length === 0
      ? []
      : [
          `<details><summary>${callsTitle(calls).replace(/:$/, "")}</summary>\n\n${listed.map((line) => `- ${markdownText(line)}`).join("\n")}\n\n</details>`,
        ]),
    notes.map(markdownText).join(" "),
  ].join("\n\n");
}

/** The rehearsal as a document for programs. */
export function rehearsalDocument(shown: Shown): Omit<RehearseDocument, "version"> {
  const { review, outcome, command, ledger, like } = shown;
  return {
    ...reviewDocumentOf(review),
    rehearsal: {
      command,
      exitCode: outcome.code,
      isSandboxed: outcome.isSandboxed,
      calls: placed(shown).map(({ call: { verb, kind, isDone }, at }) => ({ verb, kind, at, isDone })),
      ...(ledger?.isSaved === true && { ledger: ledger.file }),
      ...(like !== undefined && { like: documentOf(like) }),
    },
  };
}

function partsOf(shown: Shown) {
  const { review, command } = shown;
  const calls = placed(shown);
  const changed = calls.filter(({ call }) => call.isDone).length;
  const title =
    changed === 0
      ? `\`${command}\` will fail. The rehearsal changed nothing before that:`
      : `\`${command}\` will fail half-way. The rehearsal made the changes above before that:`;
  return {
    failure: { title, errors: review.errors },
    calls: calls.map(callText),
    notes: notesOf(shown),
    like: {
      title: shown.like === undefined ? "" : titleOf(shown.like),
      lines: shown.like === undefined ? [] : linesOf(shown.like),
    },
  };
}

function callsTitle(calls: readonly string[]): string {
  return `${calls.length} ${calls.length === 1 ? "call" : "calls"} of the update:`;
}

function callText({ call, at, place }: Placed): string {
  // A role binding has no name, and its uid tells a reader nothing.
  const isUnnamed = call.verb !== "create" && at === call.uid && place !== undefined;
  const where = isUnnamed ? `in ${place}` : call.verb === "create" ? `in ${at}` : at;
  return `${call.verb} ${kindNamed(call.kind).collection.noun} ${where}${call.isDone ? "" : " (refused)"}`;
}

/** A call, and where it is. */
interface Placed {
  readonly call: Call;
  /** The path of its parent for a create, otherwise of its object; a uid if the path is not known. */
  readonly at: string;
  /** The path of the group around its object, if there is one. */
  readonly place: string | undefined;
}

function placed({ requests, before, after }: Shown): Placed[] {
  const names = new Names(before, after);
  return callsIn(requests).map((call) => {
    const parent = parentOf(call.uid);
    return { call, at: names.reference(call.uid), place: parent && names.reference(parent) };
  });
}

function notesOf({ outcome, ledger, like }: Shown): string[] {
  return [
    "Rehearsed on a copy. A program can tell, and may do something else in the real update.",
    ...(outcome.isSandboxed ? [] : ["The program ran without a sandbox, so it could reach the network."]),
    ...(like === undefined || isOther(like) ? [] : [sameText(like)]),
    ...(ledger === undefined ? [] : [savedText(ledger)]),
  ];
}

function savedText({ file, isSaved }: NonNullable<Shown["ledger"]>): string {
  if (isSaved) return `The calls that may give access are in ${file}.`;
  return `${file} was not written, because the update fails or not everything could be rehearsed; --save-anyway writes it.`;
}

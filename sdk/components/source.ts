import { readFileSync } from "node:fs";
import { decodedText } from "../../provider/client/decoded-text";
import { messageOf } from "../../provider/client/errors";
import { literal } from "../../provider/client/printable";
import { valueAt } from "../../provider/schema/values";
import { type Document, parseDocument } from "./document";
import type { KeyPath, Plan } from "./plan";
import { readTree } from "./tree";
import { invalid } from "../program/program-failure";

/**
 * The plan of the tree `written` in a program.
 *
 * @param what the component, for messages
 * @throws pulumi.RunError that lists all problems
 */
export function planOf(what: string, component: string, written: object): Plan {
  const { plan, problems } = readTree(component, written);
  reject(
    what,
    problems.map(({ entry, reason }) => `${placeOf(entry)}${reason}`),
  );
  return plan;
}

/**
 * The plan of the tree in a YAML or JSON file.
 *
 * @param file its path, relative to the program's working directory
 * @throws pulumi.RunError that lists all problems, each with its line and column
 */
export function planOfFile(what: string, component: string, file: string): Plan {
  const document = parseDocument(textOf(what, file));
  const { plan, problems } = document.isReadable ? readTree(component, treeOf(document)) : { plan: nothing, problems: [] };
  const found = [
    ...document.problems,
    ...problems.map(({ entry, reason, at }) => ({
      position: document.positionOf(at),
      reason: `${placeOf(entry)}${reason}${hintFor(document, at, reason)}`,
    })),
  ];
  found.sort((one, other) => one.position.line - other.position.line || one.position.column - other.position.column);
  reject(
    what,
    found.map(({ position: { line, column }, reason }) => `${file}:${line}:${column}: ${reason}`),
  );
  return plan;
}

const nothing: Plan = { groups: [], identities: [], grants: [] };

function textOf(what: string, file: string): string {
  try {
    return decodedText(readFileSync(file));
  } catch (error) {
    throw invalid(`${what}: the file ${literal(file)} cannot be read from ${process.cwd()}: ${messageOf(error)}`);
  }
}

/** The content of a file without the address of its schema, which is for editors. */
function treeOf({ value }: Document): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "$schema"));
}

/** A hint if `reason` asks for text, because YAML reads the number of an AWS account as text only in quotes. */
function hintFor({ value }: Document, at: KeyPath, reason: string): string {
  const found = valueAt(value, at);
  const isText = / must be a (?:string|path)\b/.test(reason);
  return isText && (typeof found === "number" || typeof found === "boolean")
    ? ". Text that looks like a number or like true needs quotes"
    : "";
}

/** The place of an entry, for messages: `groups.engineering: `. */
function placeOf(keys: KeyPath): string {
  if (keys.length === 0) return "";
  const [first = "", ...others] = keys.map((key) => (/^[\w$-]+$/.test(key) ? `.${key}` : `[${literal(key)}]`));
  return `${[first.replace(/^\./, ""), ...others].join("")}: `;
}

/** Most problems that a message lists. */
const mostShown = 50;

function reject(what: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const rest = problems.length - mostShown;
  const shown = [...problems.slice(0, mostShown), ...(rest > 0 ? [`and ${rest} more.`] : [])];
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  throw invalid([`${what} has ${count}. Nothing was declared.`, ...shown.map((line) => `  ${line}`)].join("\n"));
}

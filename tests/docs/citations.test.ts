import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { rooms } from "../support/rooms";
import { anchors, checkout, filesBelow, pages, read } from "./markdown";

/** Where comments and prose cite: every folder with sources, and the pages at the root. */
const cited = [
  ...rooms,
  ...["bench", "docs", "examples", "scripts", "site", "tests", "tools", "eslint.config.mjs", "package.json"],
  ...pages().filter((page) => !page.includes("/")),
];

const text = /\.(?:[cm]?[jt]s|go|md|json|ya?ml|sh)$/;

/** The text files of a room, or the one file that it is. */
function filesOf(room: string): string[] {
  if (statSync(path.join(checkout, room)).isFile()) return [room];
  return filesBelow(room, "").filter((file) => text.test(file) && !/(?:^|\/)(?:node_modules|dist)\//.test(file));
}

/** Names of notes that are not in the repository, as a citation writes them. */
const notes = /\b(?:API[-]FACTS|(?:SPEC|DESIGN|ENGINE|STYLE|PEERS)(?:\.md|,? ?§))/;

/** The lines of a text that cite a note, each with its origin. */
function citedNotes(file: string, content = read(file)): string[] {
  return content.split("\n").flatMap((line, index) => (notes.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : []));
}

/** The citations `docs/<page>.md` or `docs/<page>.md#<anchor>` of a text that lead nowhere, each with its origin. */
function brokenCitations(file: string, content = read(file)): string[] {
  return [...content.matchAll(/\bdocs\/[\w/-]+\.md(?:#([\w-]*))?/g)]
    .filter(([citation, anchor]) => {
      const [page = ""] = citation.split("#");
      if (!existsSync(path.join(checkout, page))) return true;
      return anchor !== undefined && !anchors(page).includes(anchor);
    })
    .map(({ 0: citation, index }) => `${file}:${content.slice(0, index).split("\n").length}: ${citation}`);
}

test.each(cited)("%s cites no note that a reader cannot open", (room) => {
  expect(filesOf(room).flatMap((file) => citedNotes(file))).toEqual([]);
});

test.each(cited)("every page and section that %s cites exists", (room) => {
  expect(filesOf(room).flatMap((file) => brokenCitations(file))).toEqual([]);
});

test("a citation of a note would be found", () => {
  const [numbered, named] = [["ENGINE", "§3"].join(" "), ["API", "FACTS"].join("-")];
  expect(citedNotes("room/file.ts", `// Fine (RFC 8693 §2).\n// See ${numbered}.\n// See ${named}.`)).toEqual([
    `room/file.ts:2: // See ${numbered}.`,
    `room/file.ts:3: // See ${named}.`,
  ]);
});

test("a citation that leads nowhere would be found", () => {
  const page = ["docs", "platform-api.md"].join("/");
  const [missing, unknown] = [`${page.replace("api", "apis")}#uids`, `${page}#no-such-section`];
  expect(brokenCitations("room/file.ts", `// ${page}#uids\n// ${missing}\n// ${unknown}`)).toEqual([
    `room/file.ts:2: ${missing}`,
    `room/file.ts:3: ${unknown}`,
  ]);
});

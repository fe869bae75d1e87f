import { rooms } from "../support/rooms";
import { filesBelow, pages, read, tableRows } from "./markdown";

/** Messages that the engine prints, not this package. */
const ofTheEngine = ["code must be a string, not undefined"];

/** The product's sources, with concatenated strings joined and white space collapsed. */
const sources = rooms
  .filter((room) => room !== "emulator")
  .flatMap((room) => filesBelow(room, ".ts"))
  .map((file) => read(file).replaceAll(/["`]\s*\+\s*["`]/g, ""))
  .join("\n")
  .replaceAll(/\s+/g, " ");

/** The messages that a page's tables of errors quote. `...` and `<...>` stand for what varies. */
function quotedMessages(page: string): string[] {
  const [, section = ""] = /^## Errors\n(.*?)(?=^## |(?![^]))/ms.exec(read(page)) ?? [];
  const [[title] = [], ...rows] = tableRows(page, section);
  if (title !== "error") return [];
  return rows.flatMap(([cell = ""]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, message = ""]) => message));
}

/** The parts of a quoted message that no string of the sources contains. */
function unknownParts(message: string): string[] {
  const parts = message.split(/\.\.\.|<[^>]*>/).map((part) => part.replace(/^[\s,]+|[\s,]+$/g, ""));
  return ofTheEngine.includes(message) ? [] : parts.filter((part) => !sources.includes(part));
}

const quoting = pages().filter((page) => quotedMessages(page).length > 0);

test("pages quote messages", () => {
  expect(quoting).toEqual(expect.arrayContaining(["docs/configuration.md", "docs/resources/group.md"]));
});

test.each(quoting)("every message that %s quotes is one of the code's", (page) => {
  expect(quotedMessages(page).filter((message) => unknownParts(message).length > 0)).toEqual([]);
});

test("a message that is not the code's would be found", () => {
  expect(unknownParts("blocked by ..., which no message says")).toEqual(["which no message says"]);
});

import { readableKinds } from "../../provider/kinds/kinds";
import { type Comments, generatedFiles, readComments } from "../support/generator";
import { filesBelow, read } from "./markdown";

jest.setTimeout(120_000);

let comments: Comments;
beforeAll(() => {
  comments = readComments();
});

test("the tables of the pages and the schemas are those of the declarations: `npm run generate` writes them", () => {
  const stale = [...generatedFiles(comments)].filter(([file, text]) => read(file) !== text);
  expect(stale.map(([file]) => file)).toEqual([]);
});

test("a changed doc comment would be found in its page and in both schemas", () => {
  const changed = new Map([...comments, ["Identity.claimMatch.issuer", "Something else."]]);
  const stale = [...generatedFiles(changed)].filter(([file, text]) => read(file) !== text);
  expect(stale.map(([file]) => file)).toEqual([
    "docs/resources/identity.md",
    "docs/data-sources/identity.md",
    "schema.json",
    "organization.schema.json",
  ]);
});

test("every kind that data sources read has its page, and every page its kind", () => {
  const pages = Object.keys(readableKinds).map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  expect(filesBelow("docs/data-sources", ".md")).toEqual(pages.map((page) => `docs/data-sources/${page}.md`).sort());
});

test("a field without a doc comment is an error that names it", () => {
  const fewer = new Map([...comments].filter(([name]) => name !== "Role.capabilities"));
  expect(() => generatedFiles(fewer)).toThrow("Role.capabilities has no doc comment.");
});

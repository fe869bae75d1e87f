import { composites, kinds } from "../../provider/kinds/kinds";
import { type Comments, generatedFiles, readComments } from "../support/generator";
import { read } from "./markdown";

jest.setTimeout(120_000);

const all = Object.values({ ...kinds, ...composites });
let comments: Comments;
beforeAll(() => {
  comments = readComments();
});

test("the tables of the resource pages and both schemas are those of the declarations: `npm run generate` writes them", () => {
  const stale = [...generatedFiles(all, comments)].filter(([file, text]) => read(file) !== text);
  expect(stale.map(([file]) => file)).toEqual([]);
});

test("a changed doc comment would be found in its page and in both schemas", () => {
  const changed = new Map([...comments, ["Identity.claimMatch.issuer", "Something else."]]);
  const stale = [...generatedFiles(all, changed)].filter(([file, text]) => read(file) !== text);
  expect(stale.map(([file]) => file)).toEqual(["docs/resources/identity.md", "schema.json", "organization.schema.json"]);
});

test("a field without a doc comment is an error that names it", () => {
  const fewer = new Map([...comments].filter(([name]) => name !== "Role.capabilities"));
  expect(() => generatedFiles(all, fewer)).toThrow("Role.capabilities has no doc comment.");
});

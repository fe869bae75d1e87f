import path from "node:path";
import { filesBelow, read, tableRows } from "./markdown";

const folder = "docs/decisions";
const index = `${folder}/README.md`;
const records = filesBelow(folder, ".md").filter((file) => file !== index);

test("the index of the decisions has one line for each record, in order", () => {
  const rows = tableRows(index).slice(2);
  const numbered = records.map((file) => `[${Number(path.basename(file).slice(0, 4))}](${path.basename(file)})`);
  expect(rows.map(([link]) => link)).toEqual(numbered);
  expect(rows.filter(([, line = ""]) => line === "")).toEqual([]);
});

test.each(records)("%s has its number in its title", (file) => {
  expect(read(file)).toMatch(new RegExp(`^# ${Number(path.basename(file).slice(0, 4))}\\. `));
});

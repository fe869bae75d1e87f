import { globSync } from "node:fs";
import path from "node:path";
import { documentedCombinations } from "../reliability/documented-counts";

test("docs/contributing/reliability.md has a row for each suite of the fault matrix, and their sum", () => {
  const { total, ...rows } = Object.fromEntries(documentedCombinations());
  const suites = globSync("fault-matrix-*.test.ts", { cwd: path.resolve(__dirname, "../reliability") });
  expect(Object.keys(rows)).toHaveLength(suites.length);
  expect(total).toBe(Object.values(rows).reduce((sum, count) => sum + count, 0));
});

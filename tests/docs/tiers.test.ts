import { globSync } from "node:fs";
import path from "node:path";
import { checkout, read } from "./markdown";

test("docs/contributing/reliability.md names each file with tests that only `npm run test:long` plays", () => {
  const page = read("docs/contributing/reliability.md");
  const matrices = /^tests\/reliability\/fault-matrix-/;
  const files = globSync("tests/**/*.test.ts", { cwd: checkout }).filter((file) => !matrices.test(file));
  const partly = files.filter((file) => read(file).includes("\nlongTest") || file.endsWith(".long.test.ts"));
  expect(partly.length).toBeGreaterThan(20);
  expect(partly.filter((file) => !page.includes(`](../../${path.posix.normalize(file)})`))).toEqual([]);
});

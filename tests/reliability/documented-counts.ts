import { readFileSync } from "node:fs";
import path from "node:path";

const page = path.resolve(__dirname, "../../docs/contributing/reliability.md");

/** The rows of the table of the fault matrix in docs/contributing/reliability.md: combinations by what they try. */
export function documentedCombinations(): Map<string, number> {
  const section = /^## The fault matrix\n(.*?)(?=^## )/ms.exec(readFileSync(page, "utf8"))?.[1] ?? "";
  const rows = [...section.matchAll(/^\| ([^|]+?) +\| +([\d,]+) \|$/gm)];
  return new Map(rows.map(([, what = "", count = ""]) => [what, Number(count.replaceAll(",", ""))]));
}

import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

const folder = path.resolve(__dirname, "../../.state/reliability");

/** Keeps what a test has counted and measured, as `.state/reliability/<name>.json`. */
export async function writeFigures(name: string, figures: object): Promise<void> {
  await mkdir(folder, { recursive: true });
  const full = { date: new Date().toISOString(), full: process.env["LONG"] !== undefined, ...figures };
  await writeFile(path.join(folder, `${name}.json`), `${JSON.stringify(full, undefined, 2)}\n`);
}

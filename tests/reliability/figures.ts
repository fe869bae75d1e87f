import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { testedDoor } from "../support/door";
import { isLong } from "../support/tier";

const folder = path.resolve(__dirname, "../../.state/reliability");

/** Keeps what a test has counted and measured, as `.state/reliability/<name>.json`; through the plugin, as `<name>-native.json`. */
export async function writeFigures(name: string, figures: object): Promise<void> {
  await mkdir(folder, { recursive: true });
  const full = { date: new Date().toISOString(), full: isLong, ...figures };
  await writeFile(
    path.join(folder, `${name}${testedDoor() === "native" ? "-native" : ""}.json`),
    `${JSON.stringify(full, undefined, 2)}\n`,
  );
}

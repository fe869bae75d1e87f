import { commands } from "../../cli/commands";
import { run } from "../support/cli";
import { commandLines, commandLinesInProse } from "./command-lines";
import { blocks, filesBelow, read } from "./markdown";
import { notRun, playedElsewhere } from "./not-run";
import { plays } from "./plays";
import { shellBlocks, userPages } from "./shell-blocks";

const found = shellBlocks();

test("every block of commands is played, here or elsewhere, or not run for a reason; no entry names a block that is gone", () => {
  expect(found.length).toBeGreaterThan(50);
  const keys = found.map(({ key }) => key);
  const entries = [plays, notRun, playedElsewhere].flatMap((each) => Object.keys(each));
  expect(entries.filter((key) => !keys.includes(key))).toEqual([]);
  expect(entries.filter((key, index) => entries.indexOf(key) !== index)).toEqual([]);
});

const pipelines = filesBelow("examples/pipelines", "").filter((file) => /\.ya?ml$/.test(file));
const lines = [
  ...found.map(({ origin, text }) => ({ origin, all: commandLines(text) })),
  ...userPages.flatMap((page) => blocks("ya?ml", page).map(({ origin, text }) => ({ origin, all: commandLines(text) }))),
  ...userPages.map((page) => ({ origin: page, all: commandLinesInProse(read(page)) })),
  ...pipelines.map((file) => ({ origin: file, all: commandLines(read(file)) })),
].flatMap(({ origin, all }) => all.map((words) => ({ origin, line: words.join(" "), words })));

/** The command line parses, and does nothing. */
async function parsed(words: readonly string[]): Promise<{ code: number; stderr: string }> {
  for (const each of commands) each.action(() => undefined);
  const { code, stderr } = await run(words);
  return { code, stderr };
}

test.each(lines)("$origin: the command line has the options of `$line`", async ({ words }) => {
  expect(await parsed(words)).toEqual({ code: 0, stderr: "" });
});

test("a mistake would be found", async () => {
  expect(lines.length).toBeGreaterThan(60);
  expect((await parsed(["drift", "--stacks", "prod"])).code).toBe(2);
});

import { read } from "../docs/markdown";
import { Consumer } from "./consumer";

let consumer: Consumer;
beforeAll(async () => {
  consumer = await Consumer.create();
});
afterAll(() => consumer.remove());

const page = read("docs/test-your-program.md");

/** The files that a section of the page shows, each block by the name in its first line; tsconfig.json is the block of JSON. */
function filesOf(section: string): Record<string, string> {
  const text = page.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? "";
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  if (blocks.length === 0) throw new Error(`the page has no files for ${section}`);
  return Object.fromEntries(
    blocks.map(([, language, body = ""]) => [
      language === "json" ? "tsconfig.json" : (/^\/\/ (\S+)$/m.exec(body)?.[1] ?? ""),
      body,
    ]),
  );
}

const runJest = ["jest", "--rootDir", ".", "--no-cache"];
const { "organization.ts": program = "" } = filesOf("ts-jest");

test.each<[string, string, Record<string, string>, string[], RegExp]>([
  ["plain Jest, without a configuration", "jest", filesOf("Jest"), runJest, /1 passed/],
  ["ts-jest, without a transform rule for the package", "ts-jest", filesOf("ts-jest"), runJest, /1 passed/],
  [
    "Vitest",
    "vitest",
    { ...filesOf("Vitest"), "organization.ts": program },
    ["vitest", "run", "--root", "."],
    /Tests\s+.*1 passed/,
  ],
  ["node:test, of an ES module", "node", filesOf("node:test"), ["node", "--test"], /pass 1\b/],
  ["plain Jest, which starts the emulator", "emulator", filesOf("Test against the emulator"), runJest, /1 passed/],
])("%s runs the documented test", async (_runner, name, files, [command = "", ...args], passed) => {
  const folder = await consumer.project(name, files);
  expect(await consumer.run(folder, command, ...args)).toMatch(passed);
});

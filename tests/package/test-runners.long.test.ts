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

const jestHere = ["--rootDir", ".", "--no-cache"];

test("plain Jest runs the documented test, without a configuration", async () => {
  const folder = await consumer.project("jest", filesOf("Jest"));
  expect(await consumer.run(folder, "jest", ...jestHere)).toContain("1 passed");
});

test("ts-jest runs the documented test, without a transform rule for the package", async () => {
  const folder = await consumer.project("ts-jest", filesOf("ts-jest"));
  expect(await consumer.run(folder, "jest", ...jestHere)).toContain("1 passed");
});

test("Vitest runs the documented test", async () => {
  const { "organization.ts": program = "" } = filesOf("ts-jest");
  const folder = await consumer.project("vitest", { ...filesOf("Vitest"), "organization.ts": program });
  expect(await consumer.run(folder, "vitest", "run", "--root", ".")).toMatch(/Tests\s+.*1 passed/);
});

test("node:test runs the documented test of an ES module", async () => {
  const folder = await consumer.project("node", filesOf("node:test"));
  expect(await consumer.run(folder, "node", "--test")).toMatch(/pass 1\b/);
});

test("plain Jest starts the emulator, and a data source asks it", async () => {
  const folder = await consumer.project("emulator", filesOf("Test against the emulator"));
  expect(await consumer.run(folder, "jest", ...jestHere)).toContain("1 passed");
});

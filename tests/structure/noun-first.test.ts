import { execFileSync } from "node:child_process";
import path from "node:path";

const checkout = path.join(__dirname, "..", "..");

/** Prints the messages of the rule for each of the texts in the arguments. Run as a process, because the rule is an ES module. */
const lint = `
  import { Linter } from "eslint";
  import { nounFirst } from "./tools/lint/noun-first.mjs";
  const config = { plugins: { comments: { rules: { "noun-first": nounFirst } } }, rules: { "comments/noun-first": "error" } };
  const found = process.argv.slice(1).map((text) => new Linter().verify(text, config).map(({ message }) => message));
  console.log(JSON.stringify(found));`;

function messagesFor(texts: readonly string[]): string[][] {
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", lint, "--", ...texts], {
    cwd: checkout,
    encoding: "utf8",
  });
  return JSON.parse(output) as string[][];
}

const message = (word: string) => `A sentence begins with "${word}": name the noun (docs/contributing/architecture.md#comments).`;

test("a sentence of a comment that begins without its noun is rejected", () => {
  const rejected = [
    ["What", "// What a role lets its holder do."],
    ["Whoever", "/** The role. Whoever has it decides. */"],
    ["Those", "/**\n * The groups.\n *\n * Those above come first.\n */"],
    ["None", "/**\n * Levels:\n * - None of them is higher.\n */"],
    ["Such", "// A note (see there). Such a note is kept."],
    ["One that", "/**\n * Reads a token.\n * @returns One that is valid\n */"],
  ] as const;
  expect(messagesFor(rejected.map(([, text]) => text))).toEqual(rejected.map(([word]) => [message(word)]));
});

test("a word within a sentence is not taken for its begin", () => {
  const accepted = [
    "/** The groups, and\n * Those of Pulumi. */",
    "// The kinds are the same, and the platform has\n// None for others.",
    "// Whatever follows is read.",
    'const text = "What a role lets its holder do.";',
  ];
  expect(messagesFor(accepted)).toEqual(accepted.map(() => []));
});

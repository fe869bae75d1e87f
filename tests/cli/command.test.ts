import { Argument, Option } from "commander";
import { command, jsonOption, several } from "../../cli/shell/command";
import { exitCode } from "../../cli/shell/exit-codes";

const text = {
  summary: "s",
  description: "d",
  examples: [["x --json", "e"]],
  exitCodes: { [exitCode.findings]: "drift" },
} as const;

test("the help of a command has its options, examples and every exit code", () => {
  const help: string[] = [];
  const made = command("x", text)
    .addOption(jsonOption("drift"))
    .configureOutput({ writeOut: (part) => help.push(part) });
  made.outputHelp();
  expect(help.join("")).toMatch(/--json +print the result as one JSON document: schemas\/drift\.schema\.json/);
  expect(help.join("")).toMatch(/pulumi-platform x --json +e\n/);
  expect(help.join("")).toMatch(/0 +done\n.*1 +failed.*2 +the command line is wrong.*7 +drift/s);
});

test("an option that may be given several times has all its values, in their order", async () => {
  let stacks: unknown;
  const made = command("x", text)
    .option("--stack <STACK>", "", several, [])
    .action((options: { stack: string[] }) => {
      stacks = options.stack;
    });
  await made.parseAsync(["--stack", "one", "--stack=two"], { from: "user" });
  expect(stacks).toEqual(["one", "two"]);
});

test.each([
  [["bash", "--format", "makrdown"], 'The option --format has no value "makrdown"; did you mean markdown?'],
  [["bash", "--format=x'y' is invalid"], `The option --format has no value "x'y' is invalid"; the values are text and markdown.`],
  [["bsh"], 'The argument has no value "bsh"; did you mean bash?'],
])("a value that is not one of an option's fixed values names the nearest: %j", async (args, expected) => {
  const made = command("x", text)
    .addOption(new Option("--format <FORMAT>", "").choices(["text", "markdown"]))
    .addArgument(new Argument("<shell>", "").choices(["bash", "zsh"]));
  await expect(made.parseAsync(args, { from: "user" })).rejects.toThrow(expected);
});

test("help is in whole lines: nothing is wider than it may be, and no line of a text ends early", () => {
  const help: string[] = [];
  const words = "a word of a text that is long enough to be broken somewhere ".repeat(6).trim();
  const made = command("x", { ...text, description: `${words}\n${words}`, examples: [["x", words]] }).configureOutput({
    writeOut: (part) => help.push(part),
  });
  made.outputHelp();
  const lines = help.join("").split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(130);
  const described = lines.slice(lines.indexOf("") + 1);
  const end = described.indexOf("");
  for (const line of described.slice(0, end - 1)) expect(line.length).toBeGreaterThan(110);
});

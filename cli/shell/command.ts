import { Command, type CommanderError, Option } from "commander";
import { suggest } from "../../provider/client/nearest-name";
import { literal, printable } from "../../provider/client/printable";
import { exitCode, UsageError } from "./exit-codes";

/** What the help of a command says besides its options. */
export interface CommandText {
  /** What it does, for the list of commands: half a line. */
  readonly summary: string;
  /** What it does and where its settings come from, in lines of at most 130 characters. */
  readonly description: string;
  /** Command lines without `pulumi-platform`, each with what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** Meanings of exit codes, where they differ from the usual ones or are more. */
  readonly exitCodes?: Readonly<Record<number, string>>;
}

const usualCodes: Readonly<Record<number, string>> = {
  [exitCode.ok]: "done",
  [exitCode.failed]: "failed; standard error says why",
  [exitCode.usage]: "the command line is wrong; nothing was done",
};

/**
 * A command of the tool: add options with `option` or `addOption`, and `action`, which may set `process.exitCode` and throws what
 * fails it. Wrong command lines, errors and help are then alike in all commands.
 */
export function command(name: string, { summary, description, examples, exitCodes }: CommandText): Command {
  const codes = Object.entries({ ...usualCodes, ...exitCodes });
  return alike(new Command(name))
    .summary(summary)
    .description(description)
    .hook("preAction", rejectEmptyValues)
    .addHelpText(
      "after",
      `
Examples:
${columns(examples.map(([line, does]) => [`pulumi-platform ${line}`, does]))}

Exit codes:
${columns(codes)}`,
    );
}

/** The option `--json`, for commands with a result. */
export function jsonOption(document: string): Option {
  return new Option("--json", `print the result as one JSON document: schemas/${document}.schema.json`);
}

/** The option `--out`, hidden: what commands called `--output` at first. */
export function outOption(): Option {
  return new Option("--out <FILE>", "an earlier name of --output").conflicts("output").hideHelp();
}

/** Collects the values of an option that may be given several times: `.option("--stack <STACK>", "...", several)`. Default: undefined. */
export function several(value: string, values: readonly string[] = []): string[] {
  return [...values, value];
}

/** Gives `made` the form that all commands have. Its subcommands need it too. */
export function alike(made: Command): Command {
  return made
    .helpOption("-h, --help", "this text")
    .showSuggestionAfterError(false)
    .configureOutput({ outputError: () => undefined })
    .configureHelp({ optionTerm: ({ flags }) => plain(flags), subcommandTerm: (each) => each.name(), helpWidth: 130 })
    .exitOverride((error) => {
      if (error.exitCode !== 0) throw new UsageError(mistake(made, error));
      throw error;
    });
}

/** An empty value comes from a variable that is not set: `--stack "$STACK"` must not choose another stack. */
function rejectEmptyValues(given: Command): void {
  const empty = given.options.find((option) => [given.getOptionValue(option.attributeName())].flat().includes(""));
  if (empty !== undefined)
    throw new UsageError(`The option ${empty.long ?? ""} has an empty value. Leave it out, or give it one.`);
}

/** The options of a command, without those that are hidden: names that an option once had. */
export function optionsOf({ options }: Command): string[] {
  return [...options.flatMap(({ long, hidden }) => (hidden ? [] : (long ?? []))), "--help"];
}

/** `--state FILE`: placeholders need no brackets. */
function plain(flags: string): string {
  return flags.replace(/<(.*)>/, "$1");
}

/** What is wrong with a command line, as a sentence. */
function mistake(made: Command, { code, message }: CommanderError): string {
  const written = /'(.*)'/s.exec(message)?.[1] ?? "";
  switch (code) {
    case "commander.unknownOption": {
      const [option = ""] = written.split("=", 1);
      return `There is no option ${printable(option)}; ${suggest(option, optionsOf(made), "options", (each) => each)}`;
    }
    case "commander.help":
    case "commander.unknownCommand": {
      const name = written || (made.args.at(-1) ?? "");
      const names = made.commands.map((each) => each.name());
      return `There is no command ${literal(name)}; ${suggest(name, names, "commands", (each) => each)}`;
    }
    case "commander.excessArguments":
      return `Unexpected argument '${printable(made.args.at(-1) ?? "")}'.`;
    case "commander.invalidArgument":
      return wrongValue(made, message);
    case "commander.optionMissingArgument":
      return `The option ${plain(written)} needs a value.`;
    default:
      return sentence(printable(message.replace(/^error: /, "")));
  }
}

/** One that is not among the values of an option, or of an argument. */
function wrongValue({ options, registeredArguments }: Command, message: string): string {
  const choices = [
    ...options.map(({ flags, long, argChoices }) => ({ name: `option '${flags}'`, shown: `option ${long ?? ""}`, argChoices })),
    ...registeredArguments.map((each) => ({ name: `argument '${each.name()}'`, shown: "argument", argChoices: each.argChoices })),
  ].find(({ name, argChoices }) => argChoices !== undefined && message.includes(name));
  const [, written = ""] = /(?:argument|value) '(.*)' is invalid/s.exec(message) ?? [];
  if (choices === undefined) return sentence(printable(message.replace(/^error: /, "")));
  return `The ${choices.shown} has no value ${literal(written)}; ${suggest(written, choices.argChoices ?? [], "values", (each) => each)}`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.?!]$/.test(text) ? "" : ".");
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`).join("\n");
}

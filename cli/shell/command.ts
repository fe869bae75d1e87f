import { Command, type CommanderError, Option } from "commander";
import { suggest } from "../../provider/client/nearest-name";
import { literal, printable } from "../../provider/client/printable";
import { exitCode, UsageError } from "./exit-codes";

/** The help text of a command besides its options. */
export interface CommandText {
  /** Its purpose in half a line, for the list of commands. */
  readonly summary: string;
  /** Its purpose and the origin of its settings, in lines of at most 130 characters. */
  readonly description: string;
  /** Command lines without `pulumi-platform`, each with its effect. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** Meanings of exit codes that differ from the usual ones or are additional. */
  readonly exitCodes?: Readonly<Record<number, string>>;
}

const usualCodes: Readonly<Record<number, string>> = {
  [exitCode.ok]: "done",
  [exitCode.failed]: "failed; standard error says why",
  [exitCode.usage]: "the command line is wrong; nothing was done",
};

/**
 * A command of the tool. The caller adds options with `option` or `addOption`, and `action`, which may set `process.exitCode` and throw
 * errors. Wrong command lines, errors and help then look alike in all commands.
 */
export function command(name: string, { summary, description, examples, exitCodes }: CommandText): Command {
  const codes = Object.entries({ ...usualCodes, ...exitCodes });
  return alike(new Command(name))
    .summary(summary)
    .description(description.replaceAll("\n", " "))
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

/** The width of help. A terminal breaks no word of it, and no line is too wide to read. */
const helpWidth = Math.min(process.stdout.columns || 130, 130);

/** The option `--json`, for commands with a result. */
export function jsonOption(document: string): Option {
  return new Option("--json", `print the result as one JSON document: schemas/${document}.schema.json`);
}

/** The hidden option `--out`, the first name of `--output`. */
export function outOption(): Option {
  return new Option("--out <FILE>", "an earlier name of --output").conflicts("output").hideHelp();
}

/** Collects the values of an option that may be given several times: `.option("--stack <STACK>", "...", several)`. Default: undefined. */
export function several(value: string, values: readonly string[] = []): string[] {
  return [...values, value];
}

/** Gives `made` the common form of all commands. Its subcommands need the same call. */
export function alike(made: Command): Command {
  return made
    .helpOption("-h, --help", "this text")
    .showSuggestionAfterError(false)
    .configureOutput({ outputError: () => undefined })
    .configureHelp({ optionTerm: ({ flags }) => plain(flags), subcommandTerm: (each) => each.name(), helpWidth })
    .exitOverride((error) => {
      if (error.exitCode !== 0) throw new UsageError(mistake(made, error));
      throw error;
    });
}

/** An empty value comes from an unset variable. `--stack "$STACK"` must not choose another stack. */
function rejectEmptyValues(given: Command): void {
  const empty = given.options.find((option) => [given.getOptionValue(option.attributeName())].flat().includes(""));
  if (empty !== undefined)
    throw new UsageError(`The option ${empty.long ?? ""} has an empty value. Leave it out, or give it one.`);
}

/** The options of a command, without the hidden ones, which are former names. */
export function optionsOf({ options }: Command): string[] {
  return [...options.flatMap(({ long, hidden }) => (hidden ? [] : (long ?? []))), "--help"];
}

/** `--state FILE`, because placeholders need no brackets. */
function plain(flags: string): string {
  return flags.replace(/<(.*)>/, "$1");
}

/** The mistake in a command line, as a sentence. */
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

/** The message for a value that an option or an argument does not allow. */
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
  const room = Math.max(helpWidth - width - 5, 20);
  return rows
    .map(([left, right]) => `  ${left.padEnd(width)}   ${wrapped(right, room).join(`\n${" ".repeat(width + 5)}`)}`)
    .join("\n");
}

/** `text` in lines of at most `room` characters, broken between words. */
function wrapped(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

import { parseArgs } from "node:util";
import { suggest } from "../provider/client/nearest-name";
import { printable } from "../provider/client/printable";

/** A command of the tool, declared once: its help and the parsing of its options follow from this. */
export interface Command {
  /** What it does, for the list of commands: half a line. */
  readonly summary: string;
  /** What it does and where its settings come from, for its own help. */
  readonly description: string;
  /** Its options, each with one value: the placeholder in the help, and the meaning. */
  readonly options: Readonly<Record<string, { readonly value: string; readonly meaning: string }>>;
  /** Runs it. Options that are not given are undefined. */
  run(options: Readonly<Record<string, string | undefined>>): Promise<void>;
}

/** A command line that is wrong. Exit code 2; a command that fails has 1. */
export class UsageError extends Error {}

/** Options by name, with or without a value. */
export type OptionTypes = Record<string, { readonly type: "string" | "boolean"; readonly short?: string }>;

/**
 * Parses options.
 *
 * @throws UsageError for an unknown option, a missing value or a stray word
 */
export function readOptions(args: string[], options: OptionTypes): Record<string, unknown> {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
    const unknown = tokens.find((token) => token.kind === "option" && !Object.hasOwn(options, token.name));
    if (unknown?.kind !== "option") throw new UsageError(error instanceof Error ? error.message : String(error));
    const hint = suggest(unknown.name, Object.keys(options), "options", (name) => `--${name}`);
    throw new UsageError(`There is no option ${printable(unknown.rawName)}; ${hint}`);
  }
}

/** A command in the usage: `emulator [--port 4010] [--data FILE]`. */
export function synopsis(name: string, { options }: Command): string {
  return [name, ...Object.entries(options).map(([option, { value }]) => `[--${option} ${value}]`)].join(" ");
}

/** The help of one command. */
export function helpOf(name: string, command: Command): string {
  const rows = Object.entries(command.options).map(([option, { value, meaning }]) => [`--${option} ${value}`, meaning] as const);
  return `Usage: pulumi-platform ${synopsis(name, command)}

${command.description}

${columns([...rows, ["-h, --help", "this text"]])}
`;
}

/** Two columns, the left one as wide as its longest cell. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`).join("\n");
}

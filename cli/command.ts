import { parseArgs } from "node:util";
import { nearestName } from "../provider/client/nearest-name";

/** A command of the tool, declared once: its help and the reading of its options follow from this. */
export interface Command {
  /** What it does, for the list of commands: half a line. */
  readonly summary: string;
  /** What it does and where it takes things from, for its own help. */
  readonly description: string;
  /** Its options, each with one value: what stands for it in the help, and what it means. */
  readonly options: Readonly<Record<string, { readonly value: string; readonly meaning: string }>>;
  /** Does it. Options that were not given are undefined. */
  run(options: Readonly<Record<string, string | undefined>>): Promise<void>;
}

/** A command line that cannot be understood. Exit code 2, where a command that failed has 1. */
export class UsageError extends Error {}

/** Options by their names: with a value or without. */
export type OptionTypes = Record<string, { readonly type: "string" | "boolean"; readonly short?: string }>;

/**
 * Reads options.
 * @throws {UsageError} for an option that is not there, naming the nearest, for a value that is missing, or for a stray word.
 */
export function readOptions(args: string[], options: OptionTypes): Record<string, unknown> {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
    const unknown = tokens.find((token) => token.kind === "option" && !Object.hasOwn(options, token.name));
    if (unknown?.kind !== "option") throw new UsageError(error instanceof Error ? error.message : String(error));
    const near = nearestName(unknown.name, Object.keys(options)).name;
    throw new UsageError(`There is no option ${unknown.rawName}; did you mean --${near}?`);
  }
}

/** A command as the usage shows it: `emulator [--port 4010] [--data FILE]`. */
export function synopsis(name: string, { options }: Command): string {
  return [name, ...Object.entries(options).map(([option, { value }]) => `[--${option} ${value}]`)].join(" ");
}

/** What `--help` says about a command. */
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

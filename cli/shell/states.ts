import { type Command, Option } from "commander";
import { several } from "./command";
import { UsageError } from "./exit-codes";
import { readText } from "./files";
import { stackInUse, stackOption } from "./settings";
import { stackState } from "./stack";

/** The options of {@link withStates}. */
export interface StateOptions {
  readonly stack?: readonly string[];
  readonly stateOf?: readonly string[];
  readonly stateFile?: readonly string[];
  /** The former name of `stateFile`, from before `--stack` meant only settings. It adds to the state of that stack. */
  readonly state?: readonly string[];
}

/** The settings of a command, and the states that it reads. */
export interface Sources {
  /** The stack whose configuration precedes the environment; undefined for the environment alone. */
  readonly settings: string | undefined;
  readonly stacks: readonly string[];
  /** `-` is standard input. */
  readonly files: readonly string[];
}

/**
 * Adds the options for the settings of a command, and for the states that it reads.
 *
 * @param when the start of their texts: `with --only-unmanaged: `. Default: nothing
 */
export function withStates(made: Command, when = ""): Command {
  return made
    .addOption(stackOption().argParser(several))
    .option("--state-of <STACK>", `${when}read the state of this stack; may be repeated (default: of --stack)`, several)
    .option(
      "--state-file <FILE>",
      `${when}read a state that \`pulumi stack export\` has written; may be repeated; - is standard input`,
      several,
    )
    .addOption(new Option("--state <FILE>", "an earlier name of --state-file").argParser(several).hideHelp());
}

/**
 * The sources in the options. Without a state, the state of the stack whose settings are used.
 *
 * @throws UsageError if several stacks are named for settings alone
 */
export async function sourcesOf({ stack = [], stateOf = [], stateFile = [], state = [] }: StateOptions): Promise<Sources> {
  const isNamed = stateOf.length + stateFile.length > 0;
  if (isNamed && stack.length > 1)
    throw new UsageError("--stack names the stack whose settings are used: pass it once, and --state-of for each state.");
  const settings = await stackInUse(stack[0]);
  const own = stack.length > 0 || state.length > 0 || settings === undefined ? stack : [settings];
  return { settings, stacks: isNamed ? stateOf : own, files: [...stateFile, ...state] };
}

/** The texts of the states, by their names in messages. @throws PlatformError */
export async function stateTexts({ stacks, files }: Omit<Sources, "settings">): Promise<ReadonlyMap<string, string>> {
  const texts = [
    ...stacks.map(async (name) => [`the state of stack ${name}`, await stackState(name)] as const),
    ...files.map(async (file) => [file === "-" ? "standard input" : file, await readText(file)] as const),
  ];
  return new Map(await Promise.all(texts));
}

import type { Command } from "commander";
import { command, type CommandText } from "../shell/command";
import { UsageError } from "../shell/exit-codes";
import { type Sources, sourcesOf, type StateOptions, withStates } from "../shell/states";

/** Options that choose the comparison and the drift to report. */
export interface DriftOptions extends StateOptions {
  readonly root?: string;
  readonly ignore?: string;
  readonly baseline?: string;
}

/** A command with {@link DriftOptions}. */
export function driftCommand(name: string, text: CommandText): Command {
  return withStates(command(name, text))
    .option(
      "--root <UID|PATH>",
      "the group to compare, with everything below (default: the configured organisation, else that of the states)",
    )
    .option("--ignore <FILE>", "accepted findings, each with an owner: YAML or JSON")
    .option("--baseline <FILE>", "output of an earlier `drift --json`: only new findings count");
}

/** The settings to use and the states to compare. @throws UsageError if there is no state */
export async function comparedSources(options: StateOptions): Promise<Sources> {
  const sources = await sourcesOf(options);
  if (sources.stacks.length + sources.files.length > 0) return sources;
  throw new UsageError(
    "Which state? Pass --stack STACK or --state-of STACK, or --state-file FILE as `pulumi stack export` writes it.",
  );
}

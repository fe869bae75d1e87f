import type { Command } from "commander";
import { command, type CommandText, several } from "../shell/command";
import { UsageError } from "../shell/exit-codes";
import type { StateOptions } from "./states";

/** Options that say what is compared, and what counts as drift. */
export interface DriftOptions extends StateOptions {
  readonly root?: string;
  readonly ignore?: string;
  readonly baseline?: string;
}

/** A command with {@link DriftOptions}. */
export function driftCommand(name: string, text: CommandText): Command {
  return command(name, text)
    .option("--stack <STACK>", "a stack of the program in this folder; may be repeated", several)
    .option("--state <FILE>", "output of `pulumi stack export`; may be repeated", several)
    .option(
      "--root <UID|PATH>",
      "the group to compare, with everything below (default: the configured organisation, else that of the states)",
    )
    .option("--ignore <FILE>", "accepted findings, each with an owner: YAML or JSON")
    .option("--baseline <FILE>", "output of an earlier `drift --json`: only new findings count");
}

/** @throws UsageError if the options name no state */
export function requireState({ stack = [], state = [] }: StateOptions): void {
  if (stack.length + state.length === 0)
    throw new UsageError("Which state? Pass --stack STACK, or --state FILE as `pulumi stack export` writes it.");
}

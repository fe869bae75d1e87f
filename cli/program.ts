import { Command, CommanderError } from "commander";
import { textOf } from "../provider/client/errors";
import { version } from "../provider/client/version";
import { alike } from "./shell/command";
import { commands } from "./commands";
import { exitCode, UsageError } from "./shell/exit-codes";

const program = alike(new Command("pulumi-platform"))
  .usage("<command> [options]")
  .version(version, "--version", "the version of the package")
  .helpCommand("help [command]", "the help of a command")
  .addHelpText("after", "\nRun pulumi-platform <command> --help for the options of a command.");
for (const each of commands) program.addCommand(each);

/**
 * Runs a command line, without the name of the program. The exit code is in `process.exitCode`, and errors are printed to standard error.
 */
export async function runProgram(args: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(args.length === 0 ? ["--help"] : args, { from: "user" });
  } catch (error) {
    // Commander has printed the help or the version.
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const isUsage = error instanceof UsageError;
    const asked = commands.find((each) => each.name() === args[0]);
    const help =
      asked === undefined
        ? "pulumi-platform --help for the commands and their options"
        : `pulumi-platform ${asked.name()} --help for its options and examples`;
    const hint = isUsage ? `\nRun ${help}.` : "";
    process.stderr.write(`${textOf(error)}${hint}\n`);
    process.exitCode = isUsage ? exitCode.usage : exitCode.failed;
  }
}

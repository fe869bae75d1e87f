import { connect } from "../../provider/credentials";
import { printDocument } from "../documents/document";
import type { ForgetDocument } from "../documents/forget";
import { command, jsonOption } from "../shell/command";
import { exitCode, UsageError } from "../shell/exit-codes";
import { withProgress } from "../shell/progress";
import { settingsFor, settingsText, stackOption } from "../shell/settings";
import { selectedStack } from "../shell/stack";
import { forget as forgetAll } from "./forget";
import { drawForgotten } from "./text";

interface Options {
  stack?: string;
  dependents?: boolean;
  yes?: boolean;
  json?: true;
}

/** Removes resources from a state whose objects are provably gone. */
export const forget = command("forget", {
  summary: "removes a resource from a state, if its object is gone by every sign",
  description:
    "For a resource whose object was deleted by hand, and whose refresh ends with NOT_GONE. Asks the platform again, prints every sign,\n" +
    "and removes the resource from the state only if all agree. Nothing is sent to the platform but reads.\n" +
    `${settingsText}\n` +
    "The state is that of --stack, or of the selected stack. Guide: docs/commands/forget.md.",
  examples: [
    ["forget UID", "show the signs; nothing is changed"],
    ["forget UID --yes", "and remove the resource, if all agree"],
    ["forget URN --dependents --yes", "with what depends on it, each if all signs agree"],
  ],
  exitCodes: {
    [exitCode.failed]: "a sign is missing, or the engine refused: standard error says what was changed",
    [exitCode.usage]: "the command line is wrong, or --yes is missing; nothing was done",
  },
})
  .argument("<URN|UID...>", "resources, by what the state calls them or by the object that they manage")
  .addOption(stackOption())
  .option("--dependents", "also forget what depends on them in the state, each if all signs agree")
  .option("--yes", "remove them from the state; without it, the signs are shown and nothing is changed")
  .addOption(jsonOption("forget"))
  .action(async (named: string[], { stack: chosen, dependents = false, yes = false, json }: Options) => {
    const stack = chosen ?? (await selectedStack());
    if (stack === undefined) throw new UsageError("Which state? Pass --stack STACK, in the folder of its program.");
    const { configuration } = await settingsFor(chosen);
    const wanted = { stack, named, withDependents: dependents, removes: yes };
    const { result, failure } = await withProgress((progress) => {
      progress.update("Asking the platform");
      return forgetAll(wanted, { configuration, client: connect(configuration) });
    });
    if (json) printDocument<ForgetDocument>(result);
    else process.stdout.write(drawForgotten(result));
    if (failure !== undefined) throw failure;
    if (!yes) throw new UsageError("Nothing was changed. Pass --yes to remove it from the state.");
  });

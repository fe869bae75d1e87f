import { command } from "../shell/command";
import { exitCode, UsageError } from "../shell/exit-codes";
import { runBound } from "./run";

interface Options {
  rehearsed?: string;
  stack?: string;
  yes?: boolean;
  sandbox: boolean;
}

/** Runs `pulumi up`, limited to what was rehearsed. */
export const up = command("up", {
  summary: "the update that was rehearsed, and nothing that gives more access",
  description:
    "Runs the command that `rehearse --save FILE` rehearsed, for real. Every call that gives access must be in the file, and its role, its\n" +
    "login and its place must be as they were rehearsed; any other is rejected before it is sent (NOT_REHEARSED). Address and credentials\n" +
    "come from the environment (PLATFORM_BASE_URL, PLATFORM_TOKEN and so on). The engine and the program get no credentials of the platform.",
  examples: [
    ["up --rehearsed rehearsal.json --stack live --yes", "in a pipeline"],
    ["up --rehearsed rehearsal.json", "shows the preview of the selected stack, and asks"],
  ],
  exitCodes: { [exitCode.failed]: "failed, or the update failed; the output of `pulumi up` says why" },
})
  .option("--rehearsed <FILE>", "the file of `rehearse --save`")
  .option("--stack <STACK>", "the stack that was rehearsed (default: the selected one)")
  .option("--yes", "update without a question, as `pulumi up --yes`")
  .option("--no-sandbox", "let the program see the other processes of this user; the output says so")
  .action(async ({ rehearsed, stack, yes = false, sandbox }: Options) => {
    if (rehearsed === undefined)
      throw new UsageError("Pass --rehearsed FILE. For an update that is not bound to a rehearsal, run `pulumi up`.");
    process.exitCode = await runBound({ file: rehearsed, stack, yes, isOpen: !sandbox });
  });

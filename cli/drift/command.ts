import { jsonOption, several } from "../shell/command";
import { exitCode } from "../shell/exit-codes";
import { withProgress } from "../shell/progress";
import { compareWith } from "./comparison";
import { formats } from "./formats";
import { driftCommand, type DriftOptions, requireState } from "./options";
import { type OutputOptions, outputsIn, print } from "./output";

/** Compares states with the platform. */
export const drift = driftCommand("drift", {
  summary: "what differs between states and the platform, and what is in no state",
  description:
    "Compares the states of one or more stacks with everything that the platform has below a group: changed, missing,\n" +
    "unmanaged and duplicate objects, ranked by the access that they give or take. Sends only Lists. `--state -` reads standard input.\n" +
    "Address and credentials come from the first --stack and the environment (PLATFORM_BASE_URL, PLATFORM_TOKEN and so on).",
  examples: [
    ["drift --stack prod", "a stack of the program in this folder"],
    ["drift --state people.json --state registry.json --root acme/engineering", "exported states, below one group"],
    ["drift --stack prod --ignore drift-ignore.yaml --output sarif=drift.sarif", "for a pipeline that runs every night"],
  ],
  exitCodes: {
    [exitCode.ok]: "no drift, and everything was read",
    [exitCode.failed]: "failed, or something could not be read, whatever else was found",
    [exitCode.findings]: "drift",
  },
})
  .option("--format <FORMAT>", `${Object.keys(formats).join(", ")} (default: text)`)
  .addOption(jsonOption("drift"))
  .option("--output <FORMAT=FILE>", "also write the result to a file; may be repeated", several)
  .action(async (options: DriftOptions & OutputOptions) => {
    requireState(options);
    const outputs = outputsIn(options);
    await print(await withProgress((progress) => compareWith(options, progress)), outputs);
  });

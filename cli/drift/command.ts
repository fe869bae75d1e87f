import { Option } from "commander";
import { jsonOption, several } from "../shell/command";
import { exitCode } from "../shell/exit-codes";
import { withProgress } from "../shell/progress";
import { settingsText } from "../shell/settings";
import { compareWith } from "./comparison";
import { formats } from "./formats";
import { comparedSources, driftCommand, type DriftOptions } from "./options";
import { writeIgnoreFile } from "./write-ignore";
import { type OutputOptions, outputsIn, print } from "./output";

/** Compares states with the platform. */
export const drift = driftCommand("drift", {
  summary: "what differs between states and the platform, and what is in no state",
  description:
    "Compares the states of one or more stacks with everything that the platform has below a group: changed, missing,\n" +
    "unmanaged and duplicate objects, ranked by the access that they give or take. Sends only Lists.\n" +
    settingsText,
  examples: [
    ["drift --stack prod", "a stack of the program in this folder"],
    ["drift --stack people --state-of people --state-of registry", "two stacks together, with the settings of the first"],
    ["drift --state-file people.json --root acme/engineering", "an exported state, below one group"],
    ["drift --stack prod --write-ignore drift-ignore.yaml", "an ignore file to fill in, before the first night"],
    ["drift --stack prod --ignore drift-ignore.yaml --output sarif=drift.sarif", "for a pipeline that runs every night"],
  ],
  exitCodes: {
    [exitCode.ok]: "no drift, and everything was read",
    [exitCode.failed]: "failed, or something could not be read, whatever else was found",
    [exitCode.findings]: "drift",
  },
})
  .addOption(new Option("--format <FORMAT>", "the form of the result (default: text)").choices(Object.keys(formats)))
  .addOption(jsonOption("drift"))
  .option("--write-ignore <FILE>", "write an ignore file with today's findings, to fill in; FILE must not exist")
  .option("--output <FORMAT=FILE>", "also write the result to a file; may be repeated", several)
  .action(async (options: DriftOptions & OutputOptions & { readonly writeIgnore?: string }) => {
    const outputs = outputsIn(options);
    const sources = await comparedSources(options);
    const found = await withProgress((progress) => compareWith(sources, options, progress));
    const { writeIgnore: file } = options;
    if (file === undefined) await print(found, outputs);
    else await print({ ...found, notes: [...found.notes, await writeIgnoreFile(file, found.findings)] }, outputs);
  });

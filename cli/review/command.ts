import { Option } from "commander";
import { command, jsonOption } from "../shell/command";
import { printDocument } from "../documents/document";
import type { ReviewDocument } from "../documents/review";
import { exitCode, UsageError } from "../shell/exit-codes";
import { Progress } from "../shell/progress";
import { settingsText, stackOption } from "../shell/settings";
import { reviewDocumentOf } from "./document";
import { endAsGate, type Gate, gates } from "./gate";
import { knownOf } from "./known";
import { reviewMarkdown } from "./markdown";
import { type Review, reviewOf } from "./review";
import { previewCommand } from "../../preview/file";
import { previewed } from "./previewed";
import { reviewText } from "./text";

interface Options {
  stack?: string;
  file?: string;
  refresh?: boolean;
  format: "text" | "markdown" | "json";
  json?: boolean;
  failOn?: Gate;
  offline?: boolean;
  as?: string;
  strict?: boolean;
}

/** Says in words who gains and who loses access by an update, from its preview. */
export const review = command("review", {
  summary: "who gains and who loses access by an update, from its preview",
  description:
    "Says who gains and who loses access by an update, the worst change first. Reads the preview of the program in this folder, or a\n" +
    `file of \`${previewCommand}\`. From the platform it reads names, access outside the\n` +
    "program, and rights.\n" +
    `Nothing is changed.\n${settingsText}`,
  examples: [
    ["review --stack live", "previews the program in this folder, and reviews that"],
    ["review --file preview.json --format markdown", "the text of a comment on a pull request"],
    ["review --file preview.json --fail-on high", "for a gate: exits with 7 on a high or critical change"],
    ["review --stack live --as acme/writer --fail-on high", "the same, and also if a call of that identity will be refused"],
  ],
  exitCodes: {
    [exitCode.failed]: "failed, or the preview itself failed",
    [exitCode.findings]:
      "with --fail-on: there is a change of that severity or worse, or the update will fail half-way; with --as, also if a call will be refused",
    [exitCode.undecided]: "with --fail-on: no such change is certain, but one is possible; standard error says why",
  },
})
  .addOption(stackOption())
  .option("--file <FILE>", "read a preview instead of running one; - for standard input")
  .option("--refresh", "preview with --refresh, which includes changes made by hand")
  .addOption(new Option("--format <FORMAT>", "the form of the result").choices(["text", "markdown", "json"]).default("text"))
  .addOption(jsonOption("review"))
  .addOption(new Option("--fail-on <SEVERITY>", "exit with 7 on a change of this severity or worse").choices(gates))
  .option("--offline", "do not contact the platform: use only the preview")
  .option("--as <IDENTITY>", "check the rights of this identity, which will run `pulumi up` (uid, path or login, as for access)")
  .option("--strict", "--fail-on cannot pass if the program may have computed a value that decides access")
  .action(async (given: Options) => {
    if (given.file !== undefined && given.refresh === true)
      throw new UsageError(
        `--refresh is for previews that the command runs. Write the file with \`${previewCommand} --refresh\`.`,
      );
    const progress = new Progress();
    const { file, stack } = await previewed(given, progress);
    progress.update("Asking the platform...");
    const use = given.file === undefined ? "program" : "file";
    const known = await knownOf(file, { ...given, ...(stack !== undefined && { stack }), use });
    const found = reviewOf(file, known, { isStrict: given.strict === true });
    progress.clear();
    print(found, given.json === true ? "json" : given.format);
    endAsGate(found, given.failOn, given.as !== undefined);
  });

function print(found: Review, format: Options["format"]): void {
  if (format === "json") printDocument<ReviewDocument>(reviewDocumentOf(found));
  else process.stdout.write(`${format === "markdown" ? reviewMarkdown(found) : reviewText(found)}\n`);
}

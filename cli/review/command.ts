import { Option } from "commander";
import { severities, type Severity } from "../../access/severity";
import { type PreviewFile, readPreviewFile } from "../../inventory/preview-file";
import { messageOf, PlatformError } from "../../provider/client/errors";
import { printable } from "../../provider/client/printable";
import { command, jsonOption } from "../shell/command";
import { printDocument } from "../documents/document";
import type { ReviewDocument } from "../documents/review";
import { exitCode, UsageError } from "../shell/exit-codes";
import { readText } from "../shell/files";
import { Progress } from "../shell/progress";
import { stackConfiguration } from "../shell/stack";
import { reviewDocumentOf } from "./document";
import { type Configured, knownOffline, knownOnline } from "./known";
import { reviewMarkdown } from "./markdown";
import { type Review, reviewOf } from "./review";
import { runPreview } from "./run-preview";
import { reviewText } from "./text";

interface Options {
  stack?: string;
  file?: string;
  refresh?: boolean;
  format: "text" | "markdown" | "json";
  json?: boolean;
  failOn?: Severity | "any";
  offline?: boolean;
  strict?: boolean;
}

/** Says in words who gains and who loses what by an update, from its preview. */
export const review = command("review", {
  summary: "who gains and who loses access by an update, from its preview",
  description:
    "Says in words who gains and who loses access by an update, ranked by what it gives. Reads the preview of the program in this\n" +
    "folder, or a file that `pulumi preview --json --show-sames` has written. Nothing is changed.\n" +
    "With PLATFORM_BASE_URL and credentials, or the stack's, names and access outside the program are read from the platform.",
  examples: [
    ["review --stack live", "previews the program in this folder, and reviews that"],
    ["review --file preview.json --format markdown", "the text of a comment on a pull request"],
    ["review --file preview.json --fail-on high", "for a gate: exits with 7 on a high or critical change"],
  ],
  exitCodes: {
    [exitCode.failed]:
      "failed, or the preview itself failed, or with --fail-on: something decisive is not shown; standard error says what",
    [exitCode.findings]: "with --fail-on: there is a change of that severity or worse",
  },
})
  .option("--stack <STACK>", "the stack to preview, whose configuration says where the platform is (default: the selected one)")
  .option("--file <FILE>", "read a preview instead of running one; - for standard input")
  .option("--refresh", "preview with --refresh: what was changed by hand counts")
  .addOption(new Option("--format <FORMAT>", "the form of the result").choices(["text", "markdown", "json"]).default("text"))
  .addOption(jsonOption("review"))
  .addOption(
    new Option("--fail-on <SEVERITY>", "exit with 7 on a change of this severity or worse").choices([
      ...severities.slice(0, 4),
      "any",
    ]),
  )
  .option("--offline", "do not contact the platform: use only the preview")
  .option("--strict", "--fail-on cannot pass where the program may have computed a value that decides access")
  .action(async (options: Options) => {
    if (options.file !== undefined && options.refresh === true)
      throw new UsageError(
        "--refresh is for previews that the command runs. Write the file with `pulumi preview --json --show-sames --refresh`.",
      );
    const progress = new Progress();
    progress.update(options.file === undefined ? "Previewing..." : "Reading...");
    const file = await readPreview(options);
    progress.update("Asking the platform...");
    const found = reviewOf(file, await known(file, options), { isStrict: options.strict === true });
    progress.clear();
    print(found, options.json === true ? "json" : options.format);
    end(found, options.failOn);
  });

async function readPreview({ file, stack, refresh }: Options): Promise<PreviewFile> {
  if (file === undefined) return runPreview({ ...(stack && { stack }), ...(refresh && { refresh }) });
  const source = file === "-" ? "Standard input" : file;
  const preview = readPreviewFile(await readText(file), printable(source));
  if (!preview.isOurs)
    throw new PlatformError(
      "INVALID_INPUT",
      `${printable(source)} is the preview of another program: none of its resources is one of the platform.`,
    );
  return preview;
}

/** What the platform knows; without it, or where it cannot be asked, what is published. */
async function known(file: PreviewFile, { offline, stack }: Options): ReturnType<typeof knownOnline> {
  const isAlone = offline === true || (stack === undefined && !process.env["PLATFORM_BASE_URL"]);
  let configured: Configured;
  try {
    // Offline too: it says which identities are marked as break-glass.
    if (stack !== undefined) configured = await stackConfiguration(stack);
    return isAlone ? knownOffline(configured) : await knownOnline(file, configured);
  } catch (error) {
    return knownOffline(configured, [{ what: isAlone ? "the configuration" : "the platform", reason: messageOf(error) }]);
  }
}

function print(found: Review, format: Options["format"]): void {
  if (format === "json") printDocument<ReviewDocument>(reviewDocumentOf(found));
  else process.stdout.write(`${format === "markdown" ? reviewMarkdown(found) : reviewText(found)}\n`);
}

function end({ errors, changes, undecided }: Review, failOn: Options["failOn"]): void {
  if (errors.length > 0)
    throw new PlatformError(
      "INVALID_INPUT",
      `The preview failed, so the review is incomplete. Correct the program, then review again:\n${errors.map((each) => `- ${each}`).join("\n")}`,
    );
  const worst = severities.slice(
    0,
    failOn === undefined ? 0 : failOn === "any" ? severities.length : severities.indexOf(failOn) + 1,
  );
  if (changes.some(({ severity }) => worst.includes(severity))) process.exitCode = exitCode.findings;
  else if (failOn !== undefined && undecided.length > 0)
    throw new PlatformError(
      "FAILED_PRECONDITION",
      `--fail-on ${failOn} cannot be decided, because not everything is shown:\n${undecided.map(({ what, reason }) => `- ${what}: ${reason}`).join("\n")}\n` +
        "Preview with --show-sames, pass what decides access as a plain value, and let the review read the organisation; --offline reviews without that.",
    );
}

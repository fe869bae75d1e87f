import { printDocument } from "../documents/document";
import type { ReportDocument } from "../documents/report";
import { command, jsonOption, outOption } from "../shell/command";
import { exitCode, UsageError } from "../shell/exit-codes";
import { writeText } from "../shell/files";
import { withProgress } from "../shell/progress";
import { settingsText } from "../shell/settings";
import { sourcesOf, type StateOptions, withStates } from "../shell/states";
import { notesText } from "../text/notes";
import { oneLine } from "../text/one-line";
import { builtAssets, reportHtml } from "./html";
import { type ReadOptions, readReport } from "./read";

interface Options extends StateOptions, ReadOptions {
  readonly output?: string;
  readonly out?: string;
  readonly json?: true;
}

/** Writes the organisation and its access as one page. */
export const report = withStates(
  command("report", {
    summary: "the organisation, its access and its drift as one HTML page",
    description:
      "Writes one HTML file that needs no network: the organisation as a tree, who has which role where as a matrix, a search for who\n" +
      "can reach what, and, with a state, what differs from it. Sends only Lists.\n" +
      settingsText,
    examples: [
      ["report --output access.html", "the whole organisation"],
      ["report --stack prod --root acme/engineering --output access.html", "one group and what is below, with drift marked"],
    ],
    exitCodes: { [exitCode.failed]: "failed, or something could not be read: the page, if it was written, says what" },
  }),
  "to mark drift: ",
)
  .option("--output <FILE>", "the file to write")
  .addOption(outOption())
  .option("--root <UID|PATH>", "the group at the top (default: the configured organisation, else that of the states)")
  .option("--ignore <FILE>", "accepted findings and gaps, each with an owner, as for drift")
  .addOption(jsonOption("report"))
  .action(async ({ out, output = out, json, ...options }: Options) => {
    if (output === undefined) throw new UsageError("Where to? Pass --output FILE.");
    const sources = await sourcesOf(options);
    const data = await withProgress(async (progress) => {
      const read = await readReport(sources, options, progress);
      await writeText(output, reportHtml(read, builtAssets()));
      return read;
    });
    const { groups, identities, grants, findings, unreadable, gaps } = data;
    const notes = [...gaps, ...data.notes];
    const written = {
      file: output,
      groups: groups.length,
      identities,
      grants: grants.length,
      ...(findings && { findings: findings.length }),
      unreadable: unreadable.map(({ what, reason }) => ({ what, reason })),
      notes,
    };
    process.stderr.write(notesText(notes));
    if (json) printDocument<ReportDocument>(written);
    else process.stdout.write(summary(written));
    const isUnclear = findings?.some((finding) => finding.class === "unreadable") === true;
    if (unreadable.length > 0 || isUnclear) process.exitCode = exitCode.failed;
  });

function summary({ file, groups, identities, grants, findings, unreadable }: Omit<ReportDocument, "version">): string {
  const drift = findings === undefined ? "" : `, ${findings} differences from the states`;
  const lines = [
    `Wrote ${file}: ${groups} groups, ${identities} identities, ${grants} grants${drift}.`,
    ...(unreadable.length > 0 ? ["Incomplete; these could not be read:"] : []),
    ...unreadable.map(({ what, reason }) => `  ${what}: ${reason}`),
  ];
  return lines.map((line) => `${oneLine(line)}\n`).join("");
}

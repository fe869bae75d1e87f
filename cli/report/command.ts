import { verifyOrganization } from "../../drift/scope";
import { readInventory } from "../../inventory/platform";
import { reportData } from "../../report/data";
import { connect } from "../../provider/credentials";
import { command, jsonOption, several } from "../shell/command";
import { printDocument } from "../documents/document";
import type { ReportDocument } from "../documents/report";
import { findDrift } from "../../drift/compare";
import { notesText } from "../drift/formats/shared";
import { guardedBy, readStatesOf, rootUid, type StateOptions } from "../drift/states";
import { exitCode, UsageError } from "../shell/exit-codes";
import { writeText } from "../shell/files";
import { oneLine } from "../text/one-line";
import { Progress } from "../shell/progress";
import { builtAssets, reportHtml } from "./html";

interface Options extends StateOptions {
  readonly root?: string;
  readonly out?: string;
  readonly json?: true;
}

/** Writes the organisation and its access as one page. */
export const report = command("report", {
  summary: "the organisation, its access and its drift as one HTML page",
  description:
    "Writes one HTML file that needs no network: the organisation as a tree, who has which role where as a matrix, a search for who\n" +
    "can reach what, and, with --stack or --state, what differs from these states. Sends only Lists.\n" +
    "Address and credentials come from the first --stack and the environment (PLATFORM_BASE_URL, PLATFORM_TOKEN and so on).",
  examples: [
    ["report --out access.html", "the whole organisation"],
    ["report --stack prod --root acme/engineering --out access.html", "one group and what is below, with drift marked"],
  ],
  exitCodes: { [exitCode.failed]: "failed, or something could not be read: the page, if it was written, says what" },
})
  .option("--out <FILE>", "the file to write")
  .option("--root <UID|PATH>", "the group at the top (default: the configured organisation, else that of the states)")
  .option("--stack <STACK>", "a stack of the program in this folder, to mark drift; may be repeated", several)
  .option("--state <FILE>", "output of `pulumi stack export`, to mark drift; may be repeated; - is standard input", several)
  .addOption(jsonOption("report"))
  .action(async (options: Options) => {
    const { out, root: wanted, json } = options;
    if (out === undefined) throw new UsageError("Where to? Pass --out FILE.");
    const hasStates = options.stack !== undefined || options.state !== undefined;
    const progress = new Progress();
    try {
      progress.update("Reading the organisation");
      const { states, configuration } = await readStatesOf(options);
      if (wanted === undefined && configuration.organization === undefined && !hasStates)
        throw new UsageError("Which organisation? Pass --root UID, or set PLATFORM_ORGANIZATION.");
      const client = connect(configuration);
      const root = await rootUid(client, wanted, configuration.organization, states);
      if (hasStates) verifyOrganization(states, root, wanted !== undefined);
      const inventory = await readInventory(client, root);
      const readAt = client.now();
      const data = reportData(inventory, new Date(readAt));
      const { findings, notes = [] } = hasStates
        ? findDrift(inventory, states, readAt, await guardedBy(client, configuration))
        : {};
      await writeText(out, reportHtml({ ...data, notes, ...(findings && { findings }) }, builtAssets()));
      progress.clear();
      const written = {
        file: out,
        groups: data.groups.length,
        identities: data.holders.length,
        grants: data.grants.length,
        ...(findings && { findings: findings.length }),
        unreadable: data.unreadable.map(({ what, reason }) => ({ what, reason })),
        notes,
      };
      process.stderr.write(notesText(notes));
      if (json) printDocument<ReportDocument>(written);
      else process.stdout.write(summary(written));
      const isUnclear = findings?.some((finding) => finding.class === "unreadable") === true;
      if (data.unreadable.length > 0 || isUnclear) process.exitCode = exitCode.failed;
    } finally {
      progress.clear();
    }
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

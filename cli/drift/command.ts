import { stripVTControlCharacters } from "node:util";
import { verifyOrganization } from "../../drift/scope";
import { kindNamed } from "../../inventory/kinds";
import { readInventory } from "../../inventory/platform";
import { referencesInValue } from "../../inventory/references";
import { suggest } from "../../provider/client/nearest-name";
import { literal } from "../../provider/client/printable";
import { connect } from "../../provider/credentials";
import { jsonOption, several } from "../shell/command";
import { documentVersion } from "../documents/document";
import type { DriftDocument } from "../documents/drift";
import { exitCode, UsageError } from "../shell/exit-codes";
import { readText, writeText } from "../shell/files";
import { Progress } from "../shell/progress";
import { markKnown, readBaseline } from "../../drift/baseline";
import { findDrift } from "../../drift/compare";
import { formats } from "./formats";
import { newFindings, notesText } from "./formats/shared";
import { ignore, readIgnoreFile } from "../../drift/ignore-file";
import { driftCommand, type DriftOptions, requireState } from "./options";
import { guardedBy, readStatesOf, rootUid } from "./states";

interface Options extends DriftOptions {
  readonly format?: string;
  readonly json?: true;
  readonly output?: readonly string[];
}

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
  .action(async (options: Options) => {
    requireState(options);
    const outputs = outputsIn(options);
    // Whatever is wrong with the files is found before anything is sent.
    const [ignoreEntries = [], baseline = []] = await Promise.all([
      readWith(readIgnoreFile, options.ignore),
      readWith(readBaseline, options.baseline),
    ]);
    const progress = new Progress();
    progress.update("Reading states");
    const { states, configuration } = await readStatesOf(options);
    const client = connect(configuration);
    progress.update("Reading the organisation");
    try {
      const root = await rootUid(client, options.root, configuration.organization, states);
      verifyOrganization(states, root, options.root !== undefined);
      const named = [...states.managed, ...states.referred].flatMap(({ kind, value }) =>
        referencesInValue(kindNamed(kind), value),
      );
      const inventory = await readInventory(client, root, { named });
      const now = client.now();
      const found = { ...findDrift(inventory, states, now, await guardedBy(client, configuration)), requests: client.requests };
      const kept = ignore(found.findings, ignoreEntries, now, options.ignore ?? "");
      const marked = markKnown(kept.findings, baseline, options.baseline ?? "");
      const result: DriftDocument = {
        version: documentVersion,
        ...found,
        findings: marked.findings,
        ignored: kept.ignored,
        notes: [...found.notes, ...kept.notes, ...marked.notes],
      };
      progress.clear();
      await print(result, outputs);
    } finally {
      progress.clear();
    }
  });

async function readWith<Result>(
  reader: (content: string, file: string) => Result,
  file: string | undefined,
): Promise<Result | undefined> {
  return file === undefined ? undefined : reader(await readText(file), file);
}

/** Where the result goes, in which format; no file is standard output. */
interface Output {
  readonly format: string;
  readonly file?: string;
}

function outputsIn({ format, json, output = [] }: Options): Output[] {
  if (json && format !== undefined && format !== "json") throw new UsageError("--json and --format exclude each other.");
  const files = output.map((each): Output => {
    const [, name, file] = /^([^=]*)=(.+)$/s.exec(each) ?? [];
    if (name === undefined || file === undefined) throw new UsageError(`--output ${literal(each)} is not FORMAT=FILE.`);
    return { format: name, file };
  });
  const all = [{ format: json ? "json" : (format ?? "text") }, ...files];
  const known = Object.keys(formats);
  const unknown = all.find((each) => !known.includes(each.format));
  if (unknown === undefined) return all;
  throw new UsageError(
    `There is no format ${literal(unknown.format)}; ${suggest(unknown.format, known, "formats", (each) => each)}`,
  );
}

async function print(result: DriftDocument, outputs: readonly Output[]): Promise<void> {
  // Before anything is written to standard output: whoever reads that may stop early, which ends the process.
  process.exitCode = codeOf(result);
  const contentIn = (format: string) => formats[format]?.(result) ?? "";
  for (const { format, file } of outputs)
    if (file !== undefined) await writeText(file, stripVTControlCharacters(contentIn(format)));
  process.stderr.write(notesText(result.notes));
  for (const { format, file } of outputs) if (file === undefined) process.stdout.write(contentIn(format));
}

/** What could not be read is never clean; what has done its work is no drift. */
function codeOf(result: DriftDocument): number {
  const found = newFindings(result);
  if (found.some((finding) => finding.class === "unreadable")) return exitCode.failed;
  return found.some((finding) => finding.class !== "settled") ? exitCode.findings : exitCode.ok;
}

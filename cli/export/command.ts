import { Option } from "commander";
import { printable } from "../../provider/client/printable";
import { printDocument } from "../documents/document";
import type { ExportDocument } from "../documents/export";
import { command, jsonOption, outOption } from "../shell/command";
import { exitCode, UsageError } from "../shell/exit-codes";
import { withProgress } from "../shell/progress";
import { settingsText } from "../shell/settings";
import { sourcesOf, type StateOptions, withStates } from "../shell/states";
import { notesText } from "../text/notes";
import { exportTo, type Wanted } from "./export-to";
import { summary } from "./result";

interface Options extends Omit<Wanted, "out" | "sources">, StateOptions {
  output?: string;
  out?: string;
  onlyUnmanaged?: true;
  json?: true;
}

/** Writes an organisation as a program. */
export const exportCommand = withStates(
  command("export", {
    summary: "an organisation as a program, and its objects in a stack",
    description:
      "Writes a group and everything below it as a Pulumi program that declares it as it is: files that follow the tree, references\n" +
      "by variable, roles by name, stable logical names. Beside it, import.json puts the objects into a state. Reads only.\n" +
      `${settingsText}\n` +
      "Guide: docs/commands/export.md.",
    examples: [
      ["export --root acme/engineering --output engineering", "a program for a group and what is below it"],
      ["export --output acme --import", "the whole organisation, and a stack `main` that has it"],
      ["export --output rest --only-unmanaged --state-of prod", "what no program declares yet"],
    ],
    exitCodes: { [exitCode.findings]: "with --import: the stack has the objects, but a preview shows changes" },
  }),
  "with --only-unmanaged: ",
)
  .option("--root <UID|PATH>", "the group to export (default: the configured organisation)")
  .option("--output <DIR>", "folder for the program: empty, or new")
  .addOption(outOption())
  .addOption(
    new Option("--format <FORMAT>", "typescript, or yaml for the native plugin")
      .choices(["typescript", "yaml"])
      .default("typescript"),
  )
  .option("--only-unmanaged", "leave out what the states manage")
  .option("--import [STACK]", "take the objects over into a new stack (default: main), and show that nothing changes")
  .option("--no-protect", "leave out the option `protect`, which groups, identities and control of the root have")
  .option(
    "--ignore <FILE>",
    "kinds that these credentials may not list, each with an owner, as for drift: the program lacks them",
  )
  .addOption(jsonOption("export"))
  .action(async ({ onlyUnmanaged, json, out: earlier, output: out = earlier, ...options }: Options) => {
    const { stack, stateOf = [], stateFile = [], state = [], ...wanted } = options;
    if (out === undefined) throw new UsageError("Where to? Pass --output DIR.");
    if (!onlyUnmanaged && stateOf.length + stateFile.length + state.length > 0)
      throw new UsageError("--state-of and --state-file need --only-unmanaged.");
    const sources = await sourcesOf(options);
    const isNamed = sources.stacks.length + sources.files.length > 0;
    if (onlyUnmanaged && !isNamed) throw new UsageError("Managed by what? Pass --state-of STACK or --state-file FILE.");
    const managed = onlyUnmanaged ? sources : { ...sources, stacks: [] };
    const { program, written, changes, gaps } = await withProgress((progress) =>
      exportTo({ ...wanted, out, sources: managed }, progress),
    );
    process.stderr.write(notesText(gaps));
    if (changes !== undefined) process.exitCode = exitCode.findings;
    if (json) printDocument<ExportDocument>(written);
    else process.stdout.write(printable(summary(program, written)));
    if (changes !== undefined) process.stderr.write(printable(`The preview shows changes:\n${changes.trim()}\n`));
  });

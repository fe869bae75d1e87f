import { Option } from "commander";
import { printable } from "../../provider/client/printable";
import { printDocument } from "../documents/document";
import type { ExportDocument } from "../documents/export";
import { command, jsonOption, several } from "../shell/command";
import { exitCode, UsageError } from "../shell/exit-codes";
import { withProgress } from "../shell/progress";
import { notesText } from "../text/notes";
import { exportTo, type Wanted } from "./export-to";
import { summary } from "./result";

interface Options extends Omit<Wanted, "out"> {
  out?: string;
  onlyUnmanaged?: true;
  json?: true;
}

/** Writes an organisation as a program. */
export const exportCommand = command("export", {
  summary: "an organisation as a program, and its objects in a stack",
  description:
    "Writes a group and everything below it as a Pulumi program that declares it as it is: files that follow the tree, references\n" +
    "by variable, roles by name, stable logical names. Beside it, import.json puts the objects into a state. Reads only.\n" +
    "Address and credentials come from the environment (PLATFORM_BASE_URL, PLATFORM_TOKEN and so on), not from a stack.\n" +
    "Guide: docs/commands/export.md.",
  examples: [
    ["export --root acme/engineering --out engineering", "a program for a group and what is below it"],
    ["export --out acme --import", "the whole organisation, and a stack `main` that has it"],
    ["export --out rest --only-unmanaged --stack acme/prod", "what no program declares yet"],
  ],
  exitCodes: { [exitCode.findings]: "with --import: the stack has the objects, but a preview shows changes" },
})
  .option("--root <UID|PATH>", "the group to export (default: PLATFORM_ORGANIZATION)")
  .option("--out <DIR>", "folder for the program: empty, or new")
  .addOption(
    new Option("--format <FORMAT>", "typescript, or yaml for the native plugin")
      .choices(["typescript", "yaml"])
      .default("typescript"),
  )
  .option("--only-unmanaged", "leave out what the stacks and states manage")
  .option("--stack <STACK>", "with --only-unmanaged: a stack of the program in the working directory; may be repeated", several)
  .option("--state <FILE>", "with --only-unmanaged: output of `pulumi stack export`; may be repeated", several)
  .option("--import [STACK]", "take the objects over into a new stack (default: main), and show that nothing changes")
  .option("--no-protect", "leave out the option `protect`, which groups, identities and control of the root have")
  .option(
    "--ignore <FILE>",
    "kinds that these credentials may not list, each with an owner, as for drift: the program lacks them",
  )
  .addOption(jsonOption("export"))
  .action(async ({ onlyUnmanaged, json, out, ...options }: Options) => {
    const isNamed = (options.stack?.length ?? 0) + (options.state?.length ?? 0) > 0;
    if (out === undefined) throw new UsageError("Where to? Pass --out DIR.");
    if (!onlyUnmanaged && isNamed) throw new UsageError("--stack and --state need --only-unmanaged.");
    if (onlyUnmanaged && !isNamed) throw new UsageError("Managed by what? Pass --stack STACK or --state FILE.");
    const { program, written, changes, gaps } = await withProgress((progress) => exportTo({ ...options, out }, progress));
    process.stderr.write(notesText(gaps));
    if (changes !== undefined) process.exitCode = exitCode.findings;
    if (json) printDocument<ExportDocument>(written);
    else process.stdout.write(printable(summary(program, written)));
    if (changes !== undefined) process.stderr.write(printable(`The preview shows changes:\n${changes.trim()}\n`));
  });

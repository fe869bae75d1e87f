import path from "node:path";
import { PlatformError } from "../../provider/client/errors";
import { printable } from "../../provider/client/printable";
import { command, outOption } from "../shell/command";
import { UsageError } from "../shell/exit-codes";
import { readText, writeText } from "../shell/files";
import { importFile, removalOf } from "./import-file";
import { convertAll, providerOf } from "./conversion";
import { lines, report } from "./report";
import { readState } from "./state";

interface Options {
  state?: string;
  output?: string;
  out?: string;
  removed?: string;
  provider?: string;
}

/** Converts a Terraform state to a file for `pulumi import`. */
export const fromTerraform = command("from-terraform", {
  summary: "a file for pulumi import, from a Terraform state",
  description:
    "Converts a state of the platform's Terraform provider to a file for `pulumi import --file`. Does not contact the platform and changes\n" +
    "nothing. What was converted, and what was not and why, goes to standard error. The file has no secrets.\n" +
    "Guide: docs/guides/from-terraform.md.",
  examples: [
    ["from-terraform --state terraform.tfstate --output import.json", "from a state file"],
    ["from-terraform --state - > import.json", "from what `terraform show -json` prints"],
  ],
})
  .option("--state <FILE>", "a state file, or what `terraform show -json` prints; - is standard input")
  .option("--output <FILE>", "where to write the file for pulumi import (default: standard output)")
  .addOption(outOption())
  .option("--removed <FILE>", "where to write the blocks that make Terraform forget the objects (default: nowhere)")
  .option("--provider <NAME>", "prefix of the provider's types, if the state has several that fit")
  .action(async ({ state, out, output = out, removed, provider }: Options) => {
    if (state === undefined) throw new UsageError("Which state? Pass --state FILE, or --state - for standard input.");
    const files = [state, output, removed].flatMap((file) => (file === undefined || file === "-" ? [] : [path.resolve(file)]));
    if (new Set(files).size < files.length) throw new UsageError("--state, --output and --removed must be different files.");
    const objects = readState(await readText(state), state === "-" ? "Standard input" : state);
    const result = convertAll(objects, providerOf(objects, provider));
    if (result.problems.length > 0)
      throw new PlatformError(
        "INVALID_INPUT",
        `Nothing was written: no resource can have these values.\n${lines(result.problems)}\nCorrect them with Terraform, then convert again.`,
      );
    const removal = removalOf(result.converted, new Set(result.unconverted.map(({ object }) => object.block)));
    if (removed !== undefined) await writeText(removed, removal.blocks);
    const file = importFile(result.converted);
    if (output === undefined) process.stdout.write(file);
    else await writeText(output, file);
    process.stderr.write(printable(report(result, removal.partial, output ?? "FILE")));
  });

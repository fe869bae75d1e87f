import { printable } from "../../provider/client/printable";
import { printDocument } from "../documents/document";
import type { FromTerraformDocument } from "../documents/from-terraform";
import { command, jsonOption, outOption } from "../shell/command";
import { UsageError } from "../shell/exit-codes";
import { convertState, type Wanted } from "./convert";
import { importFile } from "./import-file";
import { documentOf, report } from "./report";

interface Options {
  state?: string;
  output?: string;
  out?: string;
  program?: string;
  removed?: string;
  provider?: string;
  json?: true;
}

/** Converts a Terraform state to a file for `pulumi import`, and a program. */
export const fromTerraform = command("from-terraform", {
  summary: "a program and a file for pulumi import, from a Terraform state",
  description:
    "Converts a state of the platform's Terraform provider to a file for `pulumi import --file`, and to a program that declares the objects.\n" +
    "Does not contact the platform and changes nothing. What was converted, and what was not and why, goes to standard error. No file has\n" +
    "secrets. Guide: docs/guides/from-terraform.md.",
  examples: [
    ["from-terraform --state terraform.tfstate --program acme", "a program in the folder acme, with import.json"],
    ["from-terraform --state terraform.tfstate --output import.json", "the file alone, from a state file"],
    ["from-terraform --state - > import.json", "from what `terraform show -json` prints"],
  ],
})
  .option("--state <FILE>", "a state file, or what `terraform show -json` prints; - is standard input")
  .option("--output <FILE>", "where to write the file for pulumi import (default: standard output)")
  .addOption(outOption())
  .option("--program <DIR>", "folder for a program in TypeScript and its import.json: empty, or new")
  .option("--removed <FILE>", "where to write the blocks that make Terraform forget the objects (default: nowhere)")
  .option("--provider <NAME>", "prefix of the provider's types, if the state has several that fit")
  .addOption(jsonOption("from-terraform"))
  .action(async ({ json, ...options }: Options) => {
    const wanted = wantedOf(options, json === true);
    const { result, removal, provider, file, program } = await convertState(wanted);
    if (file === undefined) process.stdout.write(importFile(result.converted));
    if (json && file !== undefined)
      printDocument<FromTerraformDocument>(documentOf(result, { file, provider, partial: removal.partial, program }));
    else process.stderr.write(printable(report(result, removal.partial, file ?? "FILE", wanted.program)));
  });

/** @throws UsageError if an option is missing or contradicts another one */
function wantedOf({ state, out, output = out, program, removed, provider }: Omit<Options, "json">, isDocument: boolean): Wanted {
  if (state === undefined) throw new UsageError("Which state? Pass --state FILE, or --state - for standard input.");
  if (program !== undefined && output !== undefined)
    throw new UsageError("Pass --program or --output: the folder of the program has the file for pulumi import.");
  if (isDocument && program === undefined && output === undefined)
    throw new UsageError("Where to? With --json, pass --program DIR or --output FILE.");
  return { state, output, program, removed, provider };
}

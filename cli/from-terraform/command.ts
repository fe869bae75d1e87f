import path from "node:path";
import { PlatformError } from "../../provider/client/errors";
import { suggest } from "../../provider/client/nearest-name";
import { list, printable } from "../../provider/client/printable";
import { command } from "../shell/command";
import { UsageError } from "../shell/exit-codes";
import { readText, writeText } from "../shell/files";
import { importFile, logicalNames, removalOf } from "./import-file";
import { type Conversions, convertAll, providersIn } from "./conversion";
import { readState, type TerraformObject } from "./state";

interface Options {
  state?: string;
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
    ["from-terraform --state terraform.tfstate --out import.json", "from a state file"],
    ["from-terraform --state - > import.json", "from what `terraform show -json` prints"],
  ],
})
  .option("--state <FILE>", "a state file, or what `terraform show -json` prints; - is standard input")
  .option("--out <FILE>", "where to write the file for pulumi import (default: standard output)")
  .option("--removed <FILE>", "where to write the blocks that make Terraform forget the objects (default: nowhere)")
  .option("--provider <NAME>", "prefix of the provider's types, if the state has several that fit")
  .action(async ({ state, out, removed, provider }: Options) => {
    if (state === undefined) throw new UsageError("Which state? Pass --state FILE, or --state - for standard input.");
    const files = [state, out, removed].flatMap((file) => (file === undefined || file === "-" ? [] : [path.resolve(file)]));
    if (new Set(files).size < files.length) throw new UsageError("--state, --out and --removed must be different files.");
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
    if (out === undefined) process.stdout.write(file);
    else await writeText(out, file);
    process.stderr.write(printable(report(result, removal.partial, out ?? "FILE")));
  });

/** The prefix of the types of the platform's provider. */
function providerOf(objects: readonly TerraformObject[], given: string | undefined): string {
  const found = providersIn(objects);
  const all = [...new Set(objects.map(({ type }) => type.split("_", 1).join("")))].sort();
  if (given !== undefined) {
    if (all.includes(given)) return given;
    throw new UsageError(`The state has no type that begins with ${given}_; ${suggest(given, all, "prefixes in it")}`);
  }
  const [only, ...others] = found;
  if (only === undefined)
    throw new PlatformError("INVALID_INPUT", "The state has no objects of the platform's provider. Nothing was written.");
  if (others.length > 0)
    throw new UsageError(`Which provider is the platform's? Pass --provider NAME: the types of ${list(found)} fit.`);
  return only;
}

function report({ converted, unconverted }: Conversions, partial: readonly string[], file: string): string {
  const names = logicalNames(converted);
  const parts: [string, string[]][] = [
    [
      `Converted (${converted.length}):`,
      converted.map(({ object, kind }, index) => `${object.address} -> ${kind.name} ${JSON.stringify(names[index])}`),
    ],
    ["To know:", converted.flatMap(({ object, notes }) => notes.map((note) => `${object.address}: ${note}.`))],
    [
      `Not converted (${unconverted.length}); Terraform keeps them:`,
      unconverted.map(({ object, reason }) => `${object.address}: ${reason}.`),
    ],
    [
      "Without a removed block, since it would also forget an object that is not converted:",
      partial.map((block) => `${block}: forget its instances with \`terraform state rm\`.`),
    ],
    [
      "Next, with a program that declares them under these names:",
      [
        `pulumi import --file ${file} --generate-code=false --protect=false`,
        "pulumi preview --refresh --run-program --expect-no-changes",
      ],
    ],
  ];
  return parts.map(([title, rows]) => (rows.length === 0 ? "" : `${title}\n${lines(rows)}\n\n`)).join("");
}

function lines(rows: readonly string[]): string {
  return rows.map((row) => `  ${row}`).join("\n");
}

import type { FromTerraformDocument } from "../documents/from-terraform";
import type { Conversions } from "./conversion";
import { importName } from "./project";
import { logicalNames } from "./import-file";

/** The result as a document, without its version. */
export function documentOf(
  { converted, unconverted }: Conversions,
  { partial, program, ...about }: Pick<FromTerraformDocument, "file" | "provider" | "program"> & { partial: readonly string[] },
): Omit<FromTerraformDocument, "version"> {
  const names = logicalNames(converted);
  return {
    ...about,
    ...(program && { program }),
    converted: converted.map(({ object: { address }, kind, id, notes }, index) => ({
      ...{ address, kind: `${kind.collection.area}:${kind.name}`, name: names[index] ?? id, uid: id },
      notes: [...notes],
    })),
    unconverted: unconverted.map(({ object: { address }, reason }) => ({ address, reason })),
    partial: [...partial],
  };
}

/**
 * The converted objects, the others with the reasons, and the next steps.
 *
 * @param file the file for `pulumi import`
 * @param program folder of the written program, if there is one
 */
export function report(
  { converted, unconverted }: Conversions,
  partial: readonly string[],
  file: string,
  program: string | undefined,
): string {
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
      program === undefined ? "Next, with a program that declares them under these names:" : `Next, in ${program}:`,
      [
        ...(program === undefined ? [] : ["npm install && pulumi stack init main"]),
        `pulumi import --file ${program === undefined ? file : importName} --generate-code=false --protect=false`,
        "pulumi preview --refresh --run-program --expect-no-changes",
      ],
    ],
  ];
  return parts.map(([title, rows]) => (rows.length === 0 ? "" : `${title}\n${lines(rows)}\n\n`)).join("");
}

/** A line for each row, indented. */
export function lines(rows: readonly string[]): string {
  return rows.map((row) => `  ${row}`).join("\n");
}

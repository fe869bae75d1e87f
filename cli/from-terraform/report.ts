import type { Conversions } from "./conversion";
import { logicalNames } from "./import-file";

/** The converted objects, the others with the reasons, and the next steps. @param file the file for `pulumi import` */
export function report({ converted, unconverted }: Conversions, partial: readonly string[], file: string): string {
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

/** A line for each row, indented. */
export function lines(rows: readonly string[]): string {
  return rows.map((row) => `  ${row}`).join("\n");
}

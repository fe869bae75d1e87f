import { stripVTControlCharacters } from "node:util";
import { suggest } from "../../provider/client/nearest-name";
import { literal } from "../../provider/client/printable";
import type { DriftDocument } from "../documents/drift";
import { exitCode, UsageError } from "../shell/exit-codes";
import { writeText } from "../shell/files";
import { notesText } from "../text/notes";
import { formats } from "./formats";
import { newFindings } from "./formats/shared";

/** Options for the destination of the result. */
export interface OutputOptions {
  readonly format?: string;
  readonly json?: true;
  readonly output?: readonly string[];
}

/** A destination and a format. Without a file, the destination is standard output. */
interface Output {
  readonly format: string;
  readonly file?: string;
}

/** @throws UsageError */
export function outputsIn({ format, json, output = [] }: OutputOptions): Output[] {
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

/** Prints the result, and sets the exit code. */
export async function print(result: DriftDocument, outputs: readonly Output[]): Promise<void> {
  // Set before anything is written to standard output, because a reader that stops early ends the process.
  process.exitCode = codeOf(result);
  const contentIn = (format: string) => formats[format]?.(result) ?? "";
  for (const { format, file } of outputs)
    if (file !== undefined) await writeText(file, stripVTControlCharacters(contentIn(format)));
  process.stderr.write(notesText(result.notes));
  for (const { format, file } of outputs) if (file === undefined) process.stdout.write(contentIn(format));
}

/** An unreadable part is never clean, and a settled object is no drift. */
function codeOf(result: DriftDocument): number {
  const found = newFindings(result);
  if (found.some((finding) => finding.class === "unreadable")) return exitCode.failed;
  return found.some((finding) => finding.class !== "settled") ? exitCode.findings : exitCode.ok;
}

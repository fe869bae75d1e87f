import path from "node:path";
import { PlatformError } from "../../provider/client/errors";
import { requireEmpty } from "../project/write-project";
import { UsageError } from "../shell/exit-codes";
import { readText, writeText } from "../shell/files";
import { type Conversions, convertAll, providerOf } from "./conversion";
import { importFile, type Removal, removalOf } from "./import-file";
import { importName, writeProgram } from "./project";
import { lines } from "./report";
import { readState } from "./state";

/** The files to convert, by the names of the command's options. */
export interface Wanted {
  readonly state: string;
  readonly output: string | undefined;
  readonly program: string | undefined;
  readonly removed: string | undefined;
  readonly provider: string | undefined;
}

/** A converted state and its files. */
export interface Converting {
  readonly result: Conversions;
  readonly removal: Removal;
  readonly provider: string;
  /** The file for `pulumi import`; undefined if it belongs on standard output. */
  readonly file: string | undefined;
  readonly program: { readonly folder: string; readonly files: string[] } | undefined;
}

/** Converts a state and writes the requested files. @throws PlatformError before anything is written if a value is wrong */
export async function convertState({ state, output, program, removed, provider: named }: Wanted): Promise<Converting> {
  const file = program === undefined ? output : path.join(program, importName);
  requireDifferent([state, file, removed]);
  if (program !== undefined) await requireEmpty(program);
  const objects = readState(await readText(state), state === "-" ? "Standard input" : state);
  const provider = providerOf(objects, named);
  const result = convertAll(objects, provider);
  if (result.problems.length > 0)
    throw new PlatformError(
      "INVALID_INPUT",
      `Nothing was written: no resource can have these values.\n${lines(result.problems)}\nCorrect them with Terraform, then convert again.`,
    );
  const removal = removalOf(result.converted, new Set(result.unconverted.map(({ object }) => object.block)));
  const written = program === undefined ? undefined : { folder: program, files: await writeProgram(program, result) };
  if (removed !== undefined) await writeText(removed, removal.blocks);
  if (output !== undefined) await writeText(output, importFile(result.converted));
  return { result, removal, provider, file, program: written };
}

/** @throws UsageError if two options name one file */
function requireDifferent(given: readonly (string | undefined)[]): void {
  const files = given.flatMap((each) => (each === undefined || each === "-" ? [] : [path.resolve(each)]));
  if (new Set(files).size < files.length) throw new UsageError("--state, --output and --removed must be different files.");
}

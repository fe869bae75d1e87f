import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Schema } from "./schema-form";

/** A program in each language, by the language of its fenced block: `python`. */
export type Program = Readonly<Record<string, string>>;

/** Examples with the `access` of a group, for which the converter's Java code does not compile. */
const notInJava = ["platform:iam:GroupAccess", "platform:iam:getCaller"];

/**
 * YAML programs, by any names, in Python, Go and Java, by Pulumi's own converters.
 *
 * @throws Error if Go is missing, and for a program that cannot be converted
 */
export function convert(programs: Readonly<Record<string, string>>, schema: Schema): Readonly<Record<string, Program>> {
  const converted = byPulumi(programs, schema);
  const missing = Object.keys(programs).filter((name) => converted[name] === undefined);
  if (missing.length > 0) throw new Error(`The converters wrote nothing for ${missing.join(", ")}.`);
  const shown = ([name, program]: [string, Program]): [string, Program] => [
    name,
    notInJava.includes(name) ? withoutJava(program) : program,
  ];
  return Object.fromEntries(Object.entries(converted).map(shown));
}

const withoutJava = ({ java: _, ...others }: Program): Program => others;

function byPulumi(programs: object, schema: Schema): Readonly<Record<string, Program>> {
  // Outside of the checkout, because other commands there convert programs at the same time.
  const folder = mkdtempSync(path.join(tmpdir(), "pulumi-platform-"));
  const [schemaFile, file] = [path.join(folder, "schema.json"), path.join(folder, "programs.json")];
  try {
    writeFileSync(schemaFile, JSON.stringify(schema));
    writeFileSync(file, JSON.stringify(programs));
    const output = execFileSync("go", ["run", "-mod=readonly", "-trimpath", "./generate", "programs", schemaFile, file], {
      cwd: "scripts/engine/languages",
      env: { ...process.env, GOWORK: "off" },
      encoding: "utf8",
      stdio: "pipe",
      maxBuffer: 1e8,
    });
    return JSON.parse(output) as Record<string, Program>;
  } catch (error) {
    throw new Error(`Examples could not be converted. Is Go 1.26 installed (https://go.dev/dl)?\n${String(error)}`, {
      cause: error,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

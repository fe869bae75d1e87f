import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Schema } from "./schema-form";

/** A program in each language, by the names that fenced blocks have: `python`. */
export type Program = Readonly<Record<string, string>>;

/** What the converter writes in Java does not compile where a map holds outputs. */
const notInJava = "platform:iam:GroupAccess";

const generator = {
  cwd: "scripts/engine/languages",
  env: { ...process.env, GOWORK: "off" },
  encoding: "utf8",
  stdio: "pipe",
} as const;

/**
 * YAML programs, by any names, in Python, Go and Java, by Pulumi's own converters.
 *
 * @throws Error if Go is missing, and for a program that cannot be converted
 */
export function convert(programs: Readonly<Record<string, string>>, schema: Schema): Readonly<Record<string, Program>> {
  const folder = path.resolve(".state/tools");
  mkdirSync(folder, { recursive: true });
  const [schemaFile, file] = [path.join(folder, "schema.json"), path.join(folder, "programs.json")];
  writeFileSync(schemaFile, JSON.stringify(schema));
  writeFileSync(file, JSON.stringify(programs));
  const args = ["run", "-mod=readonly", "-trimpath", "./generate", "programs", schemaFile, file];
  try {
    const converted = JSON.parse(execFileSync("go", args, { ...generator, maxBuffer: 1e8 })) as Record<string, Program>;
    const { java: _, ...others } = converted[notInJava] ?? {};
    return { ...converted, ...(converted[notInJava] && { [notInJava]: others }) };
  } catch (error) {
    throw new Error(`Examples could not be converted. Is Go 1.26 installed (https://go.dev/dl)?\n${String(error)}`, {
      cause: error,
    });
  }
}

/**
 * `npm run generate [-- --examples]`: generates the tables of docs/ and the JSON Schemas from the declarations and their doc comments.
 * Changed examples are converted to other languages, which needs Go; with `--examples` all are.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readComments } from "./comments";
import { convert } from "./convert";
import { type Examples, readExamples } from "./examples";
import { generatedFiles, packageSchema } from "./files";
import { readFunctions } from "./functions";
import type { Schema } from "./schema-form";

async function main(): Promise<void> {
  const [comments, functions] = [readComments(), readFunctions()];
  const schema = packageSchema(comments, functions);
  const known = process.argv.includes("--examples") ? undefined : (JSON.parse(readFileSync("schema.json", "utf8")) as Schema);
  const examples = converted(await readExamples(schema, known), schema);
  for (const [file, text] of generatedFiles(comments, functions, examples)) {
    const isNew = !existsSync(file) || readFileSync(file, "utf8") !== text;
    if (isNew) writeFileSync(file, text);
    console.log(`${isNew ? "written" : "unchanged"}: ${file}`);
  }
}

/** `examples`, in which those that exist only in TypeScript and YAML are converted to the other languages. */
function converted(examples: Examples, schema: Schema): Examples {
  const missing = [...examples].flatMap(([token, { yaml = "", python }]) => (python === undefined ? [[token, yaml]] : []));
  if (missing.length === 0) return examples;
  console.log(`converting ${missing.length} examples`);
  const others = convert(Object.fromEntries(missing) as Record<string, string>, schema);
  return new Map([...examples].map(([token, example]) => [token, { ...example, ...others[token] }]));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

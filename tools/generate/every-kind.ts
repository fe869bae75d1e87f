/**
 * Prints as JSON examples/every-kind in YAML and, converted, in the other languages, and all examples of schema.json in their present
 * conversion. `npm run test:languages` runs the first and compares the others.
 */
import { readFileSync } from "node:fs";
import { convert } from "./convert";
import { blocksOf } from "./examples";
import { record } from "./record";
import type { Schema } from "./schema-form";

async function main(): Promise<void> {
  const schema = JSON.parse(readFileSync("schema.json", "utf8")) as Schema;
  const described = Object.entries({ ...schema.resources, ...schema.functions });
  const examples = described.map(([token, { description }]) => [token, blocksOf(description)] as const);
  const yaml = await record(readFileSync("examples/every-kind/index.ts", "utf8"), schema);
  const { program, ...converted } = convert(
    { program: yaml, ...Object.fromEntries(examples.map(([token, { yaml: text = "" }]) => [token, text])) },
    schema,
  );
  process.stdout.write(JSON.stringify({ program: { yaml, ...program }, examples: Object.fromEntries(examples), converted }));
}

void main();

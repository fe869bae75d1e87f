import type { Program as Converted } from "./convert";
import { files, Program } from "./program";
import { record } from "./record";
import type { Schema } from "./schema-form";

/** The examples of resources and functions, by token, each in every language. */
export type Examples = ReadonlyMap<string, Converted>;

/**
 * The examples of everything in `schema`, from the doc comments of the package. They are unchanged, in YAML, and in the other languages if
 * `known` contains them for the same YAML program and the same names of packages.
 *
 * @throws Error for a resource or function without an example
 */
export async function readExamples(schema: Schema, known?: Schema): Promise<Examples> {
  const program = Program.get();
  const exported = new Map(program.exportsOf(files.functions).map((symbol) => [symbol.name, program.original(symbol)]));
  const examples = new Map<string, Converted>();
  for (const token of Object.keys({ ...schema.resources, ...schema.functions })) {
    const name = token.split(":").at(-1) ?? "";
    const symbols = [name, `${name}Output`].flatMap((each) => exported.get(each) ?? []);
    const example = await exampleOf(
      token,
      symbols.flatMap((symbol) => program.examples(symbol)),
      schema,
    );
    const before = known && blocksOf((known.resources[token] ?? known.functions[token])?.description ?? "");
    const isCurrent = before?.["yaml"] === example["yaml"] && hasNamesOf(schema, before ?? {});
    examples.set(token, isCurrent ? { ...before, ...example } : example);
  }
  return examples;
}

/** Whether an example that was converted before imports the module of Go that `schema` names. */
function hasNamesOf({ language }: Schema, { go = "" }: Converted): boolean {
  return go.includes(`"${String(language["go"]?.["importBasePath"])}/`);
}

/** The first of `texts` that uses `token`, and the same in YAML. */
async function exampleOf(token: string, texts: readonly string[], schema: Schema): Promise<Converted> {
  for (const text of texts) {
    const yaml = await record(text, schema);
    const typescript = text.replaceAll('from "pulumi-platform"', `from "${String(schema.language["nodejs"]?.["packageName"])}"`);
    if (yaml.includes(`: ${token}\n`)) return { typescript, yaml };
  }
  throw new Error(`No example in the doc comment of ${token} uses it when the program starts.`);
}

/** `schema` with examples in the descriptions, in the form of Pulumi's registry. Generators of SDKs keep the examples of their language. */
export function withExamples(schema: Schema, examples: Examples): Schema {
  const described = <T extends { description: string }>(entries: Readonly<Record<string, T>>) =>
    Object.fromEntries(
      Object.entries(entries).map(([token, entry]): [string, T] => [
        token,
        { ...entry, description: `${entry.description}\n\n${sectionOf(examples.get(token) ?? {})}` },
      ]),
    );
  return { ...schema, resources: described(schema.resources), functions: described(schema.functions) };
}

/** In the order of the registry's pages. */
const languages = ["typescript", "python", "go", "java", "yaml"];

function sectionOf(example: Converted): string {
  const blocks = languages.flatMap((language) => {
    const text = example[language];
    return text === undefined ? [] : [`\`\`\`${language}\n${text}\`\`\``];
  });
  return ["{{% examples %}}", "## Example Usage", "{{% example %}}", ...blocks, "{{% /example %}}", "{{% /examples %}}"].join(
    "\n\n",
  );
}

/** The programs in a description, by language. */
export function blocksOf(description: string): Converted {
  const blocks = [...description.matchAll(/^```(\w+)\n(.*?)^```/gms)];
  return Object.fromEntries(blocks.map(([, language = "", text = ""]) => [language, text]));
}

import path from "node:path";
import ts from "typescript";
import { type Block, checkout } from "./markdown";

const source = (file: string) => [path.join(checkout, file)];

/** The package as a program sees it, compiled from its sources, and types of a library in a guide. */
const entries = {
  "pulumi-platform": source("sdk/index.ts"),
  "pulumi-platform/emulator": source("emulator/index.ts"),
  "pulumi-platform/provider": source("provider/index.ts"),
  "csv-parse/sync": source("tests/docs/csv-parse.d.ts"),
};

/** The options of a program that uses {@link entries}. */
export function options(): ts.CompilerOptions {
  const file = path.join(checkout, "tsconfig.json");
  const { config } = ts.readConfigFile(file, (name) => ts.sys.readFile(name)) as { config: object };
  return { ...ts.parseJsonConfigFileContent(config, ts.sys, checkout).options, paths: entries };
}

/** The files of the checkout that a compilation has read, parsed: the next one in the same test file needs most of them. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** The compiler's diagnostics for `snippets`, each compiled as a separate module. Each message starts with its origin. */
export function compile(snippets: Block[]): string[] {
  return compileFiles(new Map(snippets.map(({ text, origin }, index) => [`snippet-${index}.ts`, { text, origin }])));
}

/** The compiler's diagnostics for `files`, by their paths in the checkout: they may import each other. Each message starts with its origin. */
export function compileFiles(files: ReadonlyMap<string, { readonly text: string; readonly origin: string }>): string[] {
  const all = new Map([...files].map(([name, file]) => [path.join(checkout, name), file]));
  const folders = new Set([...all.keys()].map((file) => path.dirname(file)));
  const host = ts.createCompilerHost(options());
  const real = { ...host };
  host.fileExists = (file) => all.has(file) || real.fileExists(file);
  host.directoryExists = (folder) => folders.has(folder) || real.directoryExists?.(folder) === true;
  host.readFile = (file) => all.get(file)?.text ?? real.readFile(file);
  host.getSourceFile = (file, target, ...rest) => {
    const made = all.get(file);
    if (made) return ts.createSourceFile(file, made.text, target);
    if (!parsed.has(file)) parsed.set(file, real.getSourceFile(file, target, ...rest));
    return parsed.get(file);
  };
  const program = ts.createProgram([...all.keys()], options(), host);
  return [...all].flatMap(([file, { origin }]) => {
    const sourceFile = program.getSourceFile(file);
    return ts
      .getPreEmitDiagnostics(program, sourceFile)
      .map(({ messageText }) => `${origin}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
  });
}

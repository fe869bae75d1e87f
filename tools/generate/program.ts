import path from "node:path";
import ts from "typescript";

const checkout = process.cwd();

/** Files whose doc comments are read, by the content read from them. */
export const files = {
  kinds: "provider/kinds/kinds.ts",
  classes: "sdk/resources/declared.ts",
  resource: "sdk/resources/resource.ts",
  entries: "sdk/components/entries.ts",
  organization: "sdk/components/organization.ts",
  team: "sdk/components/team.ts",
  dataSources: "sdk/functions/data-sources.ts",
  functions: "sdk/index.ts",
  list: "provider/client/list.ts",
  provider: "sdk/resources/provider.ts",
  providerArguments: "sdk/resources/provider-arguments.ts",
};

let known: Program | undefined;

/** The compiler's view of {@link files}. */
export class Program {
  readonly #program = ts.createProgram(Object.values(files).map(absolute), compilerOptions());
  readonly checker = this.#program.getTypeChecker();

  /** The program shared by all readers of one process, because it takes seconds to make. */
  static get(): Program {
    return (known ??= new Program());
  }

  /** The export `name` of `file`. @throws Error if there is none */
  exported(file: string, name: string): ts.Symbol {
    const found = this.exportsOf(file).find((each) => each.name === name);
    if (!found) throw new Error(`${file} exports no ${name}.`);
    return found;
  }

  /** Everything exported by `file`. */
  exportsOf(file: string): readonly ts.Symbol[] {
    const source = this.#program.getSourceFile(absolute(file));
    const module = source && this.checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} is no module.`);
    return this.checker.getExportsOfModule(module);
  }

  /** `symbol`, or the symbol of which it is an alias. */
  original(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  typeOf(symbol: ts.Symbol): ts.Type {
    return this.checker.getTypeOfSymbol(symbol);
  }

  /** The TypeScript programs among the examples in the doc comment of `symbol`. */
  examples(symbol: ts.Symbol): string[] {
    const tags = symbol.getJsDocTags(this.checker).filter(({ name }) => name === "example");
    const text = tags.map((tag) => ts.displayPartsToString(tag.text)).join("\n");
    return [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, program = ""]) => program);
  }

  /** The doc comment of `symbol` on one line, without citations of pages; undefined if it has none. */
  comment(symbol: ts.Symbol | undefined): string | undefined {
    const text = ts.displayPartsToString(symbol?.getDocumentationComment(this.checker) ?? []);
    return text === "" ? undefined : text.replace(/ \(docs\/[^)]*\)/g, "").replace(/\s+/g, " ");
  }

  /** The doc comment of a symbol that must have one. @throws Error with `name` if it has none */
  requiredComment(symbol: ts.Symbol | undefined, name: string): string {
    const comment = this.comment(symbol);
    if (comment === undefined) throw new Error(`${name} has no doc comment.`);
    return comment;
  }
}

/** The initial value of a variable. */
export function initializerOf(symbol: ts.Symbol): ts.Expression | undefined {
  const { valueDeclaration } = symbol;
  return valueDeclaration && ts.isVariableDeclaration(valueDeclaration) ? valueDeclaration.initializer : undefined;
}

/** The first argument of the call in the initial value of a variable. */
export function argumentOf(symbol: ts.Symbol): ts.Expression | undefined {
  const value = initializerOf(symbol);
  return value && ts.isCallExpression(value) ? value.arguments[0] : undefined;
}

function absolute(file: string): string {
  return path.join(checkout, file);
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(absolute("tsconfig.json"), (file) => ts.sys.readFile(file)) as { config: unknown };
  return ts.parseJsonConfigFileContent(config, ts.sys, checkout).options;
}

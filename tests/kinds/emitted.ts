import path from "node:path";
import ts from "typescript";
import { checkout } from "../docs/markdown";

/** Where the emitted types would be; nothing is written there. */
const home = path.join(checkout, ".emitted");

/** A property of a type that the package exports. */
export interface Property {
  readonly name: string;
  readonly isOptional: boolean;
  /** The comment that editors show for it. */
  readonly comment: string;
  /** Properties of the value, where it is an object. */
  readonly members: () => Property[];
}

/** The types of the package as its users get them: the emitted declarations. */
export class EmittedTypes {
  readonly #checker: ts.TypeChecker;
  readonly #program: ts.Program;

  constructor() {
    const file = path.join(checkout, "tsconfig.build.json");
    const { config } = ts.readConfigFile(file, (name) => ts.sys.readFile(name)) as { config: object };
    const options = ts.parseJsonConfigFileContent(config, ts.sys, checkout).options;
    const files = new Map<string, string>();
    ts.createProgram([path.join(checkout, "sdk/index.ts")], { ...options, emitDeclarationOnly: true, outDir: home }).emit(
      undefined,
      (name, text) => files.set(path.normalize(name), text),
    );
    const host = ts.createCompilerHost({ ...options, noEmit: true });
    host.fileExists = (name) => files.has(name) || ts.sys.fileExists(name);
    host.readFile = (name) => files.get(name) ?? ts.sys.readFile(name);
    host.directoryExists = (name) => name.startsWith(home) || ts.sys.directoryExists(name);
    this.#program = ts.createProgram([path.join(home, "sdk/index.d.ts")], { ...options, noEmit: true }, host);
    this.#checker = this.#program.getTypeChecker();
  }

  /** The properties of the type that `file` exports as `name`; of a class those of its instances. */
  propertiesOf(name: string, file = "sdk/index"): Property[] {
    const source = this.#program.getSourceFile(path.join(home, `${file}.d.ts`));
    const module = source && this.#checker.getSymbolAtLocation(source);
    const symbol = module && this.#checker.getExportsOfModule(module).find((each) => each.name === name);
    if (symbol === undefined) throw new Error(`${file} exports no ${name}`);
    const own = symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
    return this.#properties(this.#checker.getDeclaredTypeOfSymbol(own));
  }

  #properties(type: ts.Type): Property[] {
    return this.#checker.getPropertiesOfType(type).map((symbol) => ({
      name: symbol.name,
      isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
      comment: ts.displayPartsToString(symbol.getDocumentationComment(this.#checker)),
      members: () => this.#members(this.#checker.getTypeOfSymbol(symbol)),
    }));
  }

  /** Properties of the object that an input may be, or that an output lifts; of a list or map, those of its items. */
  #members(type: ts.Type): Property[] {
    const parts = type.isUnion() ? type.types : [type];
    return parts.flatMap((part) => {
      const isMap = Boolean(part.flags & ts.TypeFlags.Object || part.isIntersection());
      const item = this.#checker.isArrayType(part) ? part.getNumberIndexType() : isMap ? part.getStringIndexType() : undefined;
      if (item !== undefined) return this.#members(item);
      const name = part.getSymbol()?.name ?? "";
      const isWrapper = part.isIntersection() ? false : /^(?:Promise|OutputInstance|Array|String)$/.test(name);
      return part.flags & ts.TypeFlags.Object || part.isIntersection() ? (isWrapper ? [] : this.#properties(part)) : [];
    });
  }
}

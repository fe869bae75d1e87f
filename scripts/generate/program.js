const path = require("node:path");
const ts = require("typescript");

const checkout = path.resolve(__dirname, "../..");

/** Files whose doc comments are read, by what is read from them. */
const files = Object.fromEntries(
  Object.entries({
    kinds: "provider/kinds/kinds.ts",
    classes: "sdk/resources/declared.ts",
    resource: "sdk/resources/resource.ts",
    entries: "sdk/components/entries.ts",
    dataSources: "sdk/functions/data-sources.ts",
    functions: "sdk/index.ts",
    list: "provider/client/list.ts",
    provider: "sdk/resources/provider.ts",
    providerArguments: "sdk/resources/provider-arguments.ts",
  }).map(([name, file]) => [name, path.join(checkout, file)]),
);

/** The compiler's view of these files. The same for all readers of one process: it takes seconds to make. */
function programOf() {
  programOf.known ??= ts.createProgram(Object.values(files), compilerOptions());
  return programOf.known;
}

function compilerOptions() {
  const { config } = ts.readConfigFile(path.join(checkout, "tsconfig.json"), ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, checkout).options;
}

/** What `file` exports as `name`. */
function exportedSymbol(program, file, name) {
  const found = exportsOf(program, file).find((each) => each.name === name);
  if (!found) throw new Error(`${path.relative(checkout, file)} exports no ${name}.`);
  return found;
}

/** Everything that `file` exports. */
function exportsOf(program, file) {
  const checker = program.getTypeChecker();
  return checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)));
}

/** `symbol`, or what it is another name of. */
function original(program, symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? program.getTypeChecker().getAliasedSymbol(symbol) : symbol;
}

/** The doc comment of `symbol` on one line, without citations of pages. @param name of what must have one */
function commentAt(program, symbol, name) {
  const text = ts.displayPartsToString(symbol?.getDocumentationComment(program.getTypeChecker()) ?? []);
  if (text === "" && name !== undefined) throw new Error(`${name} has no doc comment.`);
  return text === "" ? undefined : text.replace(/ \(docs\/[^)]*\)/g, "").replace(/\s+/g, " ");
}

module.exports = { commentAt, exportedSymbol, exportsOf, files, original, programOf };

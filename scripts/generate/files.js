const { readFileSync } = require("node:fs");
const path = require("node:path");
const { organizationSchema } = require("./organization-schema.js");
const { schemaOf } = require("./schema.js");
const { functionsTable, functionTablesOf, pageName, scopeTable, sourceTablesOf, tokensTable } = require("./source-tables.js");
const { tablesOf, withTables } = require("./tables.js");

const checkout = path.resolve(__dirname, "../..");
const json = (value) => `${JSON.stringify(value, undefined, 2)}\n`;
const read = (file) => readFileSync(path.join(checkout, file), "utf8");

/**
 * The generated files as they follow from the declarations, by their paths in the checkout. Of a page only the tables are generated.
 *
 * @param {object} declared `kinds`, `composites` and `values`, which programs can declare; `readableKinds`, which data sources read, and how these do:
 *   see {@link sourceTablesOf}; `settings` of the provider; `documents`, the JSON Schemas of what commands print
 * @param {Map<string, string>} comments
 * @param {object[]} functions what `readFunctions` returns
 * @returns {Map<string, string>}
 */
function generatedFiles(declared, comments, functions) {
  const kinds = Object.values({ ...declared.kinds, ...declared.composites, ...declared.values });
  const readable = Object.values(declared.readableKinds);
  const placed = placedFunctions(functions, readable, declared);
  const others = placed.filter(({ row }) => row === undefined);
  const schema = schemaOf(kinds, comments, JSON.parse(read("package.json")), declared.settings, placed);
  const page = (file, tables) => [file, withTables(read(file), tables)];
  return new Map([
    ...kinds.map((kind) => page(`docs/resources/${pageName(kind)}`, tablesOf(kind, comments))),
    ...readable.map((kind) => page(`docs/data-sources/${pageName(kind)}`, sourceTablesOf(kind, comments, declared))),
    ...others.map((each) => page(`docs/data-sources/${functionPage(each)}`, functionTablesOf(each))),
    page("docs/data-sources.md", { functions: functionsTable(readable, declared), filters: scopeTable(comments) }),
    page("docs/test-your-program.md", { tokens: tokensTable(readable, declared) }),
    ["schema.json", json(schema)],
    ["organization.schema.json", json(organizationSchema(kinds, comments))],
    ...Object.entries(declared.documents).map(([name, schema]) => [`schemas/${name}.schema.json`, json(schema)]),
  ]);
}

/** The functions with the area of each. Those that follow from a kind have `row` too, the name of the type of its objects. */
function placedFunctions(functions, kinds, { one, all }) {
  const sources = kinds.flatMap((kind) =>
    [one(kind), all(kind)].map(({ call, area }) => [call, { area, row: `${kind.name}Result` }]),
  );
  const known = new Map(sources);
  return functions.map((each) => ({ ...each, ...known.get(each.call) }));
}

/** File of the page of a function that follows from no kind: `get-person.md`. */
function functionPage({ call }) {
  return `${call.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.md`;
}

module.exports = { generatedFiles };

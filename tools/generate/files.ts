import { readFileSync } from "node:fs";
import { documentSchemas } from "../../cli/documents";
import { settings } from "../../provider/credentials/settings";
import { identity } from "../../provider/kinds/identity";
import { composites, kinds, readableKinds, values } from "../../provider/kinds/kinds";
import type { Kind, ReadableKind } from "../../provider/schema/kind";
import { sourceOfAll } from "../../provider/sources/source-of-all";
import { sourceOfOne } from "../../provider/sources/source-of-one";
import { builtInRolesTable } from "./built-in-roles";
import { type Examples, withExamples } from "./examples";
import type { DescribedFunction, PlacedFunction } from "./functions";
import { importsTable, importText } from "./imports";
import { organizationSchema } from "./organization-schema";
import { type Manifest, publishedBy } from "./published";
import { registryPages } from "./registry-pages";
import { schemaOf } from "./schema";
import type { Schema } from "./schema-form";
import { functionsTable, functionTablesOf, pageName, scopeTable, sourceTablesOf, tokensTable } from "./source-tables";
import { type Tables, tablesOf, withTables } from "./tables";
import type { Comments, Declarable } from "./walk";

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;
const read = (file: string) => readFileSync(file, "utf8");

const declared: readonly Declarable[] = Object.values({ ...kinds, ...composites, ...values });
const readable: readonly ReadableKind[] = Object.values(readableKinds);

const manifest = () => JSON.parse(read("package.json")) as Manifest;

/** The Pulumi package schema without examples. */
export function packageSchema(comments: Comments, functions: readonly DescribedFunction[]): Schema {
  return schemaOf({ kinds: declared, comments, manifest: manifest(), settings, functions: placedFunctions(functions) });
}

/** The module with the version that every request and every document names. */
function versionModule(): string {
  const { pluginDownloadURL } = publishedBy(manifest());
  return `/**
 * Version of this package, as in its package.json; \`npm run generate\` writes it. A constant, so that no start pays for reading a
 * file and bundled programs know it too.
 */
export const version = "${manifest().version}";

/** The address from which engines download the plugin, as the SDKs of a release name it; undefined where package.json names no repository. */
export const pluginDownloadUrl: string | undefined = ${JSON.stringify(pluginDownloadURL)};
`;
}

/** The generated files for the declarations and package.json, by their paths in the checkout. In a page, only the tables are generated. */
export function generatedFiles(
  comments: Comments,
  functions: readonly DescribedFunction[],
  examples: Examples,
): ReadonlyMap<string, string> {
  const others = placedFunctions(functions).filter(({ row, isHelper }) => row === undefined && !isHelper);
  const page = (file: string, tables: Tables): [string, string] => [file, withTables(read(file), tables)];
  return new Map([
    ...declared.map((kind) => page(`docs/resources/${pageName(kind)}`, { ...tablesOf(kind, comments), ...importOf(kind) })),
    page("docs/resources/index.md", { imports: importsTable() }),
    ...readable.map((kind) => page(`docs/data-sources/${pageName(kind)}`, sourceTablesOf(kind, comments))),
    ...others.map((each) => page(`docs/data-sources/${functionPage(each)}`, functionTablesOf(each))),
    page("docs/data-sources.md", { functions: functionsTable(readable), filters: scopeTable(comments) }),
    page("docs/platform-api.md", { "built-in roles": builtInRolesTable() }),
    page("docs/test-your-program.md", { tokens: tokensTable(readable) }),
    ["schema.json", json(withExamples(packageSchema(comments, functions), examples))],
    ["provider/client/version.ts", versionModule()],
    ...registryPages({ manifest: manifest(), readme: read("README.md"), configuration: read("docs/configuration.md"), examples }),
    ["organization.schema.json", json(organizationSchema(declared, comments))],
    ...Object.entries(documentSchemas()).map(([name, schema]): [string, string] => [`schemas/${name}.schema.json`, json(schema)]),
  ]);
}

/** The section about imports of the page of a kind with objects. */
function importOf({ name }: Declarable): Tables {
  const kind = Object.values<Kind>({ ...kinds, ...composites }).find((each) => each.name === name);
  return kind === undefined ? {} : { import: importText(kind) };
}

function placedFunctions(functions: readonly DescribedFunction[]): PlacedFunction[] {
  const known = new Map(
    readable.flatMap((kind) =>
      [sourceOfOne(kind), sourceOfAll(kind)].map(({ call, area }) => [call, { area, row: `${kind.name}Result` }]),
    ),
  );
  return functions.map((each) => {
    const { area = each.isHelper ? identity.collection.area : each.area, ...place } = known.get(each.call) ?? {};
    if (area === undefined) throw new Error(`${each.call} has no area.`);
    return { ...each, ...place, area };
  });
}

/** File of the page of a function without a kind: `get-person.md`. */
function functionPage({ call }: DescribedFunction): string {
  return `${call.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.md`;
}

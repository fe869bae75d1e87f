import path from "node:path";
import { documentSchemas } from "../../cli/documents";
import { settings } from "../../provider/credentials/settings";
import { isShown } from "../../provider/schema/answers";
import type { Kind } from "../../provider/schema/kind";
import { composites, kinds, readableKinds, values } from "../../provider/kinds/kinds";
import { sourceOfAll } from "../../provider/sources/source-of-all";
import { sourceOfOne } from "../../provider/sources/source-of-one";

/** Doc comments of everything that the package declares, by dotted path: `Identity.claimMatch.issuer`. */
export type Comments = ReadonlyMap<string, string>;

/** A property in a Pulumi package schema. */
export interface SchemaProperty {
  type?: string;
  $ref?: string;
  description: string;
  items?: SchemaProperty;
  oneOf?: SchemaProperty[];
  secret?: true;
  willReplaceOnChanges?: true;
}

/** A resource in a Pulumi package schema. */
export interface SchemaResource {
  properties: Record<string, SchemaProperty>;
  required: string[];
  inputProperties: Record<string, SchemaProperty>;
  requiredInputs: string[];
  aliases: { type: string }[];
}

/** What a function takes or returns. */
interface SchemaObject {
  properties: Record<string, SchemaProperty>;
  required: string[];
}

/** A Pulumi package schema. */
export interface Schema {
  config: { variables: Record<string, SchemaProperty> };
  provider: SchemaResource;
  language: Record<string, object>;
  types: Record<string, Partial<SchemaObject> & { enum?: { value: string }[] }>;
  resources: Record<string, SchemaResource>;
  functions: Record<string, { description: string; inputs: SchemaObject; outputs: SchemaObject }>;
}

// The generator is plain JavaScript, so that Node runs it without a build.
const room = path.resolve(__dirname, "../../scripts/generate");

/** The doc comments, as the compiler reads them. */
export const { readComments } = jest.requireActual<{ readComments: () => Comments }>(path.join(room, "comments.js"));

/** A function that reads the platform, as its types describe it. */
export interface DescribedFunction {
  call: string;
  description: string;
  inputs: { name: string }[];
  outputs: { name: string }[];
  area?: string;
}

/** The functions, as the compiler reads them. */
export const { readFunctions } = jest.requireActual<{ readFunctions: () => readonly DescribedFunction[] }>(
  path.join(room, "functions.js"),
);

const files = jest.requireActual<{
  generatedFiles: (declared: object, comments: Comments, functions: readonly DescribedFunction[]) => Map<string, string>;
}>(path.join(room, "files.js"));

/** The files that the generator writes. */
export function generatedFiles(comments: Comments, functions: readonly DescribedFunction[]): Map<string, string> {
  const documents = documentSchemas();
  const declared = { kinds, composites, values, readableKinds, isShown, settings, one: sourceOfOne, all: sourceOfAll, documents };
  return files.generatedFiles(declared, comments, functions);
}

/** The tables of a page. */
export const { tablesOf } = jest.requireActual<{
  tablesOf: (kind: Kind, comments: Comments) => { arguments: string; outputs: string };
}>(path.join(room, "tables.js"));

/** The package schema. */
export const { schemaOf } = jest.requireActual<{
  schemaOf: (kinds: readonly Kind[], comments: Comments, manifest: object, settings: object) => Schema;
}>(path.join(room, "schema.js"));

import { snakeCase } from "../wire/message";
import api from "./api.json";

/** A schema of the contract, in the used part of OpenAPI 3.0. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly readOnly?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly schema: Schema }[];
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The contract as the platform has published it. */
export const document: Document = api;

/** The schemas of the query parameters of a List, by their snake_case name. */
export function listParameters(area: string, collection: string): ReadonlyMap<string, Schema> {
  const { parameters = [] } = document.paths[`/${area}/v2/${collection}`]?.["get"] ?? {};
  return new Map(parameters.map(({ name, schema }) => [snakeCase(name), schema]));
}

import type { Groups } from "../../provider/schema/choices";
import type { Field, Shape } from "../../provider/schema/field";
import { commentOf, type Comments, type Declarable, isInput } from "./walk";

/** A JSON Schema. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** Rules for the number of given names. */
interface Choices {
  readonly exactlyOne?: Groups<string>;
  readonly atMostOne?: Groups<string>;
}

/** A key of a tree, in the form of the names of groups and identities. */
const key = { pattern: "^[a-z0-9 ._-]+$" };

/** An identity in a list of access. */
const identity = {
  anyOf: [
    { type: "string", minLength: 1 },
    {
      type: "object",
      properties: { issuer: { type: "string" }, subject: { type: "string" } },
      required: ["issuer", "subject"],
      additionalProperties: false,
    },
  ],
};

/** The JSON Schema (draft 7, which editors know best) of a file of an `Organization`. */
export function organizationSchema(kinds: readonly Declarable[], comments: Comments): JsonSchema {
  const kind = (name: string) => {
    const found = kinds.find((each) => each.name === name);
    if (found === undefined) throw new Error(`No kind is called ${name}.`);
    return found;
  };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Organization",
    description: "A tree of groups with their identities and access, for the component Organization of pulumi-platform.",
    type: "object",
    properties: { $schema: { type: "string", description: "Address of this schema, for editors." }, ...contents(comments) },
    additionalProperties: false,
    definitions: {
      group: nullable(entryOf(kind("Group"), comments, contents(comments))),
      identity: entryOf(kind("Identity"), comments),
    },
  };
}

/** The content of a group. */
function contents(comments: Comments): JsonSchema {
  const textOf = (name: string) => commentOf(comments, `GroupContents.${name}`).replaceAll("`", "");
  const mapOf = (values: JsonSchema, text: string) =>
    nullable({ type: "object", description: text, propertyNames: key, additionalProperties: values });
  return {
    identities: mapOf({ $ref: "#/definitions/identity" }, textOf("identities")),
    access: nullable({
      type: "object",
      description: textOf("access"),
      propertyNames: { minLength: 1 },
      additionalProperties: nullable({ type: "array", items: identity, uniqueItems: true }),
    }),
    groups: mapOf({ $ref: "#/definitions/group" }, textOf("groups")),
  };
}

/** A group or an identity, with its arguments except the name of its parent. */
function entryOf(kind: Declarable, comments: Comments, more: JsonSchema = {}): JsonSchema {
  const { parentInput = "" } = kind;
  const parents = [parentInput, ...(kind.exactlyOne.find((names) => names.includes(parentInput)) ?? [])];
  const fields = Object.entries(kind.fields).filter(([name, field]) => isInput(field) && !parents.includes(name));
  const exactlyOne = kind.exactlyOne.filter((names) => !names.includes(parentInput));
  const described = messageOf(kind.name, fields, { exactlyOne }, comments);
  const adopt = { type: "boolean", description: commentOf(comments, "adopt") };
  return { ...described, description: commentOf(comments, kind.name), properties: { ...described.properties, adopt, ...more } };
}

function messageOf(
  path: string,
  fields: readonly [string, Field][],
  { exactlyOne = [], atMostOne = [] }: Choices,
  comments: Comments,
): JsonSchema & { properties: JsonSchema } {
  const required = fields.filter(([, { by }]) => by === "required").map(([name]) => name);
  const one = (names: readonly string[]) => names.map((name) => ({ required: [name] }));
  const rules = [
    ...exactlyOne.map((names) => ({ oneOf: one(names) })),
    ...atMostOne.map((names) => ({ oneOf: [...one(names), { not: { anyOf: one(names) } }] })),
  ];
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, propertyOf(`${path}.${name}`, field, comments)])),
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    ...(rules.length > 0 && { allOf: rules }),
  };
}

function propertyOf(path: string, { shape }: Field, comments: Comments): JsonSchema {
  // The logical name is made of keys.
  return { ...typeOf(path, shape, comments), description: commentOf(comments, path).replace("the logical name", "the key") };
}

function typeOf(path: string, shape: Shape, comments: Comments): JsonSchema {
  switch (shape.is) {
    case "number":
      return { type: "integer" };
    case "flag":
      return { type: "boolean" };
    case "set":
    case "list":
      return { type: "array", items: typeOf(path, shape.of, comments), minItems: 1 };
    case "map":
      return { type: "object", additionalProperties: typeOf(path, shape.of, comments) };
    case "message":
      return messageOf(
        path,
        Object.entries(shape.members).filter(([, field]) => isInput(field)),
        shape,
        comments,
      );
    default:
      return { type: "string" };
  }
}

/** A map that is empty in YAML has no value. */
function nullable(schema: JsonSchema): JsonSchema {
  return { ...schema, type: [schema["type"], "null"] };
}

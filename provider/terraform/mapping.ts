import { version } from "../client/version";
import { type Field, type Fields, isInput, type Shape } from "../schema/field";
import { type Attributes, attributeOf, type Conversion, conversions, sources } from "./kinds";

/** The name of the other provider, which begins the names of its types. */
export const terraformProvider = "platform";

/** Types of values, by the numbers of Pulumi's Terraform bridge (`shim.ValueType`). */
const valueTypes = {
  ...{ flag: 1, number: 2, list: 5, map: 6, set: 7, message: 6 },
  ...{ text: 4, uid: 4, time: 4, enum: 4, reference: 4 },
} as const;

/** A schema of the other provider, in the form of the bridge (`MarshallableSchemaShim`). */
interface Schema {
  readonly type: number;
  readonly optional?: true;
  readonly required?: true;
  readonly computed?: true;
  readonly sensitive?: true;
  readonly element?: { readonly schema: Schema } | { readonly resource: Readonly<Record<string, Schema>> };
}

/** Our name for an attribute of the other provider, in the form of the bridge (`MarshallableSchema`). */
interface Name {
  readonly name: string;
  readonly fields?: Readonly<Record<string, Name>>;
}

/** The attributes of a type, each in both schemas. */
type Mapped = readonly (readonly [attribute: string, schema: Schema, name: Name])[];

/** The other provider's types as ours, in the form that Pulumi's converter of Terraform reads (`MarshallableProvider`). */
export interface Mapping {
  readonly provider: {
    readonly schema: object;
    readonly resources: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
    readonly dataSources: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  };
  readonly name: string;
  readonly version: string;
  readonly resources: Readonly<Record<string, { readonly tok: string; readonly fields: Readonly<Record<string, Name>> }>>;
  readonly dataSources: Mapping["resources"];
}

/** {@link conversions} and {@link sources} for Pulumi's converter. It knows names, so values keep the other provider's form. */
export function terraformMapping(): Mapping {
  const resources = Object.entries(conversions).map(
    ([type, conversion]) =>
      [type, `platform:${conversion.kind.collection.area}:${conversion.kind.name}`, attributesOf(conversion)] as const,
  );
  const dataSources = Object.entries(sources).map(
    ([type, { call, attributes }]) => [type, `platform:${call}`, Object.entries(attributes).map(argument)] as const,
  );
  return {
    provider: { schema: {}, resources: schemasOf(resources), dataSources: schemasOf(dataSources) },
    ...{ name: terraformProvider, version },
    resources: namesOf(resources),
    dataSources: namesOf(dataSources),
  };
}

type Types = readonly (readonly [type: string, token: string, attributes: Mapped])[];

function schemasOf(types: Types): Record<string, Record<string, Schema>> {
  const schemas = (attributes: Mapped) => Object.fromEntries(attributes.map(([attribute, schema]) => [attribute, schema]));
  return Object.fromEntries(types.map(([type, , attributes]) => [`${terraformProvider}_${type}`, schemas(attributes)]));
}

function namesOf(types: Types): Mapping["resources"] {
  return Object.fromEntries(
    types.map(([type, tok, attributes]) => [
      `${terraformProvider}_${type}`,
      { tok, fields: Object.fromEntries(attributes.map(([attribute, , name]) => [attribute, name])) },
    ]),
  );
}

/** A text that a data source takes and returns. */
function argument([attribute, name]: readonly [string, string]): Mapped[number] {
  return [attribute, { type: valueTypes.text, optional: true, computed: true }, { name }];
}

function attributesOf({ kind, attributes, read = [] }: Conversion): Mapped {
  // Every language has `id`, and only some have `uid`.
  const id: Mapped[number] = ["id", { type: valueTypes.text, computed: true }, { name: "id" }];
  // Attributes that are computed together have no counterpart of the same form.
  return [id, ...mapped(kind.fields, attributes).filter(([attribute]) => !read.includes(attribute))];
}

/** The attributes of a message that have our fields as counterparts. */
function mapped(fields: Fields, attributes: Attributes): Mapped {
  return Object.entries(fields).flatMap(([name, field]): Mapped => {
    const isShown = field.by === "output" && attributes[name] !== undefined;
    const isGiven = isInput(field) && field.by !== "local" && field.by !== "reference";
    if (!isShown && !isGiven) return [];
    const { from, members = {} } = attributeOf(attributes, name);
    if (field.shape.is !== "message") return [[from, { ...giver(field), ...typed(field.shape) }, { name }]];
    const inner = mapped(field.shape.members, members);
    const resource = Object.fromEntries(inner.map(([attribute, schema]) => [attribute, schema]));
    const schema = { ...giver(field), type: valueTypes.message, element: { resource } };
    const names = Object.fromEntries(inner.map(([attribute, , each]) => [attribute, each]));
    return [[from, schema, { name, fields: names }]];
  });
}

function giver({ by, traits }: Field): Omit<Schema, "type"> {
  const sensitive = traits.secret === true ? { sensitive: true as const } : {};
  if (by === "output") return { computed: true, ...sensitive };
  return { ...(by === "required" ? { required: true } : { optional: true }), ...sensitive };
}

function typed(shape: Shape): Pick<Schema, "type" | "element"> {
  const type = valueTypes[shape.is];
  if (shape.is === "message") {
    const resource = Object.fromEntries(mapped(shape.members, {}).map(([attribute, schema]) => [attribute, schema]));
    return { type, element: { resource } };
  }
  return shape.is === "set" || shape.is === "list" || shape.is === "map"
    ? { type, element: { schema: typed(shape.of) } }
    : { type };
}

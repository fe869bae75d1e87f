import { readFileSync } from "node:fs";
import path from "node:path";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import type { Plugin } from "../../provider/host/plugin/plugin";
import { conversions, sources, unconverted } from "../../provider/terraform/kinds";
import schema from "../../schema.json";
import { clientOf } from "../support/native-host";
import { answered } from "../support/plugin-client";

interface Name {
  name: string;
  fields?: Record<string, Name>;
}
interface Shape {
  type: number;
  element?: { resource?: Record<string, Shape>; schema?: Shape };
}
interface Mapped {
  provider: Record<"resources" | "dataSources", Record<string, Record<string, Shape>>>;
  name: string;
  resources: Record<string, { tok: string; fields: Record<string, Name> }>;
  dataSources: Record<string, { tok: string; fields: Record<string, Name> }>;
}
interface Property {
  $ref?: string;
  type?: string;
}
type Properties = Readonly<Record<string, Property>>;

const { client } = clientOf({ phase: "loading" } as unknown as Plugin);

async function mappingOf(key: string, provider = ""): Promise<{ provider: string; data: string }> {
  const request = new proto.GetMappingRequest().setKey(key).setProvider(provider);
  const response = await answered<proto.GetMappingResponse>((done) => client.getMapping(request, done));
  return { provider: response.getProvider(), data: Buffer.from(response.getData_asU8()).toString() };
}

async function terraform(): Promise<Mapped> {
  return JSON.parse((await mappingOf("terraform")).data) as Mapped;
}

/** The members of a message in the schema. */
function members({ $ref = "" }: Property): Properties {
  const types = schema.types as Record<string, { properties?: Properties }>;
  return types[$ref.replace("#/types/", "")]?.properties ?? {};
}

/** The fields without a property, at any depth, by their paths. */
function without(fields: Record<string, Name>, properties: Properties, at = ""): string[] {
  return Object.entries(fields).flatMap(([attribute, { name, fields: inner = {} }]) => {
    const property = properties[name];
    return property === undefined ? [`${at}${attribute}: ${name}`] : without(inner, members(property), `${at}${attribute}.`);
  });
}

test("the plugin has a mapping for converters of Terraform, and for no other tool or provider", async () => {
  const request = new proto.GetMappingsRequest().setKey("terraform");
  const names = await answered<proto.GetMappingsResponse>((done) => client.getMappings(request, done));
  expect(names.getProvidersList()).toEqual(["platform"]);
  const [byKey, byName] = [await mappingOf("tf"), await mappingOf("terraform", "platform")];
  expect(byKey).toEqual(byName);
  expect(byKey.provider).toBe("platform");
  for (const [key, provider] of [
    ["terraform", "aws"],
    ["chef", ""],
    ["chef", "platform"],
  ] as const)
    expect(await mappingOf(key, provider)).toEqual({ provider: "", data: "" });
});

test("each type of resources is one of the schema, and each of its attributes a property", async () => {
  const { resources, name } = await terraform();
  expect(name).toBe("platform");
  expect(Object.keys(resources).sort()).toEqual(
    Object.keys(conversions)
      .map((type) => `platform_${type}`)
      .sort(),
  );
  const known = schema.resources as Record<string, { inputProperties: Properties; properties: Properties }>;
  for (const [type, { tok, fields }] of Object.entries(resources)) {
    const { inputProperties, properties } = known[tok] ?? { inputProperties: {}, properties: {} };
    const { id, ...others } = fields;
    expect({ type, id, unknown: without(others, { ...properties, ...inputProperties }) }).toEqual({
      type,
      id: { name: "id" },
      unknown: [],
    });
  }
});

test("each data source is a function of the schema, and each of its attributes an argument or a result", async () => {
  const { dataSources } = await terraform();
  expect(Object.keys(dataSources)).toHaveLength(Object.keys(sources).length);
  const known = schema.functions as Record<string, { inputs: { properties: Properties }; outputs: { properties: Properties } }>;
  for (const [type, { tok, fields }] of Object.entries(dataSources)) {
    const { inputs, outputs } = known[tok] ?? { inputs: { properties: {} }, outputs: { properties: {} } };
    const unknown = without(fields, { ...inputs.properties, ...outputs.properties });
    expect({ type, unknown }).toEqual({ type, unknown: [] });
  }
});

test("every attribute of a recorded state is in the mapping with its form, or is one that has no counterpart", async () => {
  const { provider } = await terraform();
  const text = readFileSync(path.join(__dirname, "../support/terraform/organization.tfstate"), "utf8");
  const state = JSON.parse(text) as { resources: { mode: string; type: string; instances: { attributes: object }[] }[] };
  for (const { mode, type, instances } of state.resources) {
    const conversion = conversions[type.slice("platform_".length)];
    const shapes = provider.resources[type];
    if (mode !== "managed" || conversion === undefined) continue;
    const known = [...(conversion.ignored ?? []), ...(conversion.read ?? []), ...(none[type] ?? [])];
    for (const { attributes } of instances)
      expect({ type, unknown: unlike(attributes, shapes ?? {}, known) }).toEqual({ type, unknown: [] });
  }
  expect(Object.keys(unconverted).filter((type) => `platform_${type}` in provider.resources)).toEqual([]);
});

/** Attributes that the platform keeps and no program declares (docs/guides/from-terraform.md#arguments). */
const none: Readonly<Record<string, string[]>> = { platform_image_repo: ["readme"] };

/** The attributes of a recorded object that the schemas lack or give another form. */
function unlike(attributes: object, shapes: Record<string, Shape>, known: readonly string[], at = ""): string[] {
  return Object.entries(attributes).flatMap(([name, value]: [string, unknown]) => {
    const shape = shapes[name];
    // Unset values have no counterpart to find.
    if (value === null || value === false || known.includes(`${at}${name}`)) return [];
    if (shape === undefined) return [`${at}${name}: missing`];
    const forms: Record<number, boolean> = {
      1: typeof value === "boolean",
      2: typeof value === "number",
      4: typeof value === "string",
      5: Array.isArray(value),
      6: typeof value === "object" && !Array.isArray(value),
      7: Array.isArray(value),
    };
    if (forms[shape.type] !== true) return [`${at}${name}: ${shape.type}`];
    return shape.element?.resource === undefined ? [] : unlike(value as object, shape.element.resource, known, `${at}${name}.`);
  });
}

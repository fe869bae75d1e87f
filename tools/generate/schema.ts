import { z } from "zod";
import type { Field, MessageShape, Shape } from "../../provider/schema/field";
import type { PlacedFunction } from "./functions";
import { type EntryArguments, schemaOfComponents } from "./schema-components";
import { enumOf } from "./schema-enums";
import type { Schema, SchemaProperty, SchemaResource, SchemaType, SchemaTypes, SchemaValue } from "./schema-form";
import { schemaOfFunctions } from "./schema-functions";
import { type Manifest, namesOf, publishedBy } from "./published";
import { configOf, languagesOf, providerOf, type Settings } from "./schema-package";
import { commentOf, type Comments, type Declarable, isAdoptable, isInput, isInState } from "./walk";

/** The parts of a schema. */
export interface Described {
  readonly kinds: readonly Declarable[];
  readonly comments: Comments;
  readonly manifest: Manifest;
  readonly settings: Settings;
  readonly functions: readonly PlacedFunction[];
}

/**
 * The Pulumi package schema of `kinds` and of the functions that read them. `uid` is not a property, because the classes set it to `id`,
 * which alone stays known in every preview.
 */
export function schemaOf({ kinds, comments, manifest, settings, functions }: Described): Schema {
  const types: SchemaTypes = {};
  const resources = Object.fromEntries(
    kinds.map((kind) => [tokenOf(kind, kind.name), new KindWriter(kind, comments, types).resource()]),
  );
  const described = schemaOfFunctions(functions, types);
  for (const { row = "", call, area } of functions.filter(isList)) {
    const token = `platform:${area}:${row.replace(/Result$/, "")}`;
    const [resource, list] = [resources[token], described[`platform:${area}:${call}`]];
    if (resource && list) resources[token] = { ...resource, listInputs: list.inputs };
  }
  const components = schemaOfComponents(entriesOf(kinds, comments, types), comments, types);
  const provider = providerOf(settings, comments, types);
  const schema = {
    name: "platform",
    displayName: "Platform",
    version: manifest.version,
    description: manifest.description,
    keywords: manifest.keywords,
    license: manifest.license,
    ...publishedBy(manifest),
    language: languagesOf(namesOf(manifest)),
    config: configOf(settings, provider),
    provider,
    types: sorted(types),
    resources: sorted({ ...resources, ...components }),
    functions: sorted(described),
  };
  return schema;
}

/** The arguments of the kinds of which components are made. */
function entriesOf(kinds: readonly Declarable[], comments: Comments, types: SchemaTypes): EntryArguments {
  const argumentsOf = (name: string) => {
    const kind = kinds.find((each) => each.name === name);
    if (kind === undefined) throw new Error(`No kind is called ${name}.`);
    const { inputProperties } = new KindWriter(kind, comments, types).resource();
    const isPlace = (argument: string) => argument === "parentUid" || argument === "parentPath";
    const of = (which: boolean) =>
      Object.fromEntries(Object.entries(inputProperties).filter(([each]) => isPlace(each) === which));
    return { place: of(true), own: of(false) };
  };
  const { place, own } = argumentsOf("Group");
  return { place, group: own, identity: argumentsOf("Identity").own };
}

/** True for a function that finds all objects of a kind. */
function isList({ row, outputs }: PlacedFunction): boolean {
  return row !== undefined && outputs.length === 1 && outputs[0]?.type.is === "list";
}

/** Issuer and subject of an identity. */
const login: SchemaValue = { type: "object", additionalProperties: { type: "string" } };

function tokenOf({ collection }: Declarable, name: string): string {
  return `platform:${collection.area}:${name}`;
}

/** Writes a kind as a resource. The types of its messages are added to `types`. */
class KindWriter {
  constructor(
    private readonly kind: Declarable,
    private readonly comments: Comments,
    private readonly types: SchemaTypes,
  ) {}

  resource(): SchemaResource {
    const { kind, comments } = this;
    const fields = Object.entries(kind.fields);
    const inputs = fields.filter(([, field]) => isInput(field));
    const outputs = fields.filter(([, field]) => isInState(field));
    return {
      description: commentOf(comments, kind.name),
      properties: this.properties(outputs),
      // A root has no parent, and a value that only the create returns is missing after an import.
      required: outputs
        .filter(([, { by, traits }]) => !["optional", "local", "parent", "reference"].includes(by) && !traits.once)
        .map(([name]) => name),
      inputProperties: {
        ...this.properties(inputs),
        ...(isAdoptable(kind) && { adopt: { type: "boolean", description: commentOf(comments, "adopt") } }),
      },
      requiredInputs: inputs
        .filter(([name, { by }]) => (by === "required" || by === "parent") && !isNamed(kind, name))
        .map(([name]) => name),
      aliases: [{ type: `pulumi-nodejs:dynamic/platform/${kind.collection.area}:${kind.name}` }],
    };
  }

  private properties(entries: readonly [string, Field][]): Record<string, SchemaProperty> {
    const { name: owner, secrets, immutable } = this.kind;
    const propertyOf = ([name, field]: [string, Field]): [string, SchemaProperty] => [
      name,
      {
        ...this.property(`${owner}.${name}`, field),
        // A message with a secret is encrypted as a whole.
        ...(secrets.includes(name) && { secret: true }),
        // Without `replaceOnChanges`, by which SDKs would make the engine replace a resource even if Diff finds that the same object is
        // meant.
        ...(immutable.includes(name) && { willReplaceOnChanges: true }),
      },
    ];
    return Object.fromEntries(entries.map(propertyOf));
  }

  private property(path: string, { shape, traits }: Field): SchemaProperty {
    return {
      ...this.value(path, shape),
      description: commentOf(this.comments, path),
      ...(traits.secret && { secret: true }),
    };
  }

  private value(path: string, shape: Shape): SchemaValue {
    switch (shape.is) {
      case "number":
        return { type: "integer" };
      case "flag":
        return { type: "boolean" };
      case "set":
      case "list":
        return { type: "array", items: this.value(path, shape.of) };
      case "map":
        return { type: "object", additionalProperties: this.value(path, shape.of) };
      case "uid":
        if (shape.or === undefined) return { type: "string" };
        return { oneOf: [{ type: "string" }, this.value(path, shape.or.message)] };
      case "reference":
        return shape.to === "identity" ? { oneOf: [{ type: "string" }, login] } : { type: "string" };
      case "message":
        return { $ref: `#/types/${this.message(path, shape)}` };
      default: {
        const values = "rule" in shape && shape.rule instanceof z.ZodEnum ? shape.rule.options.map(String) : undefined;
        const name = path.slice(path.lastIndexOf(".") + 1);
        return enumOf({ area: this.kind.collection.area, name, values }, this.types) ?? { type: "string" };
      }
    }
  }

  /** Adds the type of a message. @returns its token */
  private message(path: string, { name, members }: MessageShape): string {
    const token = tokenOf(this.kind, name);
    const shown = Object.entries(members).filter(([, field]) => isInState(field));
    const type: SchemaType = {
      type: "object",
      description: commentOf(this.comments, path),
      properties: Object.fromEntries(shown.map(([member, field]) => [member, this.property(`${path}.${member}`, field)])),
      required: shown.filter(([, { by }]) => by === "required" || by === "output").map(([member]) => member),
    };
    const known = this.types[token];
    if (known && JSON.stringify(known) !== JSON.stringify(type)) throw new Error(`Two messages that differ are called ${token}.`);
    this.types[token] = type;
    return token;
  }
}

/** True for a uid that another argument may replace, because a schema cannot require one of the two. */
function isNamed({ fields }: Declarable, name: string): boolean {
  return Object.values(fields).some(({ shape }) => shape.is === "reference" && shape.uid === name);
}

function sorted<T>(entries: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)));
}

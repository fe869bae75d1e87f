const { enumOf } = require("./schema-enums.js");
const { schemaOfFunctions } = require("./schema-functions.js");
const { configOf, languages, providerOf } = require("./schema-package.js");
const { commentOf, isAdoptable, isInput, isInState } = require("./walk.js");

/**
 * The Pulumi package schema of `kinds` and of the functions that read them. `uid` is not a property: the classes set it to `id`, which alone stays known in every preview.
 *
 * @param manifest the package's package.json
 * @param settings of the provider
 * @param functions what `readFunctions` returns, each with its area. Default: none
 */
function schemaOf(kinds, comments, manifest, settings, functions = []) {
  const types = {};
  const resources = Object.fromEntries(kinds.map((kind) => [tokenOf(kind, kind.name), resourceOf(kind, comments, types)]));
  const described = schemaOfFunctions(functions, types);
  for (const { row, call, area } of functions.filter(isList)) {
    const resource = resources[`platform:${area}:${row.replace(/Result$/, "")}`];
    if (resource) resource.listInputs = described[`platform:${area}:${call}`].inputs;
  }
  const provider = providerOf(settings, comments, types);
  return {
    $schema: "https://raw.githubusercontent.com/pulumi/pulumi/master/pkg/codegen/schema/pulumi.json",
    name: "platform",
    displayName: "Platform",
    version: manifest.version,
    description: manifest.description,
    keywords: ["pulumi", ...manifest.keywords.filter((keyword) => keyword !== "pulumi")],
    license: manifest.license,
    language: languages,
    config: configOf(settings, provider),
    provider,
    types: sorted(types),
    resources: sorted(resources),
    functions: sorted(described),
  };
}

/** True for a function that finds all objects of a kind. */
function isList({ row, outputs }) {
  return row !== undefined && outputs.length === 1 && outputs[0].type.is === "list";
}

/** Issuer and subject of an identity. */
const login = { type: "object", additionalProperties: { type: "string" } };

function tokenOf({ collection }, name) {
  return `platform:${collection.area}:${name}`;
}

function resourceOf(kind, comments, types) {
  const fields = Object.entries(kind.fields);
  const inputs = fields.filter(([, field]) => isInput(field));
  const outputs = fields.filter(([, field]) => isInState(field));
  const propertiesOf = (entries) =>
    Object.fromEntries(entries.map(([name, field]) => [name, kindProperty(kind, name, field, comments, types)]));
  return {
    description: commentOf(comments, kind.name),
    properties: propertiesOf(outputs),
    // A root has no parent, and a value that only the create returns is missing after an import.
    required: outputs
      .filter(([, { by, traits }]) => !["optional", "local", "parent", "reference"].includes(by) && !traits.once)
      .map(([name]) => name),
    inputProperties: {
      ...propertiesOf(inputs),
      ...(!isAdoptable(kind) ? {} : { adopt: { type: "boolean", description: commentOf(comments, "adopt") } }),
    },
    requiredInputs: inputs
      .filter(([name, { by }]) => (by === "required" || by === "parent") && !isNamed(kind, name))
      .map(([name]) => name),
    aliases: [{ type: `pulumi-nodejs:dynamic/platform/${kind.collection.area}:${kind.name}` }],
  };
}

/** True for a uid that another argument may stand for: a schema cannot say that one of the two is required. */
function isNamed({ fields }, name) {
  return Object.values(fields).some(({ shape }) => shape.is === "reference" && shape.uid === name);
}

function kindProperty(kind, name, field, comments, types) {
  return {
    ...propertyOf(kind, `${kind.name}.${name}`, field, comments, types),
    // A message with a secret is encrypted as a whole.
    ...(kind.secrets.includes(name) && { secret: true }),
    // Not `replaceOnChanges`, with which SDKs make the engine replace where Diff finds that the same object is meant.
    ...(kind.immutable.includes(name) && { willReplaceOnChanges: true }),
  };
}

function propertyOf(kind, path, { shape, traits }, comments, types) {
  return {
    ...typeOf(kind, path, shape, comments, types),
    description: commentOf(comments, path),
    ...(traits.secret && { secret: true }),
  };
}

function typeOf(kind, path, shape, comments, types) {
  switch (shape.is) {
    case "number":
      return { type: "integer" };
    case "flag":
      return { type: "boolean" };
    case "set":
    case "list":
      return { type: "array", items: typeOf(kind, path, shape.of, comments, types) };
    case "map":
      return { type: "object", additionalProperties: typeOf(kind, path, shape.of, comments, types) };
    case "reference":
      return shape.to === "identity" ? { oneOf: [{ type: "string" }, login] } : { type: "string" };
    case "message":
      return { $ref: `#/types/${messageType(kind, path, shape, comments, types)}` };
    default:
      return enumOf(kind.collection.area, path.split(".").at(-1), shape.rule?.options, types) ?? { type: "string" };
  }
}

/** Adds the type of a message to `types`. @returns its token */
function messageType(kind, path, { name, members }, comments, types) {
  const token = tokenOf(kind, name);
  const shown = Object.entries(members).filter(([, field]) => isInState(field));
  const type = {
    type: "object",
    description: commentOf(comments, path),
    properties: Object.fromEntries(
      shown.map(([member, field]) => [member, propertyOf(kind, `${path}.${member}`, field, comments, types)]),
    ),
    required: shown.filter(([, { by }]) => by === "required" || by === "output").map(([member]) => member),
  };
  const known = types[token];
  if (known && JSON.stringify(known) !== JSON.stringify(type)) throw new Error(`Two messages that differ are called ${token}.`);
  types[token] = type;
  return token;
}

function sorted(entries) {
  return Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)));
}

module.exports = { schemaOf };

const { enumOf } = require("./schema-enums.js");
const { plain } = require("./walk.js");

/**
 * The functions of a Pulumi package schema. The types of their results are added to `types`.
 *
 * @param functions what `readFunctions` returns, each with its `area`, and with `row`, the name of what it returns, if it follows from a kind
 */
function schemaOfFunctions(functions, types) {
  return Object.fromEntries(
    functions.map((each) => {
      const { call, area, description, inputs, outputs, row, isSecret } = each;
      const writer = new TypeWriter(area, types);
      const isMany = outputs.length === 1 && outputs[0].type.is === "list";
      const owner = row ?? `${call.charAt(0).toUpperCase()}${call.slice(1)}Result`;
      const result = writer.object(outputs, (name) => (isMany && row ? row : `${owner}${capital(name)}`));
      const secret = isSecret ? { secret: true } : {};
      const properties = Object.entries(result.properties).map(([name, property]) => [name, { ...property, ...secret }]);
      const outputsOf = { ...result, properties: Object.fromEntries(properties) };
      const inputsOf = writer.object(inputs, (name) => `${owner}${capital(name)}`);
      return [`platform:${area}:${call}`, { description, inputs: inputsOf, outputs: outputsOf }];
    }),
  );
}

class TypeWriter {
  constructor(area, types) {
    this.area = area;
    this.types = types;
  }

  /** @param nameOf the name of the type of a member that is an object without a name. @param enumNameOf of one that is an enum */
  object(members, nameOf, enumNameOf = (name) => name) {
    // The compiler lists the members of derived types in no lasting order.
    const inOrder = [...members].sort((one, other) => (one.name < other.name ? -1 : 1));
    return {
      type: "object",
      properties: Object.fromEntries(
        inOrder.map(({ name, description, type }) => [
          name,
          { ...this.type(type, nameOf(name), enumNameOf(name)), description: plain(description) },
        ]),
      ),
      required: inOrder.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    };
  }

  /** @param name of the type of an object without a name. @param enumName of an enum */
  type(type, name, enumName) {
    switch (type.is) {
      case "text":
        return enumOf(this.area, enumName, type.values, this.types, true) ?? { type: "string" };
      case "number":
        return { type: "integer" };
      case "flag":
        return { type: "boolean" };
      case "list":
        return { type: "array", items: this.type(type.of, name, enumName) };
      case "map":
        return { type: "object", additionalProperties: this.type(type.of, name, enumName) };
      case "any":
        return { $ref: "pulumi.json#/Any" };
      default:
        return { $ref: `#/types/${this.named(type, type.name ?? name)}` };
    }
  }

  named({ members }, name) {
    const token = `platform:${this.area}:${name}`;
    const nameOf = (member) => `${name}${capital(member)}`;
    const type = this.object(members, nameOf, nameOf);
    const known = this.types[token];
    if (known && JSON.stringify(known) !== JSON.stringify(type)) throw new Error(`Two types that differ are called ${token}.`);
    this.types[token] = type;
    return token;
  }
}

/** `sync_config` as part of the name of a type: `SyncConfig`. */
function capital(name) {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase());
}

module.exports = { schemaOfFunctions };

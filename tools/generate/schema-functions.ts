import type { DescribedMember, DescribedType, PlacedFunction } from "./functions";
import { enumOf } from "./schema-enums";
import type { SchemaFunction, SchemaObject, SchemaProperty, SchemaTypes, SchemaValue } from "./schema-form";
import { asked, plain } from "./walk";

/**
 * The functions of a Pulumi package schema. The types of their results are added to `types`.
 */
export function schemaOfFunctions(functions: readonly PlacedFunction[], types: SchemaTypes): Record<string, SchemaFunction> {
  return Object.fromEntries(
    functions.map((each): [string, SchemaFunction] => {
      const { call, area, description, inputs, outputs, row, isSecret, isHelper } = each;
      const writer = new TypeWriter(area, types);
      const isMany = outputs.length === 1 && outputs[0]?.type.is === "list";
      const owner = row ?? `${capitalised(call)}Result`;
      const result = writer.object(outputs, (name) => (isMany && row !== undefined ? row : `${owner}${capital(name)}`));
      const secret: Partial<SchemaProperty> = isSecret === true ? { secret: true } : {};
      const properties = Object.entries(result.properties).map(([name, property]) => [name, { ...property, ...secret }] as const);
      const outputsOf = { ...result, properties: Object.fromEntries(properties) };
      const nameOf = (name: string) => `${owner}${capital(name)}`;
      // Enums of data sources are shared with resources; those of a helper are its own.
      const enumNameOf = isHelper ? (name: string) => `${capitalised(call)}${capital(name)}` : undefined;
      const inputsOf = writer.object(inputs, nameOf, enumNameOf, asked);
      return [`platform:${area}:${call}`, { description, inputs: inputsOf, outputs: outputsOf }];
    }),
  );
}

class TypeWriter {
  constructor(
    private readonly area: string,
    private readonly types: SchemaTypes,
  ) {}

  /**
   * @param nameOf the name of the type of a member that is an unnamed object
   * @param enumNameOf the name of an enum
   * @param describe the text of a member by its comment. Default: without the parts about arguments
   */
  object(
    members: readonly DescribedMember[],
    nameOf: (name: string) => string,
    enumNameOf: (name: string) => string = (name) => name,
    describe: (text: string) => string = plain,
  ): SchemaObject {
    // The compiler lists the members of derived types in an unstable order.
    const inOrder = [...members].sort((one, other) => (one.name < other.name ? -1 : 1));
    return {
      type: "object",
      properties: Object.fromEntries(
        inOrder.map(({ name, description, type }): [string, SchemaProperty] => [
          name,
          { ...this.type(type, nameOf(name), enumNameOf(name)), description: describe(description) },
        ]),
      ),
      required: inOrder.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    };
  }

  /** @param name of the type of an unnamed object @param enumName of an enum */
  type(type: DescribedType, name: string, enumName: string): SchemaValue {
    switch (type.is) {
      case "text": {
        const reference = enumOf({ area: this.area, name: enumName, values: type.values }, this.types);
        // The platform may have newer values than this package.
        return reference === undefined ? { type: "string" } : { oneOf: [{ type: "string" }, reference] };
      }
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
      case "message":
        return { $ref: `#/types/platform:${this.area}:${type.name}` };
      case "object":
        return { $ref: `#/types/${this.named(type, type.name ?? name)}` };
    }
  }

  named({ members }: DescribedType & { is: "object" }, name: string): string {
    const token = `platform:${this.area}:${name}`;
    const nameOf = (member: string) => `${name}${capital(member)}`;
    const type = this.object(members, nameOf, nameOf);
    const known = this.types[token];
    if (known && JSON.stringify(known) !== JSON.stringify(type)) throw new Error(`Two types that differ are called ${token}.`);
    this.types[token] = type;
    return token;
  }
}

const capitalised = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** `sync_config` as part of the name of a type: `SyncConfig`. */
function capital(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

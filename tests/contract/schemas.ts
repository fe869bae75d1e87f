import Ajv, { type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";

/** An OpenAPI 3.0 schema, as far as the contract uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly default?: string;
  readonly readOnly?: boolean;
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
}

/** Who sends a message: clients may not set read-only members, and each side may send only what the other knows. */
export type Sender = "client" | "platform";

/** Durations are messages, which the document does not show: it has them as plain strings. */
const durations: readonly string[] = ["ttl", "overlap", "requestedOverlap"];
const duration = { type: "string", pattern: "^-?\\d+(\\.\\d{1,9})?s$" };

const refPrefix = "#/components/schemas/";

/** The contract's schemas as JSON Schema, once for each sender. */
export class Schemas {
  readonly #ajv = new Ajv({ allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(private readonly components: Readonly<Record<string, Schema>>) {
    addFormats(this.#ajv);
    // JSON holds 64-bit integers as strings.
    this.#ajv.addFormat("int64", /^-?\d+$/);
    for (const sender of ["client", "platform"] as const) {
      const converted = Object.entries(components).map(([name, schema]) => [name, this.#convert(schema, sender)]);
      this.#ajv.addSchema({ $id: sender, $defs: Object.fromEntries(converted) as object });
    }
  }

  /** Where a message breaks a schema; empty when it does not. */
  violations(schema: Schema, sender: Sender, message: unknown): string[] {
    const key = `${sender} ${JSON.stringify(schema)}`;
    const validate = this.#compiled.get(key) ?? this.#ajv.compile(this.#convert(schema, sender) as object);
    this.#compiled.set(key, validate);
    if (validate(message)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message: text = "", params }) => `${instancePath} ${text} ${JSON.stringify(params)}`,
    );
  }

  #convert(schema: Schema, sender: Sender): unknown {
    if (schema.$ref !== undefined) return { $ref: `${sender}#/$defs/${schema.$ref.slice(refPrefix.length)}` };
    if (schema.allOf !== undefined) return { allOf: schema.allOf.map((part) => this.#convert(part, sender)) };
    const { items, properties, additionalProperties, readOnly: _, ...rest } = schema;
    return {
      ...rest,
      ...(items === undefined ? {} : { items: this.#convert(items, sender) }),
      ...(properties === undefined ? {} : { properties: this.#convertAll(properties, sender) }),
      ...(schema.type === "object"
        ? { additionalProperties: additionalProperties === undefined ? false : this.#convert(additionalProperties, sender) }
        : {}),
    };
  }

  #convertAll(properties: Readonly<Record<string, Schema>>, sender: Sender): object {
    const known = Object.entries(properties).filter(([, { readOnly }]) => sender === "platform" || readOnly !== true);
    return Object.fromEntries(
      known.map(([name, property]) => {
        const isDuration = durations.includes(name) && property.type === "string";
        const converted = isDuration ? duration : this.#convert(property, sender);
        return [name, isDuration || this.#isMessage(property) ? { anyOf: [{ type: "null" }, converted] } : converted];
      }),
    );
  }

  /** A gateway that emits defaults sends null for an unset message, which the contract does not say. Timestamps are messages; so are durations. */
  #isMessage({ $ref, allOf, format }: Schema): boolean {
    const reference = $ref ?? allOf?.[0]?.$ref;
    if (reference === undefined) return format === "date-time";
    return this.components[reference.slice(refPrefix.length)]?.type === "object";
  }
}

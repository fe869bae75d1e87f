/** The value of a property in a Pulumi package schema. */
export interface SchemaValue {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: SchemaValue;
  readonly additionalProperties?: SchemaValue;
  readonly oneOf?: readonly SchemaValue[];
}

/** A property that names a type. */
export interface SchemaReference extends SchemaValue {
  readonly $ref: string;
}

/** A property in a Pulumi package schema. */
export interface SchemaProperty extends SchemaValue {
  readonly description: string;
  readonly secret?: true;
  readonly willReplaceOnChanges?: true;
}

/** The arguments or the result of a function. */
export interface SchemaObject {
  readonly type: "object";
  readonly properties: Readonly<Record<string, SchemaProperty>>;
  readonly required: readonly string[];
}

/** A type in a Pulumi package schema, which is an object or an enum. */
export interface SchemaType extends Partial<Omit<SchemaObject, "type">> {
  readonly type: string;
  readonly description?: string;
  readonly enum?: readonly { readonly name: string; readonly value: string }[];
}

/** The types of a schema, by token. */
export type SchemaTypes = Record<string, SchemaType>;

/** A resource in a Pulumi package schema. */
export interface SchemaResource {
  readonly description: string;
  readonly isComponent?: true;
  readonly properties: Readonly<Record<string, SchemaProperty>>;
  readonly required: readonly string[];
  readonly inputProperties: Readonly<Record<string, SchemaProperty>>;
  readonly requiredInputs: readonly string[];
  readonly aliases: readonly { readonly type: string }[];
  readonly listInputs?: SchemaObject;
}

/** The provider itself in a Pulumi package schema. */
export type SchemaProvider = Pick<SchemaResource, "description" | "inputProperties">;

/** A function in a Pulumi package schema. */
export interface SchemaFunction {
  readonly description: string;
  readonly inputs: SchemaObject;
  readonly outputs: SchemaObject;
}

/** A Pulumi package schema. */
export interface Schema {
  readonly config: { readonly variables: Readonly<Record<string, SchemaProperty>> };
  readonly provider: SchemaProvider;
  readonly language: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly types: Readonly<SchemaTypes>;
  readonly resources: Readonly<Record<string, SchemaResource>>;
  readonly functions: Readonly<Record<string, SchemaFunction>>;
}

import { enumOf } from "./schema-enums";
import type { SchemaProperty, SchemaResource, SchemaTypes, SchemaValue } from "./schema-form";
import { commentOf, type Comments } from "./walk";

/** The arguments in a schema of the kinds of which components are made, without their parents. */
export interface EntryArguments {
  readonly group: Readonly<Record<string, SchemaProperty>>;
  readonly identity: Readonly<Record<string, SchemaProperty>>;
  /** The arguments of a group that say where it is. */
  readonly place: Readonly<Record<string, SchemaProperty>>;
}

/** The uids of resources by names. */
const uids: SchemaValue = { type: "object", additionalProperties: { type: "string" } };

/** An identity in a list of access. */
const identity: SchemaValue = { oneOf: [{ type: "string" }, uids] };

/** The components as resources, by token. The types of their entries are added to `types`. */
export function schemaOfComponents(
  entries: EntryArguments,
  comments: Comments,
  types: SchemaTypes,
): Record<string, SchemaResource> {
  const described = (value: SchemaValue, path: string): SchemaProperty => ({ ...value, description: commentOf(comments, path) });
  const type = (name: string, properties: Record<string, SchemaProperty>): SchemaValue => {
    const token = `platform:iam:${name}`;
    types[token] = { type: "object", description: commentOf(comments, name), properties, required: [] };
    return { $ref: `#/types/${token}` };
  };
  const mapOf = (values: SchemaValue): SchemaValue => ({ type: "object", additionalProperties: values });
  const contents = (path: string): Record<string, SchemaProperty> => ({
    identities: described(mapOf({ $ref: "#/types/platform:iam:IdentityEntry" }), "GroupContents.identities"),
    access: described(mapOf({ type: "array", items: identity }), "GroupContents.access"),
    groups: described(mapOf({ $ref: "#/types/platform:iam:GroupEntry" }), path),
  });
  const pipeline = type("IdentityEntry", entries.identity);
  type("GroupEntry", { ...entries.group, ...contents("GroupContents.groups") });
  const values = ["RoleBinding", "GroupAccess"];
  const accessAs = described(enumOf({ area: "iam", name: "accessAs", values }, types) ?? {}, "Organization.accessAs");
  return {
    "platform:iam:Organization": component(commentOf(comments, "Organization"), {
      inputs: {
        parentUid: described({ type: "string" }, "Organization.parentUid"),
        roles: described(uids, "Organization.roles"),
        accessAs,
        ...contents("Organization.groups"),
        file: described({ type: "string" }, "Organization.file"),
      },
      required: ["parentUid"],
      outputs: {
        groups: {
          ...uids,
          description: "Uids of the groups by their paths, which begin with the name of the component: `acme/engineering/shop`.",
        },
        identities: { ...uids, description: "Uids of the identities by their paths: `acme/engineering/shop/ci`." },
      },
    }),
    "platform:iam:Team": component(commentOf(comments, "Team"), {
      inputs: {
        ...entries.place,
        ...entries.group,
        pipeline: described(pipeline, "Team.pipeline"),
        access: described(mapOf({ type: "array", items: identity }), "Team.access"),
        accessAs,
      },
      required: ["pipeline"],
      outputs: {
        group: { type: "string", description: "Uid of the team's group." },
        pipeline: { type: "string", description: "Uid of the identity of the team's pipeline." },
      },
    }),
  };
}

interface Component {
  readonly inputs: Readonly<Record<string, SchemaProperty>>;
  readonly required: readonly string[];
  readonly outputs: Readonly<Record<string, SchemaProperty>>;
}

function component(description: string, { inputs, required, outputs }: Component): SchemaResource {
  return {
    description,
    isComponent: true,
    properties: outputs,
    required: Object.keys(outputs),
    inputProperties: inputs,
    requiredInputs: required,
    aliases: [],
  };
}

import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { Kind } from "../../provider/schema/kind";
import type { Field, Fields, Giver } from "../../provider/schema/field";
import { declaredInputs, stateOf } from "../../provider/schema/kind";
import { kinds } from "../../provider/kinds/kinds";
import { createBody } from "../../provider/schema/request-body";
import { changeOf } from "../support/change";
import { snakeCase } from "../../provider/schema/wire-names";
import { classOf } from "../../sdk/resources/declared";
import { tableRows } from "../docs/markdown";
import { readComments } from "../../tools/generate/comments";
import { schemaOf } from "../../tools/generate/schema";
import { tablesOf } from "../../tools/generate/tables";
import type { Comments } from "../../tools/generate/walk";
import { redeclared, samplesOf, without } from "./samples";

let comments: Comments;
beforeAll(async () => {
  comments = readComments();
  await pulumi.runtime.setMocks({
    newResource: ({ inputs, name }) => ({ id: `uid-of-${name}`, state: inputs as object }),
    call: ({ inputs }) => inputs as object,
  });
});

/** Everything that follows from a declaration, by where it shows: the names there of its fields and their members. */
interface Traces {
  inputs: string[];
  wire: string[];
  createBody: string[];
  masks: string[];
  state: string[];
  classOutputs: string[];
  argumentsTable: string[];
  outputsTable: string[];
  schemaInputs: string[];
  schemaOutputs: string[];
}

/** @param original the kind before a field was dropped: programs and the platform still have that field */
function tracesOf(kind: Kind, original = kind): Traces {
  const [before, after] = [1, 2].map((version) => samplesOf(original.fields, version));
  const wire = { ...samplesOf(original.fields, 1), uid: "a/b/c" };
  const manifest = { version: "0.0.0", description: "", keywords: [], license: "" };
  // Components are made of groups and identities.
  const others = [kinds.group, kinds.identity].filter(({ name }) => name !== kind.name);
  const { types, resources } = schemaOf({ kinds: [kind, ...others], comments, manifest, settings: {}, functions: [] });
  const [, resource] = Object.entries(resources).find(([token]) => token.endsWith(`:${kind.name}`)) ?? [];
  const shown = (properties: Record<string, { $ref?: string }> = {}) =>
    Object.entries(properties).flatMap(([name, { $ref }]) => [
      name,
      ...Object.keys(types[$ref?.replace("#/types/", "") ?? ""]?.properties ?? {}).map((member) => `${name}.${member}`),
    ]);
  const { arguments: args, outputs } = tablesOf(kind, comments);
  return {
    inputs: pathsOf(kind.inputs),
    wire: Object.keys((kind.collection as unknown as { schema: z.ZodObject }).schema.shape),
    createBody: Object.keys(createBody(kind, declaredInputs(kind, before ?? {}))),
    masks: changeOf(kind, before ?? {}, after ?? {}).mask,
    state: Object.keys(stateOf(kind, kind.observe(wire))),
    classOutputs: outputsOfClass(kind),
    argumentsTable: namesIn(args),
    outputsTable: namesIn(outputs),
    schemaInputs: shown(resource?.inputProperties),
    schemaOutputs: shown(resource?.properties),
  };
}

const wholes = new Map<Kind, Traces>();

/** {@link tracesOf} the kind with all of its fields. */
function tracesOfWhole(kind: Kind): Traces {
  const traces = wholes.get(kind) ?? tracesOf(redeclared(kind, kind.fields));
  wholes.set(kind, traces);
  return traces;
}

/** The members of a schema, and those of messages in it. */
function pathsOf(schema: z.ZodObject): string[] {
  return Object.entries(schema.shape).flatMap(([name, member]) => {
    const inner = unwrapped(member);
    return [name, ...(inner instanceof z.ZodObject ? pathsOf(inner).map((path) => `${name}.${path}`) : [])];
  });
}

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrapped(schema.unwrap()) : schema;
}

function outputsOfClass(kind: Kind): string[] {
  const Resource = classOf(kind) as new (name: string, args: object) => Record<string, unknown>;
  const resource = new Resource("thing", {});
  return Object.keys(resource).filter((name) => pulumi.Output.isInstance(resource[name]) && !["urn", "id", "uid"].includes(name));
}

function namesIn(table: string): string[] {
  return tableRows("", table)
    .slice(2)
    .map(([name = ""]) => name.replaceAll("`", ""));
}

const ofInputs: (keyof Traces)[] = [
  ...(["inputs", "wire", "createBody", "masks", "state"] as const),
  ...(["classOutputs", "argumentsTable", "schemaInputs", "schemaOutputs"] as const),
];
const ofOutputs: (keyof Traces)[] = ["wire", "state", "classOutputs", "outputsTable", "schemaOutputs"];

/** Where a field shows. */
const placesOf: Record<Giver, (keyof Traces)[]> = {
  required: ofInputs,
  optional: ofInputs,
  named: ofInputs,
  filled: ofInputs,
  check: ["inputs", "argumentsTable", "schemaInputs"],
  local: ["inputs", "classOutputs", "argumentsTable", "schemaInputs", "schemaOutputs"],
  parent: [],
  reference: ["inputs", "classOutputs", "argumentsTable", "schemaInputs", "schemaOutputs"],
  output: ofOutputs,
  detail: ["wire"],
};

/** True where `names` holds the field, or masks name its members. */
function isIn(names: string[], name: string): boolean {
  return names.some((each) => `${each}.`.startsWith(`${name}.`));
}

/** A field by its name in one of the places. */
function nameIn(place: keyof Traces, name: string, { traits }: Field): string {
  if (place === "masks") return snakeCase(traits.wire ?? name);
  return place === "wire" || place === "createBody" ? (traits.wire ?? name) : name;
}

const droppable = Object.values(kinds).flatMap((kind: Kind) =>
  Object.entries(kind.fields)
    .filter(([, { by }]) => by !== "parent")
    .map(([name, field]): [string, string, Kind, Field] => [kind.name, name, kind, field]),
);

test.each(droppable)("%s without %s has it nowhere, and everything else as before", (_kind, name, kind, field) => {
  const [before, after] = [tracesOfWhole(kind), tracesOf(redeclared(kind, without(kind.fields, [name])), kind)];
  const places = Object.keys(before) as (keyof Traces)[];
  expect(places.filter((place) => isIn(before[place], nameIn(place, name, field)))).toEqual(
    places.filter((place) => placesOf[field.by].includes(place) && !isLeftOut(place, name, kind, field)),
  );
  for (const place of places) {
    const gone = nameIn(place, name, field);
    const rest = before[place].filter((each) => each !== gone && !each.startsWith(`${gone}.`));
    expect([place, after[place]]).toEqual([place, rest]);
  }
});

/** True where a field never shows because of its traits. */
function isLeftOut(place: keyof Traces, name: string, { immutable }: Kind, { traits }: Field): boolean {
  if (place === "masks") return immutable.includes(name);
  // State has what was sent, and an answer alone does not show it.
  return traits.writeOnly === true && (place === "wire" || place === "state");
}

/** The members of messages that programs and resources have. */
function memberPaths(fields: Fields): string[][] {
  return Object.entries(fields).flatMap(([name, { by, shape }]) => {
    if (shape.is !== "message" || by === "detail") return [];
    const members = Object.entries(shape.members).filter(([, member]) => member.by !== "detail");
    return members.map(([member]) => [name, member]);
  });
}

const members = Object.values(kinds).flatMap((kind: Kind) =>
  memberPaths(kind.fields).map((path): [string, string, Kind, string[]] => [kind.name, path.join("."), kind, path]),
);

test.each(members)("%s without the member %s has it in no input, table and schema", (_kind, dotted, kind, path) => {
  const [before, after] = [tracesOfWhole(kind), tracesOf(redeclared(kind, without(kind.fields, path)), kind)];
  const isInput = kind.fields[path[0] ?? ""]?.by !== "output";
  const places: (keyof Traces)[] = isInput
    ? ["inputs", "argumentsTable", "schemaInputs", "schemaOutputs"]
    : ["outputsTable", "schemaOutputs"];
  for (const place of places) {
    expect([place, before[place].includes(dotted)]).toEqual([place, true]);
    const rest = before[place].filter((each) => each !== dotted && ![".", "["].some((next) => each.startsWith(dotted + next)));
    expect([place, after[place]]).toEqual([place, rest]);
  }
});

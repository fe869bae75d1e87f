import * as pulumi from "@pulumi/pulumi";
import * as served from "../../provider";
import type { DynamicProvider } from "../../provider/host/dynamic";
import type { ResourceKind } from "../../provider/schema/kind";
import type { Field, Fields, Shape } from "../../provider/schema/field";
import { composites, kinds, type ResourceKinds, values } from "../../provider/kinds/kinds";
import { referencesOf } from "../../provider/schema/references";
import * as sdk from "../../sdk";
import * as native from "../../sdk/native";
import { nativeToken } from "../../sdk/resources/door";
import { PlatformResource } from "../../sdk/resources/resource";
import { readComments } from "../../tools/generate/comments";
import type { Comments } from "../../tools/generate/walk";
import { EmittedTypes, type Property } from "./emitted";

interface Registration {
  type: string;
  inputs: Record<string, unknown>;
}

const registered: Registration[] = [];
let types: EmittedTypes;
let comments: Comments;
beforeAll(async () => {
  types = new EmittedTypes();
  comments = readComments();
  await pulumi.runtime.setMocks({
    newResource: (args) => {
      registered.push(args);
      return { id: `uid-of-${args.name}`, state: args.inputs as object };
    },
    call: ({ inputs }) => inputs as object,
  });
});

const all = Object.entries({ ...kinds, ...composites, ...values }).map(([name, kind]): [string, string, ResourceKind] => [
  kind.name,
  name,
  kind,
]);
const isInput = ({ by }: Field) => by !== "output" && by !== "detail";
const isOutput = ({ by }: Field) => by !== "detail" && by !== "check";
/** A uid that another argument may stand for is optional in one of the forms. */
const isOptional = ([name, { by }]: [string, Field], fields: Fields) =>
  (by !== "required" && by !== "parent") || referencesOf(fields).some(({ uid }) => uid === name);
// A kind without a class, or that nothing serves, does not compile.
const ofKinds: Record<Capitalize<keyof ResourceKinds>, { readonly __pulumiType: string }> = sdk;
const serving: Record<keyof ResourceKinds, DynamicProvider> = served;
const classes = ofKinds as unknown as Record<string, new (name: string, args: object) => Record<string, unknown>>;

test("the package exports a class for each kind, and serves each", () => {
  const exported = Object.entries(classes).filter(([, value]) => value.prototype instanceof PlatformResource);
  expect(exported.map(([name]) => name).sort()).toEqual(all.map(([name]) => name).sort());
  expect(Object.keys(serving).sort()).toEqual(all.map(([, name]) => name).sort());
  for (const [name, { __pulumiType: type }] of exported as unknown as [keyof typeof native, typeof sdk.Group][])
    expect(native[name]).toHaveProperty("__pulumiType", nativeToken(type));
});

describe.each(all)("%s", (name, export_, kind) => {
  const { fields, collection } = kind;
  /** The arguments of all resources with an object. */
  const shared = "naturalKey" in kind ? (["adopt"] as const) : [];

  test("registers its type, the code that serves it, and the outputs of its declaration", async () => {
    const resource = new (classes[name] as (typeof classes)[string])("thing", {});
    await new Promise((resolve) => (resource["urn"] as pulumi.Output<string>).apply(resolve));
    expect(registered.at(-1)).toMatchObject({
      type: `pulumi-nodejs:dynamic/platform/${collection.area}:${name}`,
      inputs: { __provider: `exports.handler = () => require("pulumi-platform/provider").${export_}` },
    });
    const outputs = Object.keys(resource).filter((each) => pulumi.Output.isInstance(resource[each]));
    expect(outputs.sort()).toEqual(["__provider", "id", "uid", "urn", ...namesOf(fields, isOutput)].sort());
  });

  test("has the arguments of its declaration, each required or not as it says, and adopt", () => {
    const args = types.propertiesOf(`${name}Args`).map((each) => [each.name, each.isOptional]);
    const declared = Object.entries(fields).filter(([, field]) => isInput(field));
    const own = declared.map((each): [string, boolean] => [each[0], isOptional(each, fields)]);
    expect(args.sort()).toEqual([...new Map([...own, ...shared.map((each) => [each, true] as const)])].sort());
  });

  test("has the types of the outputs of its declaration", () => {
    const inherited = types.propertiesOf("PlatformResource", "sdk/resources/resource").map((each) => each.name);
    const own = types.propertiesOf(name).filter((each) => !inherited.includes(each.name));
    expect(own.map((each) => each.name).sort()).toEqual(namesOf(fields, isOutput).sort());
  });

  test("shows the declaration's doc comments in editors, for arguments, outputs and members of messages", () => {
    const expected = [...comments].filter(([path]) => path.startsWith(`${name}.`));
    const args = commentsOf(name, types.propertiesOf(`${name}Args`), fields, isInput);
    const outputs = commentsOf(name, types.propertiesOf(name), fields, isOutput);
    const found = new Map([...args, ...outputs]);
    const details = detailsOf(name, fields);
    const isDetail = (path: string) => details.some((detail) => path === detail || path.startsWith(`${detail}.`));
    expect(args.size).toBeGreaterThan(1);
    expect([...found].sort()).toEqual(expected.filter(([path]) => !isDetail(path)).sort());
    const adopt = types
      .propertiesOf(`${name}Args`)
      .find((each) => each.name === "adopt")
      ?.comment.replaceAll(/\s+/g, " ");
    expect(adopt).toBe(shared.length === 0 ? undefined : (comments.get(`${name}.adopt`) ?? comments.get("adopt")));
    expect(
      types
        .propertiesOf(name)
        .find((each) => each.name === "uid")
        ?.comment.replaceAll(/\s+/g, " "),
    ).toBe(comments.get("uid"));
  });
});

function namesOf(fields: Fields, which: (field: Field) => boolean): string[] {
  return Object.entries(fields).flatMap(([name, field]) => (which(field) ? [name] : []));
}

/** The paths that the arguments and outputs of a class do not show: those that only data sources return, and those of messages in unions. */
function detailsOf(prefix: string, fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, { by, shape }]) => {
    const [path, item] = [`${prefix}.${name}`, itemOf(shape)];
    if (by === "detail") return [path];
    // A type of its own beside a text, in a union, so the members of the property's type do not show it.
    if (item.is === "uid" && item.or !== undefined)
      return Object.keys(item.or.message.members).map((member) => `${path}.${member}`);
    if (item.is === "reference" && item.to === "identity") return [`${path}.issuer`, `${path}.subject`];
    return item.is === "message" ? detailsOf(path, item.members) : [];
  });
}

/** The shape of the items of a list, set or map, at any depth; else the shape itself. */
function itemOf(shape: Shape): Shape {
  return shape.is === "set" || shape.is === "list" || shape.is === "map" ? itemOf(shape.of) : shape;
}

/** The comments that editors show of `properties` that are declared, by dotted path. */
function commentsOf(
  prefix: string,
  properties: Property[],
  fields: Fields,
  which: (field: Field) => boolean,
): Map<string, string> {
  return new Map(
    properties.flatMap(({ name, comment, members }): [string, string][] => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field === undefined || !which(field)) return [];
      const path = `${prefix}.${name}`;
      const item = itemOf(field.shape);
      const inner = item.is === "message" ? commentsOf(path, members(), item.members, ({ by }) => by !== "detail") : [];
      return [[path, comment.replaceAll(/\s+/g, " ")], ...inner];
    }),
  );
}

import { readFileSync } from "node:fs";
import path from "node:path";
import { isShown } from "../../provider/schema/answers";
import type { ReadableKind } from "../../provider/schema/kind";
import type { Fields } from "../../provider/schema/field";
import { readableKinds } from "../../provider/kinds/kinds";
import { sourceOfAll } from "../../provider/sources/source-of-all";
import { EmittedTypes, type Property } from "../kinds/emitted";
import type { Schema } from "./schemas";

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly { name: string; in: string }[] } }>>;
}

const contract = JSON.parse(readFileSync(path.join(__dirname, "../../emulator/contract/api.json"), "utf8")) as Document;

/** Members that no Get and no List ever shows: secrets, what only a create takes, and what only a create returns. */
const neverShown = ["IdentityProvider.oidc.clientSecret", "GroupInvite.ttl", "GroupInvite.code"];

const kinds = Object.values(readableKinds).map((kind: ReadableKind): [string, ReadableKind] => [kind.name, kind]);

let types: EmittedTypes;
beforeAll(() => {
  types = new EmittedTypes();
});

/** The schema behind references, lists and maps. */
function resolved({ $ref, allOf, items, additionalProperties, ...schema }: Schema): Schema {
  const next = allOf?.[0] ?? items ?? additionalProperties;
  if (next !== undefined) return resolved(next);
  return $ref === undefined ? schema : resolved(contract.components.schemas[$ref.split("/").at(-1) ?? ""] ?? {});
}

/** The members of a schema by dotted path, with those of messages in it. */
function membersOf(schema: Schema, prefix: string): string[] {
  return Object.entries(resolved(schema).properties ?? {})
    .map(([name, member]): [string, Schema] => [`${prefix}.${name}`, member])
    .filter(([member]) => !neverShown.includes(member))
    .flatMap(([member, inner]) => [member, ...membersOf(inner, member)]);
}

function pathsOf(properties: readonly Property[], prefix: string): string[] {
  return properties.flatMap(({ name, members }) => [`${prefix}.${name}`, ...pathsOf(members(), `${prefix}.${name}`)]);
}

/** The paths of what a declaration says that answers hold, by the names in programs or on the wire. */
function declaredPaths(fields: Fields, prefix: string, where: "program" | "wire"): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (!isShown(field)) return [];
    let { shape } = field;
    while (shape.is === "set" || shape.is === "list" || shape.is === "map") shape = shape.of;
    const member = `${prefix}.${(where === "wire" && field.traits.wire) || name}`;
    return [member, ...(shape.is === "message" ? declaredPaths(shape.members, member, where) : [])];
  });
}

test.each(kinds)("the result of getting a %s holds every member of the contract", (name, { collection, fields }) => {
  const schema = contract.components.schemas[`${collection.area}.${name}`];
  const expected = membersOf(schema ?? {}, name);
  const found = [`${name}.uid`, ...declaredPaths(fields, name, "wire")];
  expect(expected.length).toBeGreaterThan(1);
  expect(expected.filter((member) => !found.includes(member))).toEqual([]);
});

test.each(kinds)("the result type of getting a %s holds what its declaration says, and its uid", (name, { fields }) => {
  const found = pathsOf(types.propertiesOf(`Get${name}Result`), name);
  expect(found.sort()).toEqual([`${name}.uid`, ...declaredPaths(fields, name, "program")].sort());
});

test.each(kinds)("the filters of all of %s are those of the contract", (_name, kind) => {
  const { area, segment } = kind.collection;
  const parameters = contract.paths[`/${area}/v2/${segment}`]?.get?.parameters ?? [];
  const scope = { "uidp.descendantsOf": "descendantsOf", "uidp.childrenOf": "childrenOf", "uidp.ancestorsOf": "ancestorsOf" };
  const all: Record<string, string | undefined> = { ...scope, "uidp.inRoot": "inRoot", "uidp.ids": "uids" };
  const expected = parameters.map(({ name }) => all[name] ?? name).filter((name) => name !== "pageToken" && name !== "skip");
  expect(Object.keys(sourceOfAll(kind).rules({})).sort()).toEqual(expected.sort());
});

test("a member that a result lacks would be found", () => {
  const schema = contract.components.schemas["iam.Role"];
  const { capabilities: _, ...fields } = readableKinds.role.fields;
  const found = declaredPaths(fields, "Role", "wire");
  expect(membersOf(schema ?? {}, "Role").filter((member) => !found.includes(member))).toEqual(["Role.capabilities", "Role.uid"]);
});

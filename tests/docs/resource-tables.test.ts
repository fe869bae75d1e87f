import { z } from "zod";
import * as served from "../../provider";
import type { Fields } from "../../provider/schema/field";
import { type Kind, type ResourceKind } from "../../provider/schema/kind";
import { composites, kinds, values } from "../../provider/kinds/kinds";
import { referencesOf } from "../../provider/schema/references";
import { filesBelow, read, tableRows } from "./markdown";

const index = "docs/resources/index.md";
const pageOf = (name: string) => `docs/resources/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.md`;
const objects = Object.entries({ ...kinds, ...composites }).map(([name, kind]): [string, Kind] => [pageOf(name), kind]);
const all: Record<string, ResourceKind> = { ...kinds, ...composites, ...values };
const pages = Object.entries(all).map(([name, kind]): [string, ResourceKind] => [pageOf(name), kind]);

/** An argument of a resource class; nested members have their path as name. */
interface Argument {
  readonly name: string;
  readonly isRequired: boolean;
  /** A new value replaces the object. */
  readonly isImmutable: boolean;
}

function declared({ fields, inputs, immutable }: ResourceKind): Argument[] {
  return [...paths(inputs).flatMap((path) => [path, ...insteadOfUids(fields, path)])].map(([name, isRequired]) => ({
    name,
    // The classes default to the logical name.
    isRequired: isRequired && name !== "name" && !referencesOf(fields).some(({ uid }) => uid === name),
    isImmutable: immutable.includes(name.split(".")[0] ?? "") || isImmutableMember(fields, name.split(".")),
  }));
}

/** The members of the message that a program may write in place of the uids in an argument. */
function insteadOfUids(fields: Fields, [name]: [string, boolean]): [string, boolean][] {
  let shape = fields[name]?.shape;
  while (shape !== undefined && "of" in shape && typeof shape.of === "object") shape = shape.of;
  const members = shape?.is === "uid" ? Object.keys(shape.or?.message.members ?? {}) : [];
  return members.map((member) => [`${name}[].${member}`, false]);
}

/** `names` without those that a program may set instead of a uid. */
function withoutReferences(fields: Fields, names: readonly string[]): string[] {
  return names.filter((name) => fields[name]?.by !== "reference");
}

function isImmutableMember(fields: Fields, [name = "", ...rest]: string[]): boolean {
  const { shape, traits } = fields[name] ?? {};
  if (rest.length === 0) return traits?.immutable === true;
  return shape?.is === "message" && isImmutableMember(shape.members, rest);
}

/** The path of each member of a schema, also of those in messages, and whether it is required. */
function paths(schema: z.ZodObject): [string, boolean][] {
  return Object.entries(schema.shape).flatMap(([name, member]): [string, boolean][] => {
    const inner = unwrapped(member);
    const item = itemOf(inner);
    const members = item instanceof z.ZodObject ? paths(item) : [];
    return [
      [name, !z.safeParse(member, undefined).success],
      ...members.map(([path, isRequired]): [string, boolean] => [`${name}${item === inner ? "" : "[]"}.${path}`, isRequired]),
    ];
  });
}

/** The schema of the items of a list or map; else the schema itself. */
function itemOf(schema: unknown): unknown {
  if (schema instanceof z.ZodArray) return itemOf(schema.element);
  return schema instanceof z.ZodRecord ? itemOf(schema.valueType) : schema;
}

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrapped(schema.unwrap()) : schema;
}

function documented(page: string): Argument[] {
  const [, table = ""] = /^## Arguments\n+<!-- .* -->\n+((?:^\|.*\n)+)/m.exec(read(page)) ?? [];
  return tableRows(page, table)
    .slice(2)
    .map(([name = "", , presence = "", rule = ""]) => ({
      name: name.replaceAll("`", ""),
      isRequired: presence === "required",
      isImmutable: /\bA change replaces the \w+/.test(rule),
    }));
}

test("everything served has its page, and every page is of something served", () => {
  expect(Object.keys(all).sort()).toEqual(Object.keys(served).sort());
  expect(pages.map(([page]) => page).sort()).toEqual(filesBelow("docs/resources", ".md").filter((page) => page !== index));
});

test.each(pages)("the arguments in %s are the declared inputs of the kind, in order, and adopt", (page, kind) => {
  const adopt =
    "adopt" in kind.fields || !("naturalKey" in kind) ? [] : [{ name: "adopt", isRequired: false, isImmutable: false }];
  expect(documented(page)).toEqual([...declared(kind), ...adopt]);
});

test.each(pages)("%s says that the name defaults to the logical name, if the kind has a name", (page, kind) => {
  const [, , presence] = tableRows(page).find(([name]) => name === "`name`") ?? [];
  expect(presence).toBe("name" in kind.inputs.shape ? "the logical name" : undefined);
});

test("the README has a row for each page", () => {
  const rows = tableRows("README.md").flatMap(([name = ""]) => /\((docs\/resources\/.*)\)/.exec(name)?.slice(1) ?? []);
  expect(rows.sort()).toEqual(pages.map(([page]) => page).sort());
});

test("the table of all resources says what identifies the objects of a kind, and what replaces them", () => {
  const rows = tableRows(index).filter(([name, key = ""]) => /\([\w-]+\.md\)$/.test(name ?? "") && !key.startsWith("`"));
  const words = (names: readonly string[]) => new Intl.ListFormat("en-GB").format(names.map((name) => name.replace("Uid", "")));
  const expected = objects.map(([page, kind]) => [
    page,
    words(kind.keyInputs),
    words(withoutReferences(kind.fields, kind.immutable)),
  ]);
  const found = rows.map(([name = "", key, immutable]) => [`docs/resources/${/\((.*)\)/.exec(name)?.[1] ?? ""}`, key, immutable]);
  expect(found.sort()).toEqual(expected.sort());
});

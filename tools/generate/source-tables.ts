import type { z } from "zod";
import type { Fields, Shape } from "../../provider/schema/field";
import { isShown } from "../../provider/schema/answers";
import type { ReadableKind } from "../../provider/schema/kind";
import { sourceOfAll } from "../../provider/sources/source-of-all";
import { sourceOfOne } from "../../provider/sources/source-of-one";
import type { DescribedFunction, DescribedMember, DescribedType } from "./functions";
import type { Tables } from "./tables";
import { code, table, typeOf, withDefault } from "./table";
import { commentOf, type Comments, itemOf, plain } from "./walk";

/** The arguments of a data source for an object with a name. */
const namedArguments: ReadonlySet<string> = new Set(["name", "parentUid", "parentPath"]);

/** Words of one argument of every data source for all objects, by type. */
const scopeTypes: Readonly<Record<string, string>> = { inRoot: "boolean", uids: "string[]", pageSize: "number" };

/** The tables of the page of a kind's data sources, by the name in their markers. */
export function sourceTablesOf(kind: ReadableKind, comments: Comments): Tables {
  return {
    one: oneTable(kind, comments),
    ...(ownFilters(kind).length > 0 && { all: allTable(kind, comments) }),
    result: table(
      ["field", "type", "description"],
      [[code("uid"), code("string"), `Uid of the ${kind.collection.noun}.`], ...resultRows(kind.name, kind.fields, comments)],
    ),
  };
}

/** The arguments that identify an object, which are its uid or its natural key. */
function oneTable(kind: ReadableKind, comments: Comments): string {
  const key = Object.entries(sourceOfOne(kind).rules({})).filter(([name]) => name !== "uid");
  const rows = key.map(([name, rule]) => {
    const isNamed = kind.naturalKey.join() === "name" && namedArguments.has(name);
    const comment = commentOf(comments, isNamed ? `?${name}` : `${kind.name}.${name}`);
    return [
      code(name),
      code(typeOf(shapeOf(kind, name))),
      name === "parentPath" ? "instead of `parentUid`" : optionality(rule),
      plain(comment),
    ];
  });
  const uid = [code("uid"), code("string"), rows.length > 0 ? "instead of the others" : "required", commentOf(comments, "?uid")];
  return table(["argument", "type", "", "description"], [uid, ...rows]);
}

function shapeOf({ name, fields }: ReadableKind, field: string): Shape {
  const { shape } = fields[field] ?? {};
  if (shape === undefined) throw new Error(`${name} has no field ${field}.`);
  return shape;
}

function optionality(rule: z.ZodType): string {
  return rule.safeParse(undefined).success ? "optional" : "required";
}

/** Filters of the kind, besides those of every List. */
function ownFilters({ filters }: ReadableKind): [string, Shape][] {
  return Object.entries(filters).filter(([name]) => name !== "ancestorsOf");
}

function allTable(kind: ReadableKind, comments: Comments): string {
  return table(
    ["argument", "type", "description"],
    ownFilters(kind).map(([name, shape]) => [code(name), code(typeOf(shape)), commentOf(comments, `${kind.name}?${name}`)]),
  );
}

/** The arguments of every data source for all objects. */
export function scopeTable(comments: Comments): string {
  const names = [...comments.keys()].filter(
    (name) => name.startsWith("?") && name !== "?uid" && !namedArguments.has(name.slice(1)),
  );
  return table(
    ["argument", "type", "description"],
    names.map((name) => [code(name.slice(1)), code(scopeTypes[name.slice(1)] ?? "string"), commentOf(comments, name)]),
  );
}

function resultRows(owner: string, fields: Fields, comments: Comments, prefix = ""): string[][] {
  return Object.entries(fields)
    .filter(([, field]) => isShown(field))
    .flatMap(([name, { shape }]) => {
      const item = itemOf(shape);
      const path = prefix + name;
      const row = [
        code(path),
        code(shape.is === "time" ? "string | null" : typeOf(shape)),
        plain(commentOf(comments, `${owner}.${name}`)),
      ];
      if (item.is !== "message") return [row];
      const inner = item === shape ? `${path}.` : shape.is === "map" ? `${path}[…].` : `${path}[].`;
      return [row, ...resultRows(`${owner}.${name}`, item.members, comments, inner)];
    });
}

/** The data sources of `kinds`, for the overview. */
export function functionsTable(kinds: readonly ReadableKind[]): string {
  const rows = kinds.map((kind) => {
    const [one, all] = [sourceOfOne(kind), sourceOfAll(kind)];
    const page = `data-sources/${pageName(kind)}`;
    return [
      `[${code(one.call)}](${page})`,
      (one.usage ?? "").replace(/^.*Pass (.*)\.$/, "$1").replace(/\{[^}]*\}/g, code),
      `[${code(all.call)}](${page})`,
      code(`{ ${kind.segment} }`),
    ];
  });
  return table(["one", "arguments", "all", "result"], rows);
}

/** The tokens of the data sources in mocks. */
export function tokensTable(kinds: readonly ReadableKind[]): string {
  const rowOf = ({ call, area }: { call: string; area: string }, result: string) => [
    code(call),
    code(`platform:${area}:${call}`),
    result,
  ];
  const rows = kinds.flatMap((kind) => [
    rowOf(sourceOfOne(kind), `the ${kind.collection.noun}`),
    rowOf(sourceOfAll(kind), code(`{ ${kind.segment}: [...] }`)),
  ]);
  return table(["function", "token", "result"], rows);
}

/** File of the page of a kind. */
export function pageName({ name }: { name: string }): string {
  return `${name.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.md`;
}

/** The tables of the page of a function without a kind. */
export function functionTablesOf({ inputs, outputs }: DescribedFunction): Tables {
  return {
    arguments: table(
      ["argument", "type", "default", "description"],
      inputs.map(({ name, type, isRequired, description }) => {
        const [text, value] = withDefault(description);
        return [code(name), code(wordsOf(type)), isRequired ? "required" : (value ?? "none"), text];
      }),
    ),
    result: table(
      ["field", "type", "description"],
      memberRows(outputs).map(([name, type, text]) => [code(name), code(type), text]),
    ),
  };
}

function memberRows(members: readonly DescribedMember[], prefix = ""): [name: string, type: string, text: string][] {
  return members.flatMap(({ name, type, isRequired, description }): [string, string, string][] => {
    const path = `${prefix}${name}${isRequired ? "" : "?"}`;
    const item = type.is === "list" ? type.of : type;
    const inner = item.is === "object" ? memberRows(item.members, `${prefix}${name}${type.is === "list" ? "[]" : ""}.`) : [];
    return [[path, wordsOf(type), description], ...inner];
  });
}

/** A type for people. */
function wordsOf(type: DescribedType): string {
  switch (type.is) {
    case "text":
      return "string";
    case "flag":
      return "boolean";
    case "number":
      return "number";
    case "list":
      return `${wordsOf(type.of)}[]`;
    case "map":
      return `Record<string, ${wordsOf(type.of)}>`;
    case "object":
      return type.name ?? "object";
    default:
      return "unknown";
  }
}

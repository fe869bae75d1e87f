import { isShown } from "../../provider/schema/answers";
import type { ReadableKind } from "../../provider/schema/kind";
import type { Fields, Shape } from "../../provider/schema/field";
import { readableKinds } from "../../provider/kinds/kinds";
import { callOfAll, sourceOfAll } from "../../provider/sources/source-of-all";
import { callOfOne, sourceOfOne } from "../../provider/sources/source-of-one";
import * as sdk from "../../sdk";
import { readComments } from "../../tools/generate/comments";
import type { Comments } from "../../tools/generate/walk";
import { EmittedTypes, type Property } from "./emitted";

let types: EmittedTypes;
let comments: Comments;
beforeAll(() => {
  types = new EmittedTypes();
  comments = readComments();
});

const kinds = Object.values(readableKinds).map((kind: ReadableKind): [string, ReadableKind] => [kind.name, kind]);
const typeOf = (call: string, what: "Args" | "Result") => types.propertiesOf(`${call.replace("get", "Get")}${what}`);
const byName = (properties: Property[]) => Object.fromEntries(properties.map((each) => [each.name, oneLine(each.comment)]));
const oneLine = (comment: string) => comment.replaceAll(/\s+/g, " ");

test("the package exports both data sources of every kind, each in both forms", () => {
  const expected = kinds.flatMap(([, kind]) => [callOfOne(kind), callOfAll(kind)]).flatMap((call) => [call, `${call}Output`]);
  expect(Object.keys(sdk)).toEqual(expect.arrayContaining(expected));
});

describe.each(kinds)("%s", (name, kind) => {
  test("the arguments for one are its uid and its natural key, with their comments", () => {
    const args = typeOf(callOfOne(kind), "Args");
    expect(args.map((each) => each.name).sort()).toEqual(Object.keys(sourceOfOne(kind).rules({})).sort());
    const { uid, ...key } = byName(args);
    expect(uid).toBe(comments.get("?uid"));
    for (const [each, comment] of Object.entries(key))
      expect([comments.get(`${name}.${each}`), comments.get(`?${each}`)]).toContain(comment);
  });

  test("the arguments for all are the filters of its List, with their comments, each optional", () => {
    const args = typeOf(callOfAll(kind), "Args");
    expect(args.map((each) => each.name).sort()).toEqual(Object.keys(sourceOfAll(kind).rules({})).sort());
    expect(args.filter((each) => !each.isOptional)).toEqual([]);
    const filters = Object.keys(kind.filters).filter((each) => each !== "ancestorsOf");
    expect(byName(args)).toMatchObject(Object.fromEntries(filters.map((each) => [each, comments.get(`${name}?${each}`)])));
    expect(byName(args)).toMatchObject({ uids: comments.get("?uids"), orderBy: comments.get("?orderBy") });
  });

  test("the result for all holds the objects under the wire's key", () => {
    const [list, ...others] = typeOf(callOfAll(kind), "Result");
    expect([list?.name, others]).toEqual([kind.segment, []]);
    expect(list?.members().map((each) => each.name)).toEqual(typeOf(callOfOne(kind), "Result").map((each) => each.name));
  });

  test("editors show the declaration's comment for each field of a result, also within messages", () => {
    const shown = commentsOf(name, typeOf(callOfOne(kind), "Result"));
    shown.delete(`${name}.uid`);
    const expected = pathsOf(name, kind.fields).map((path): [string, string | undefined] => [path, comments.get(path)]);
    expect([...shown].sort()).toEqual(expected.sort());
  });
});

function commentsOf(prefix: string, properties: Property[]): Map<string, string> {
  return new Map(
    properties.flatMap(({ name, comment, members }): [string, string][] => {
      const path = `${prefix}.${name}`;
      return [[path, oneLine(comment)], ...commentsOf(path, members())];
    }),
  );
}

function pathsOf(prefix: string, fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const [path, item] = [`${prefix}.${name}`, itemOf(field.shape)];
    if (!isShown(field)) return [];
    return [path, ...(item.is === "message" ? pathsOf(path, item.members) : [])];
  });
}

function itemOf(shape: Shape): Shape {
  return shape.is === "set" || shape.is === "list" || shape.is === "map" ? itemOf(shape.of) : shape;
}

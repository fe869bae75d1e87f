import type { Groups } from "../../provider/schema/choices";
import type { Declaration } from "../../provider/schema/declaration";
import { declare } from "../../provider/schema/declare";
import type { Kind } from "../../provider/schema/kind";
import type { Field, Fields, Shape } from "../../provider/schema/field";

/** A value of `shape`; another one for each `version`. */
function sampleOf(shape: Shape, version: number): unknown {
  switch (shape.is) {
    case "number":
      return version;
    case "flag":
      return version % 2 === 1;
    case "time":
      return `${2025 + version}-01-01T00:00:00Z`;
    case "uid":
      return `a/${version}`;
    case "set":
    case "list":
      return [sampleOf(shape.of, version)];
    case "map":
      return { key: sampleOf(shape.of, version) };
    case "message":
      return samplesOf(shape.members, version);
    default:
      return `text ${version}`;
  }
}

/** A value of each of `fields`, by its name on the wire, which programs use too where the declaration names no other. */
export function samplesOf(fields: Fields, version: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { shape, traits }]) => [traits.wire ?? name, sampleOf(shape, version)]),
  );
}

/** `kind`, declared again with `fields`. */
export function redeclared(kind: Kind, fields: Fields): Kind {
  const { name, collection, access, calls, parents } = kind;
  const { noun, area, segment, batch } = collection;
  const declaration: Declaration<Fields, Record<string, string>, Groups<string>> = {
    name,
    address: { noun, area, segment },
    parentAddress: { noun: parents.noun, area: parents.area, segment: parents.segment },
    fields,
    naturalKey: kind.naturalKey.filter((part) => part in fields),
    exactlyOne: kind.exactlyOne
      .filter((names) => !names.some((each) => kind.fields[each]?.by === "reference"))
      .map((names) => names.filter((each) => each in fields)),
    filters: {},
    access,
    calls,
    placeOf: (uid) => kind.placeOf(uid),
    ...(kind.sharesUid && { sharesUid: true }),
    ...(batch && { batch }),
  };
  return declare<Fields, Record<string, string>, Groups<string>>(declaration);
}

/** `fields` without the one at `path`. */
export function without(fields: Fields, [name = "", ...rest]: readonly string[]): Fields {
  const entries = Object.entries(fields).flatMap(([each, field]): [string, Field][] => {
    if (each !== name) return [[each, field]];
    return rest.length === 0 ? [] : [[each, { ...field, shape: shrunk(field.shape, rest) }]];
  });
  return Object.fromEntries(entries);
}

function shrunk(shape: Shape, path: readonly string[]): Shape {
  if (shape.is !== "message") throw new Error(`${path.join(".")} is in no message`);
  return { ...shape, members: without(shape.members, path) };
}

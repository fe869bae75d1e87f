import { nearestName } from "../../client/nearest-name";
import { list, literal } from "../../client/printable";
import { isValues, type Values } from "../../schema/values";
import type { EnumShape, Fields, Shape } from "../../schema/field";
import { unknownValue } from "../../schema/inputs";
import { describe, type Inputs, type Kind } from "../../schema/kind";
import type { Declaring } from "../../schema/operation";
import type { Run } from "../run/run";

/** A name of an enum, in the inputs of an object. */
export interface EnumName {
  /** Dotted path of the field. */
  readonly path: string;
  readonly name: string;
  /** The names that this package knows for the field. */
  readonly known: readonly string[];
}

/** The names of enums in `values`. */
export function enumNamesIn(fields: Fields, values: Values, prefix = ""): EnumName[] {
  return Object.entries(fields).flatMap(([field, { shape }]) => {
    const [path, value] = [prefix + field, values[field]];
    const { known } = enumOf(shape) ?? {};
    const texts = [value].flat().filter((item) => typeof item === "string" && item !== unknownValue);
    if (known !== undefined) return texts.map((name) => ({ path, name: String(name), known }));
    return shape.is === "message" && isValues(value) ? enumNamesIn(shape.members, value, `${path}.`) : [];
  });
}

/**
 * Tells the user, once per run, which names this package does not know. The platform adds names, so an unknown name is no error, but the
 * platform drops names unknown to itself (docs/platform-api.md#enums).
 *
 * @param declaring `olds` has the inputs in state, whose names the platform has accepted
 */
export function warnOfUnknownNames({ kind, olds, news }: Declaring, run: Pick<Run, "notify">): void {
  const accepted = enumNamesIn(kind.fields, olds).map(({ name }) => name);
  const unknown = unknownIn(kind, news).filter(({ name }) => !accepted.includes(name));
  if (unknown.length === 0) return;
  run.notify(`warning: ${describe(kind, news)}: ${sentenceOf(unknown)} A newer name works; the platform drops a misspelt one.`);
}

/** A sentence about the names in `inputs` that this package does not know; empty without any. */
export function unknownNames(kind: Pick<Kind, "fields">, inputs: Inputs): string {
  const unknown = unknownIn(kind, inputs);
  return unknown.length === 0 ? "" : ` Note that ${sentenceOf(unknown)}`;
}

/** The name, and the known name most similar to it. */
export function withNearest({ name, known }: EnumName): string {
  const nearest = nearestName(name, known);
  return nearest === undefined || nearest === name ? literal(name) : `${literal(name)} (did you mean ${literal(nearest)}?)`;
}

function unknownIn({ fields }: Pick<Kind, "fields">, inputs: Inputs): EnumName[] {
  return enumNamesIn(fields, inputs).filter(({ name, known }) => known.length > 0 && !known.includes(name));
}

function sentenceOf(unknown: readonly EnumName[]): string {
  const paths = [...new Set(unknown.map(({ path }) => path))];
  return `this version of the package does not know ${list(unknown.map(withNearest))} in ${list(paths)}.`;
}

/** The enum of the field, or of the items of its list. */
function enumOf(shape: Shape): EnumShape | undefined {
  if (shape.is === "enum") return shape;
  return shape.is === "set" && shape.of.is === "enum" ? shape.of : undefined;
}

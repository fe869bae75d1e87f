import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { rememberSecret } from "../../client/redact";
import { unknownValue } from "../../schema/inputs";
import type { Inputs } from "../../schema/kind";
import { isValues, membersOf, ownValue, type Path } from "../../schema/values";
import { secretMark, signature } from "../engine-marks";
import { toStruct } from "../struct";

/** The engine's marks for unknown values of other types than text. */
const unknownValues = new Set([
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Properties from the engine, with secrets as plain values, which no later message shows. The arguments of `Configure` are marked even if no marks were agreed. */
// See docs/contributing/engine.md#secrets-on-the-wire.
export function fromWire(struct: Struct | undefined): Inputs {
  return plain(struct?.toJavaScript() ?? {}) as Inputs;
}

function plain(value: unknown): unknown {
  if (typeof value === "string") return unknownValues.has(value) ? unknownValue : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  const members = value as Inputs;
  if (isSecret(members)) return hidden(plain(members["value"]));
  // `fromEntries` keeps a member called `__proto__` a member.
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, plain(member)]));
}

/** `value`, whose texts are redacted in all later messages. */
function hidden(value: unknown): unknown {
  if (typeof value === "string" && value !== unknownValue) rememberSecret(value);
  else Object.values(membersOf(value)).forEach(hidden);
  return value;
}

/** The secrets of an answer. */
export interface Secrets {
  /** Paths of values that the state encrypts, each as the names from the property down. Default: none. */
  readonly declared?: readonly Path[];
  /** Properties of the request, whose marks the same properties of the answer carry. */
  readonly like?: Struct | undefined;
}

/** Properties for the engine, with marks on all secrets, because the engine adds none to the answers of a provider that accepts them. */
// See docs/contributing/engine.md#secrets-on-the-wire.
export function toWire(properties: object, { declared = [], like }: Secrets): Struct {
  const marked = declared.reduce(withMark, toStruct(properties)) as Inputs;
  const given = like?.toJavaScript() ?? {};
  const carried = Object.entries(marked).map(([name, value]) => [name, markedLike(ownValue(given, name), value)]);
  return Struct.fromJavaScript(Object.fromEntries(carried) as Record<string, JavaScriptValue>);
}

/** True for properties with a secret anywhere in them. */
export function hasSecret(struct: Struct | undefined): boolean {
  return holdsMark(struct?.toJavaScript());
}

/** The paths of the secrets in properties. A secret inside another one, or in a list, has none. */
export function markedPaths(struct: Struct | undefined): Path[] {
  return pathsOfMarks(struct?.toJavaScript(), []);
}

function pathsOfMarks(value: unknown, path: Path): Path[] {
  if (isSecret(value)) return [path];
  return isValues(value) ? Object.entries(value).flatMap(([name, member]) => pathsOfMarks(member, [...path, name])) : [];
}

function withMark(value: unknown, [name, ...rest]: Path): unknown {
  if (value === undefined || value === null) return value;
  if (name === undefined) return marked(value);
  if (typeof value !== "object" || !(name in value)) return value;
  return { ...value, [name]: withMark((value as Inputs)[name], rest) };
}

/**
 * `value` with the marks of `given`, which is the same property in the request. Where the two are not the same objects down to a secret,
 * the value around it is marked.
 */
function markedLike(given: unknown, value: unknown): unknown {
  if (!holdsMark(given) || isSecret(value)) return value;
  if (isSecret(given) || !isValues(given) || !isValues(value)) return marked(value);
  const secrets = Object.keys(given).filter((name) => holdsMark(given[name]));
  if (!secrets.every((name) => Object.hasOwn(value, name))) return marked(value);
  const carried = secrets.map((name) => [name, markedLike(given[name], value[name])]);
  return { ...value, ...(Object.fromEntries(carried) as Inputs) };
}

function holdsMark(value: unknown): boolean {
  return isSecret(value) || Object.values(membersOf(value)).some(holdsMark);
}

function isSecret(value: unknown): boolean {
  return isValues(value) && value[signature] === secretMark;
}

function marked(value: unknown): unknown {
  return isSecret(value) ? value : { [signature]: secretMark, value };
}

import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { unknownValue } from "../../schema/inputs";
import type { Inputs } from "../../schema/kind";
import { secretMark, signature } from "../engine-marks";
import { toStruct } from "../struct";

/** The engine's marks for unknown values of other types than text. */
const unknownValues = new Set([
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Properties from the engine, with secrets as plain values. The arguments of `Configure` are marked even if no marks were agreed. */
// See docs/contributing/engine.md#secrets-on-the-wire.
export function fromWire(struct: Struct | undefined): Inputs {
  return plain(struct?.toJavaScript() ?? {}) as Inputs;
}

function plain(value: unknown): unknown {
  if (typeof value === "string") return unknownValues.has(value) ? unknownValue : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  const members = value as Inputs;
  if (members[signature] === secretMark) return plain(members["value"]);
  // `fromEntries` keeps a member called `__proto__` a member.
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, plain(member)]));
}

/** True if a value from the engine is marked as a secret, at any depth. */
export function hasSecret(struct: Struct | undefined): boolean {
  const isMarked = (value: unknown): boolean =>
    typeof value === "object" &&
    value !== null &&
    ((value as Inputs)[signature] === secretMark || Object.values(value).some(isMarked));
  return isMarked(struct?.toJavaScript());
}

/**
 * Properties for the engine.
 *
 * @param secrets paths of values that the state must encrypt, each as the names from the property down
 */
export function toWire(properties: object, secrets: readonly (readonly string[])[]): Struct {
  const marked = secrets.reduce<unknown>((value, path) => withMark(value, path), toStruct(properties));
  return Struct.fromJavaScript(marked as Record<string, JavaScriptValue>);
}

function withMark(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (value === undefined || value === null) return value;
  if (name === undefined) return { [signature]: secretMark, value };
  if (typeof value !== "object" || !(name in value)) return value;
  return { ...value, [name]: withMark((value as Inputs)[name], rest) };
}

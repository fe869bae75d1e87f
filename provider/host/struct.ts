import { signature } from "./engine-marks";

/**
 * `value` in the form of protobuf's Struct, without undefined members, and with text for values that JSON cannot express. The host would
 * fail on such values, and on text that is not valid UTF-8, after the object was created. A mark from the platform is omitted, because a
 * person who may edit an object must not make the engine read files.
 */
// See docs/contributing/engine.md#struct-values.
export function toStruct(value: unknown): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value === undefined || typeof value === "bigint" || typeof value === "symbol" || typeof value === "function")
    return String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  if (Array.isArray(value)) return Array.from(value, (item) => (item === undefined ? null : toStruct(item)));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => member !== undefined && name !== signature)
      .map(([name, member]) => [name.toWellFormed(), toStruct(member)]),
  );
}

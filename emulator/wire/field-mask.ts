import { invalidArgument, type ApiError } from "./errors";
import { isObject, type Json, type JsonObject } from "./json";
import { fieldNamed, snakeCase, type Field, type Message, type ParseRules } from "./message";

/**
 * The mask for an update without one, with a path for each leaf of the body. Lists, maps, nulls and empty objects are leaves, so an empty
 * value clears (docs/platform-api.md#field-masks).
 */
export function maskOfBody(message: Message, body: JsonObject, prefix = ""): string[] {
  return Object.entries(body).flatMap(([key, value]) => {
    const found = fieldNamed(message, key);
    if (found === undefined) return [];
    const [name, field] = found;
    const path = prefix + snakeCase(name);
    const hasLeaves = field.type === "message" && isObject(value) && Object.keys(value).length > 0;
    return hasLeaves ? maskOfBody(field.of, value, `${path}.`) : [path];
  });
}

/**
 * The fields after an update. Fields in the mask come from `source`, all others from `current`. `*` replaces everything. Fields that only
 * the platform sets are skipped unless `outputFields` is "keep". Setting a member of a oneof unsets the others.
 * @throws {ApiError} code 3 for an unknown path; paths are snake_case (docs/platform-api.md#field-masks).
 */
export function applyMask(
  message: Message,
  current: JsonObject,
  source: JsonObject,
  mask: readonly string[],
  outputFields?: ParseRules["outputFields"],
): JsonObject {
  const target = structuredClone(current);
  const paths = mask.includes("*") ? Object.keys(message).map(snakeCase) : mask;
  const isWritable = (field: Field) => outputFields === "keep" || field.outputOnly !== true;
  for (const path of paths) copyPath(message, target, source, path.split("."), isWritable);
  return target;
}

/** Whether a mask names a field, a part of the field, or the message around it. */
export function isNamed(mask: readonly string[], field: string): boolean {
  return mask.some((path) => path === "*" || `${path}.`.startsWith(`${field}.`) || `${field}.`.startsWith(`${path}.`));
}

function copyPath(
  message: Message,
  target: JsonObject,
  source: Json | undefined,
  segments: readonly string[],
  isWritable: (field: Field) => boolean,
): void {
  const [head = "", ...rest] = segments;
  const found = head === snakeCase(head) ? fieldNamed(message, head) : undefined;
  if (found === undefined) throw unknownPath(head);
  const [name, field] = found;
  let value = isObject(source) ? source[name] : undefined;
  if (rest.length > 0) {
    if (field.type !== "message") throw unknownPath(segments.join("."));
    const nested = { ...(isObject(target[name]) ? target[name] : {}) };
    copyPath(field.of, nested, value, rest, isWritable);
    value = nested;
  }
  if (isWritable(field)) assign(message, target, name, field, value);
}

function assign(message: Message, target: JsonObject, name: string, field: Field, value: Json | undefined): void {
  const isUnset = value === undefined || value === null || (field.oneof !== undefined && value === "");
  const emptied = Object.keys(message).filter(
    (other) => other === name || (!isUnset && field.oneof !== undefined && message[other]?.oneof === field.oneof),
  );
  for (const other of emptied) Reflect.deleteProperty(target, other);
  if (!isUnset) target[name] = value;
}

function unknownPath(path: string): ApiError {
  return invalidArgument({
    field: "update_mask",
    description: `"${path}" is not a field that can be updated; paths are snake_case, for example claim_match.issuer`,
  });
}

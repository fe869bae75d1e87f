import { gatewayError, type FieldViolation } from "./errors";
import { isObject, type Json, type JsonObject } from "./json";

type FieldType =
  | { readonly type: "string" | "bool" | "int32" | "int64" | "timestamp" | "duration" }
  /** `names` are in the order of their numbers, from 0. The numbers of `further` names are not published. */
  | { readonly type: "enum"; readonly names: readonly string[]; readonly further?: readonly string[] }
  | { readonly type: "message"; readonly of: Message }
  | { readonly type: "list"; readonly of: Field }
  /** Keys are strings unless `keys` names another type. */
  | { readonly type: "map"; readonly of: Field; readonly keys?: "int64" };

/** A field of a message, with its type, its oneof, and whether only the platform sets it. */
export type Field = FieldType & {
  readonly oneof?: string;
  readonly required?: boolean;
  readonly outputOnly?: boolean;
  /** Omitted when unset; other fields show their default. */
  readonly optional?: boolean;
  /** The answers that show a secret or an input-only field; all others show its default. */
  readonly shownIn?: "created" | "none";
};

/** A message, with its fields by their name in answers. */
export type Message = Readonly<Record<string, Field>>;

/** The rules for reading a body. Without rules, unknown keys, unknown names of enums and fields that only the platform sets are ignored. */
export interface ParseRules {
  readonly unknownKeys?: "refuse";
  readonly unknownEnums?: "refuse" | "keep";
  readonly outputFields?: "keep";
  /** Keeps the digits of a second in times. Otherwise times are stored with milliseconds. */
  readonly times?: "keep";
}

/** The snake_case spelling of a field name in masks and violations. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Seconds with at most nine decimals, the form of durations in protobuf's JSON. */
const durationPattern = /^-?\d+(\.\d{1,9})?s$/;
/** The longest duration of protobuf in seconds, about ten thousand years. */
const longestDuration = 315_576_000_000;
/** The years of RFC 3339 in protobuf. */
const years = /^(?!0000)\d{4}-/;

/** The milliseconds of a duration such as `3600s`. */
export function millisecondsOf(duration: string): number {
  return Number(duration.slice(0, -1)) * 1000;
}

/** An RFC 3339 time, whose zone and seconds are required, in the stored form with UTC and milliseconds. Undefined for any other text. */
export function storedTime(text: string): string | undefined {
  const [, local = ""] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const [time, written] = [isoTime(Date.parse(text)), isoTime(Date.parse(`${local}Z`))];
  // JavaScript reads 31 February as 3 March, and 24:00 as the next day.
  return written?.startsWith(local) === true ? time : undefined;
}

/** A time since 1970 in the stored form; undefined outside of the years 1 to 9999. */
export function isoTime(milliseconds: number): string | undefined {
  const date = new Date(milliseconds);
  const text = Number.isNaN(date.getTime()) ? "" : date.toISOString();
  return years.test(text) ? text : undefined;
}

function isInt64(digits: string): boolean {
  return /^-?\d{1,19}$/.test(digits) && BigInt.asIntN(64, BigInt(digits)) === BigInt(digits);
}

const spellings = new WeakMap<Message, ReadonlyMap<string, [string, Field]>>();

/** The field for a key of a body, in either spelling (docs/platform-api.md#json-fields); undefined if unknown. */
export function fieldNamed(message: Message, spelling: string): [string, Field] | undefined {
  let fields = spellings.get(message);
  if (fields === undefined) {
    const entries = Object.entries(message);
    fields = new Map([String, snakeCase].flatMap((spell) => entries.map((entry) => [spell(entry[0]), entry] as const)));
    spellings.set(message, fields);
  }
  return fields.get(spelling);
}

/**
 * Reads a JSON body as a message. Null means unset; unknown enum names are dropped (docs/platform-api.md#enums).
 * @throws {ApiError} code 3 for a value of the wrong type, two members of one oneof, or a rejected unknown key.
 */
export function parseMessage(message: Message, value: Json, rules: ParseRules = {}): JsonObject {
  if (!isObject(value)) throw gatewayError(`proto: syntax error (line 1:1): unexpected token ${JSON.stringify(value)}`);
  const parsed: JsonObject = {};
  const oneofs = new Set<string>();
  for (const [key, given] of Object.entries(value)) {
    const found = fieldNamed(message, key);
    if (found === undefined) {
      if (rules.unknownKeys === "refuse") throw gatewayError(`could not find field "${key}"`);
      continue;
    }
    const [name, field] = found;
    if (given === null || (field.outputOnly === true && rules.outputFields !== "keep")) continue;
    const read = parseValue(field, given, key, rules);
    if (read === undefined) continue;
    if (field.oneof !== undefined && oneofs.has(field.oneof)) {
      throw gatewayError(`proto: (line 1:1): error parsing "${key}", oneof ${field.oneof} is already set`);
    }
    if (field.oneof !== undefined) oneofs.add(field.oneof);
    parsed[name] = read;
  }
  return parsed;
}

function parseValue(field: Field, value: Json, key: string, rules: ParseRules): Json | undefined {
  const refuse = () => gatewayError(`proto: (line 1:1): invalid value for ${field.type} field ${key}: ${JSON.stringify(value)}`);
  switch (field.type) {
    case "string":
      if (typeof value !== "string") throw refuse();
      return value;
    case "bool":
      if (typeof value !== "boolean") throw refuse();
      return value;
    case "int32": {
      const digits = typeof value === "number" || typeof value === "string" ? String(value) : "";
      if (!/^-?\d+$/.test(digits) || Math.abs(Number(digits)) > 0x7fffffff) throw refuse();
      return Number(digits);
    }
    case "int64": {
      const digits = typeof value === "number" || typeof value === "string" ? String(value) : "";
      if (!isInt64(digits)) throw refuse();
      return String(BigInt(digits));
    }
    case "duration":
      if (typeof value !== "string" || !durationPattern.test(value)) throw refuse();
      if (Math.abs(millisecondsOf(value)) > longestDuration * 1000) throw refuse();
      return value;
    case "timestamp": {
      const time = typeof value === "string" ? storedTime(value) : undefined;
      if (time === undefined) throw refuse();
      return rules.times === "keep" && typeof value === "string" && value.endsWith("Z") ? value : time;
    }
    case "enum": {
      if (typeof value !== "number" && typeof value !== "string") throw refuse();
      const name = typeof value === "number" ? field.names[value] : value;
      const isKnown = name !== undefined && (field.names.includes(name) || field.further?.includes(name) === true);
      if (!isKnown && rules.unknownEnums === "refuse") throw refuse();
      return isKnown ? name : rules.unknownEnums === "keep" ? value : undefined;
    }
    case "message":
      return parseMessage(field.of, value, rules);
    case "list":
      if (!Array.isArray(value)) throw refuse();
      return value.flatMap((item) => parseValue(field.of, item, key, rules) ?? []);
    case "map":
      if (!isObject(value)) throw refuse();
      return Object.fromEntries(
        Object.entries(value).flatMap(([name, item]) => {
          if (field.keys === "int64" && !isInt64(name)) throw refuse();
          const read = parseValue(field.of, item, `${key}.${name}`, rules);
          return read === undefined ? [] : [[name, read]];
        }),
      );
  }
}

/** Violations of the rule that required members are set, in a message and in the messages inside it. A boolean is always set. */
export function missingMembers(message: Message, value: JsonObject, prefix = ""): FieldViolation[] {
  return Object.entries(message).flatMap(([name, field]) => {
    const held = value[name];
    const path = prefix + snakeCase(name);
    const isSet = field.type === "bool" || (held !== undefined && !isDefault(field, held));
    if (field.required === true && !isSet) return [{ field: path, description: "is required" }];
    return held === undefined ? [] : missingWithin(field, held, path);
  });
}

function missingWithin(field: Field, value: Json, path: string): FieldViolation[] {
  if (field.type === "message" && isObject(value)) return missingMembers(field.of, value, `${path}.`);
  if (field.type === "list" && Array.isArray(value)) return value.flatMap((item) => missingWithin(field.of, item, path));
  if (field.type !== "map" || !isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => missingWithin(field.of, item, `${path}.${key}`));
}

/** The form in which messages are written. */
export interface Rendering {
  /** Whether fields that equal their default are written. */
  readonly emitDefaults: boolean;
  /** Digits of a second in timestamps. */
  readonly timestampDigits: 0 | 3 | 6 | 9;
  /** Fields of `shownIn` to write. By default none, otherwise those of an answer to a create, or all. */
  readonly secrets?: "created" | "all";
}

/**
 * Writes a message. Unset fields show their default, except oneof members and optional fields; with `emitDefaults` false no
 * default is written (docs/platform-api.md#defaults).
 */
export function renderMessage(message: Message, value: JsonObject, rendering: Rendering): JsonObject {
  const { emitDefaults, secrets } = rendering;
  const rendered: JsonObject = {};
  for (const [name, field] of Object.entries(message)) {
    const isShown = field.shownIn === undefined || secrets === "all" || field.shownIn === secrets;
    const held = isShown ? (value[name] ?? null) : null;
    if (held !== null && (emitDefaults || field.oneof !== undefined || !isDefault(field, held))) {
      rendered[name] = renderValue(field, held, rendering);
    } else if (emitDefaults && field.oneof === undefined && field.optional !== true) {
      rendered[name] = defaultOf(field);
    }
  }
  return rendered;
}

function renderValue(field: Field, value: Json, rendering: Rendering): Json {
  if (field.type === "message" && isObject(value)) return renderMessage(field.of, value, rendering);
  if (field.type === "list" && Array.isArray(value)) return value.map((item) => renderValue(field.of, item, rendering));
  if (field.type === "map" && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renderValue(field.of, item, rendering)]));
  }
  if (field.type === "timestamp" && typeof value === "string") return renderTimestamp(value, rendering.timestampDigits);
  return value;
}

/** Times of this emulator are stored with milliseconds. Further digits are zero, and fewer digits are truncated. */
function renderTimestamp(stored: string, digits: Rendering["timestampDigits"]): string {
  // A copied time may have other digits, and is shown as it was read.
  if (!/\.\d{3}Z$/.test(stored)) return stored;
  const [seconds = "", fraction = ""] = stored.replace("Z", "").split(".");
  return digits === 0 ? `${seconds}Z` : `${seconds}.${fraction.slice(0, digits).padEnd(digits, "0")}Z`;
}

const defaults: Readonly<Record<Exclude<Field["type"], "enum">, Json>> = {
  ...{ string: "", bool: false, int32: 0, int64: "0" },
  ...{ list: [], map: {}, message: null, timestamp: null, duration: null },
};

function defaultOf(field: Field): Json {
  return field.type === "enum" ? (field.names[0] ?? "") : defaults[field.type];
}

function isDefault(field: Field, value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return field.type === "map" && Object.keys(value).length === 0;
  return value === defaultOf(field);
}

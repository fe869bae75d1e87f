import { z } from "zod";
import {
  enumeration as enumName,
  flag as wireFlag,
  listOf as wireList,
  objectUid,
  referenceUid,
  text as wireText,
  timestamp,
} from "../client/collection";
import { list, literal } from "../client/printable";
import { type Field, type Fields, type Giver, isInput, type MessageShape, type Shape } from "./field";
import { flag, isHiddenName, moment, required, someText, uid, wholeNumber } from "./inputs";
import { referenceRules } from "./references";

/**
 * The schema of the inputs of a kind, or of the members of a message. Exactly-one rules are checked separately, because values may be
 * unknown.
 */
export function inputSchema(fields: Fields): z.ZodObject {
  const inputs = Object.entries(fields).filter(([, field]) => isInput(field) || field.by === "check");
  return z.strictObject(Object.fromEntries(inputs.map(([name, field]) => [name, inputOf(field)])));
}

function inputOf({ by, shape }: Field): z.ZodType {
  const schema = valueSchema(shape);
  return by === "required" || by === "named" || by === "parent" ? schema : schema.nullish();
}

function valueSchema(shape: Shape): z.ZodType {
  switch (shape.is) {
    case "text":
    case "enum":
      return shape.rule;
    case "uid":
      return shape.or === undefined ? uid : uidOr(messageSchema(shape.or.message));
    case "reference":
      return referenceRules[shape.to];
    case "time":
      return moment;
    case "number":
      return wholeNumber;
    case "flag":
      return flag;
    case "set":
    case "list":
      return z.array(valueSchema(shape.of), { error: required("must be a list") }).min(1, "must not be empty");
    case "map":
      return mapSchema(shape.of);
    case "message":
      return messageSchema(shape);
  }
}

/** Picks the rule by the type of the value, so that a message names the wrong member. */
function uidOr(message: z.ZodType): z.ZodType {
  return z.unknown().superRefine((value, context) => {
    const isMessage = typeof value === "object" && value !== null;
    for (const issue of (isMessage ? message : uid).safeParse(value).error?.issues ?? []) {
      const unknown = issue.code === "unrecognized_keys" ? `has an unknown member ${list(issue.keys.map(literal))}` : undefined;
      context.addIssue({ code: "custom", path: [...issue.path], message: unknown ?? issue.message });
    }
  });
}

/** A map. A name that previews omit is rejected, because it could give access without being seen. */
function mapSchema(of: Shape): z.ZodType {
  return z.record(z.string(), valueSchema(of), { error: required("must be an object") }).superRefine((map, context) => {
    for (const name of Object.keys(map).filter(isHiddenName))
      context.addIssue({
        code: "custom",
        path: [name],
        message: "must have another name: previews do not show names that begin with __",
      });
  });
}

/** The schema of a value with which a data source compares. The text need not follow the rules for new ones. */
export function comparedSchema(shape: Shape): z.ZodType {
  switch (shape.is) {
    case "text":
      return someText;
    case "set":
    case "list":
      return z
        .array(comparedSchema(shape.of), { error: required("must be a list") })
        .min(1, "must not be empty; omit it to select everything");
    default:
      return valueSchema(shape);
  }
}

function messageSchema({ members }: MessageShape): z.ZodType {
  const names = Object.entries(members).filter(([, field]) => isInput(field));
  const usage = names.map(([name, { by }]) => (by === "required" ? name : `${name}?`)).join(", ");
  return z.strictObject(inputSchema(members).shape, { error: (issue) => messageError(issue, usage) });
}

function messageError(issue: { code?: string; input?: unknown }, usage: string): string | undefined {
  if (issue.code !== "invalid_type") return undefined;
  return issue.input === undefined ? `is required: { ${usage} }` : `must be an object: { ${usage} }`;
}

/** The schema of answers. Missing and null members get their default. Unknown members and enum values pass. */
export function wireSchema(fields: Fields): z.ZodObject {
  return z.looseObject({ uid: objectUid, ...wireMembers(fields) });
}

function wireMembers(fields: Fields): Record<string, z.ZodType> {
  const answered = Object.entries(fields).filter(
    ([, { by, traits }]) => by !== "parent" && by !== "check" && by !== "local" && by !== "reference" && !traits.writeOnly,
  );
  return Object.fromEntries(answered.map(([name, field]) => [field.traits.wire ?? name, wireOf(field)]));
}

function wireOf({ by, shape }: Field): z.ZodType {
  switch (shape.is) {
    case "text":
    case "reference":
      return wireText;
    case "uid":
      return referenceUid;
    case "enum":
      return enumName;
    case "time":
      return timestamp;
    case "flag":
      return wireFlag;
    case "number":
      return wireNumber;
    case "set":
    case "list":
      return wireList(itemOf(shape.of, by));
    case "map":
      return z
        .record(z.string(), itemOf(shape.of, by))
        .nullish()
        .transform((value) => value ?? {});
    case "message":
      return isAnswered(by)
        ? z.looseObject(wireMembers(shape.members)).nullish()
        : declaredMessage.nullish().transform((value) => value ?? undefined);
  }
}

/** True for a message that only the platform sets. */
function isAnswered(by: Giver): boolean {
  return by === "output" || by === "detail";
}

/** A declared message is kept as returned, so that a member added by hand is drift. A null member is unset. */
const declaredMessage = z.record(z.string(), z.unknown()).transform((message) => withoutNulls(message) as object);

function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutNulls);
  const set = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(set.map(([name, member]) => [name, withoutNulls(member)]));
}

function itemOf(shape: Shape, by: Giver): z.ZodType {
  switch (shape.is) {
    case "enum":
      return z.union([z.string(), z.number()]).transform(String);
    case "number":
      return wireNumber;
    case "flag":
      return z.boolean();
    case "message":
      return isAnswered(by) ? z.looseObject(wireMembers(shape.members)) : declaredMessage;
    case "map":
      return z.record(z.string(), itemOf(shape.of, by));
    case "set":
    case "list":
      return z.array(itemOf(shape.of, by));
    default:
      return z.string();
  }
}

/** A number. The platform writes 64-bit numbers as text. */
const wireNumber = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d+$/)
      .transform(Number),
  ])
  .nullish()
  .transform((value) => value ?? 0);

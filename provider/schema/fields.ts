import { z } from "zod";
import { alternatives, literal } from "../client/printable";
import type { Choose, Groups } from "./choices";
import type { EnumName, Field, Fields, Giver, InputsOf, OutputsOf, ResultOf, SetMembers, Shape, Traits } from "./field";
import { descriptionText, enumName, someText } from "./inputs";

/** A field that data sources cannot return. */
type Hidden = { readonly writeOnly: true } | { readonly once: true };

/**
 * A trait of a parent field whose parent is named in answers. Without it, the parent follows from the uid of the object, and data sources
 * do not return it.
 */
interface WithAnswer {
  readonly read: NonNullable<Traits["read"]>;
}

function field<Value, Shown = Value>(shape: Shape): Field<Value, "required", Shown> {
  return { by: "required", shape, traits: {} };
}

/** A field that the program may omit. */
export function optional<Value, Shown>({ shape, traits }: Field<Value, "required", Shown>): Field<Value, "optional", Shown> {
  return { by: "optional", shape, traits };
}

/** A field that the platform fills in if the program omits it. */
export function filled<Value, Shown>({ shape, traits }: Field<Value, "required", Shown>): Field<Value, "filled", Shown> {
  return { by: "filled", shape, traits };
}

/** An argument for the check alone, which is never sent and never in state. */
export function checkOnly<Value>({ shape, traits }: Field<Value, "required">): Field<Value, "check", never> {
  return { by: "check", shape, traits };
}

/** A {@link local} text whose change sends the write-only member `name` of the same message again, even if that is unchanged. */
export function resending(name: string): Field<string, "local", never> {
  return having({ resends: name }, local(text()));
}

/**
 * An argument that only this provider knows, such as a guard or the version of a secret. It is kept in state while the program sets it,
 * never sent and never read. If nothing else changes, the update writes nothing to the platform.
 */
export function local<Value, Shown>({ shape, traits }: Field<Value, "required", Shown>): Field<Value, "local", never> {
  // `false` and `0` are ordinary values here, because no server leaves them out.
  return { by: "local", shape, traits: { ...traits, unset: "" } };
}

/** A field that only the platform sets. */
export function output<Value, Shown>({ shape, traits }: Field<Value, "required", Shown>): Field<Value, "output", Shown> {
  return { by: "output", shape, traits };
}

/** A field that only the platform sets and only data sources return. */
export function detail<Value, Shown>({ shape, traits }: Field<Value, "required", Shown>): Field<Value, "detail", Shown> {
  return { by: "detail", shape, traits };
}

/** `of` with `traits`. */
export function having<const T extends Traits, Value, G extends Giver, Shown>(
  traits: T,
  of: Field<Value, G, Shown>,
): Field<Value, G, T extends Hidden ? never : G extends "parent" ? (T extends WithAnswer ? Value : Shown) : Shown> {
  return { by: of.by, shape: of.shape, traits: { ...of.traits, ...traits } };
}

/** A text, by default with any characters except control characters, and not empty. */
export function text(rule: z.ZodType<string> = someText): Field<string, "required", string> {
  return field({ is: "text", rule });
}

/** One of a few texts that this package defines. */
export function oneOf<const Text extends string>(texts: readonly Text[]): Field<Text, "required", string> {
  return field({ is: "text", rule: z.enum(texts, { error: `must be ${alternatives(texts.map(literal))}` }) });
}

/** The uid of an object. @param of noun of its kind, for messages */
export function uidOf(of: string): Field<string, "required", string> {
  return field({ is: "uid", of });
}

/** The uid of an object, or a message with more about it that has the uid in its member `uid`. */
export function uidOrMessage<Value, Shown>(
  of: string,
  uid: string,
  { shape }: Field<Value, "required", Shown>,
): Field<string | Value, "required", string> {
  if (shape.is !== "message") throw new Error(`What stands in place of the uid of a ${of} must be a message.`);
  return field<string | Value, string>({ is: "uid", of, or: { uid, message: shape } });
}

/** An RFC 3339 time. Two spellings of the same time are equal. */
export function time(): Field<string, "required", string | null> {
  return field({ is: "time" });
}

/** A whole number. */
export function number(): Field<number, "required", number> {
  return field({ is: "number" });
}

/** True or false. */
export function flag(): Field<boolean, "required", boolean> {
  return field({ is: "flag" });
}

/** An enum value that only the platform sets. */
export function enumeration(): Field<string, "required", string> {
  return field({ is: "enum", rule: someText, known: [] });
}

/**
 * An enum value that a program sets. A name newer than this package passes with a warning; a text that cannot be a name of this enum is
 * rejected.
 *
 * @param prefix of every name. The platform drops any other text without an error (docs/platform-api.md#enums)
 */
export function enumInput<Value extends string = string>(
  prefix: string,
  known: readonly string[],
  rule: z.ZodType<string> = enumName(prefix, known),
): Field<Value, "required", string> {
  return field({ is: "enum", rule, known });
}

/** An enum value whose names begin with `prefix`. Editors offer `names`; newer names with that prefix pass. */
export function enumOf<const Prefix extends string, const Name extends `${Prefix}${string}`>(
  prefix: Prefix,
  names: readonly Name[],
): Field<EnumName<Prefix, Name>, "required", string> {
  return field({ is: "enum", rule: enumName(prefix, names), known: names });
}

/** A list without order or duplicates. */
export function setOf<Value, Shown>({ shape }: Field<Value, Giver, Shown>): Field<Value[], "required", NonNullable<Shown>[]> {
  return field({ is: "set", of: shape });
}

/** A list whose order matters. */
export function listOf<Value, Shown>({ shape }: Field<Value, Giver, Shown>): Field<Value[], "required", NonNullable<Shown>[]> {
  return field({ is: "list", of: shape });
}

/** A map with arbitrary keys. */
export function mapOf<Value, Shown>({
  shape,
}: Field<Value, Giver, Shown>): Field<Readonly<Record<string, Value>>, "required", Record<string, NonNullable<Shown>>> {
  return field({ is: "map", of: shape });
}

/** A message that a program sets. */
export function message<
  F extends Fields,
  const One extends Groups<keyof F & string> = readonly [],
  const Most extends Groups<keyof F & string> = readonly [],
>(
  name: string,
  members: F,
  options: { exactlyOne?: One; atMostOne?: Most; update?: "whole" | "members" } = {},
): Field<Choose<InputsOf<F>, One, Most>, "required", SetMembers<F> | undefined> {
  const { exactlyOne = [], atMostOne = [], update = "whole" } = options;
  return field({ is: "message", name, members, exactlyOne, atMostOne, update });
}

/** A message that only the platform sets. State keeps its outputs, and data sources return all of it. */
export function answeredMessage<F extends Fields>(
  name: string,
  members: F,
): Field<OutputsOf<F>, "output", ResultOf<F> | null | undefined> {
  return output(field({ is: "message", name, members, exactlyOne: [], atMostOne: [], update: "whole" }));
}

/** The input that names the object's parent. @param of noun of the parent's kind. Default: group */
export function parent(of = "group"): Field<string, "parent", never> {
  return { by: "parent", shape: { is: "uid", of }, traits: { immutable: true } };
}

/** The name of an object, by default any text without control characters that is not empty. */
export function name(rule: z.ZodType<string> = someText): Field<string, "named", string> {
  return { by: "named", shape: { is: "text", rule }, traits: {} };
}

/** An optional text on one line. */
export function description(): Field<string, "optional", string> {
  return optional(text(descriptionText));
}

/** The time when the platform created the object. */
export function createTime(): Field<string, "output", string | null> {
  return output(time());
}

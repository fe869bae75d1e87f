import type { z } from "zod";
import type { Choose, Groups } from "./choices";
import { descriptionText, someText } from "./inputs";

/**
 * Who gives a field its value:
 * - `required`, `optional`: the program;
 * - `named`: the program, else the logical name;
 * - `filled`: the program, else the platform, and then the value never differs;
 * - `check`: the program, for the check alone: never sent, and never in state;
 * - `parent`: the place of the object; another one means a new object;
 * - `output`: the platform; state keeps it;
 * - `detail`: the platform; only data sources show it, since every byte of state is paid for each resource and step.
 */
export type Giver = "required" | "optional" | "named" | "filled" | "check" | "parent" | "output" | "detail";

/** The fields of a kind, or the members of a message. */
export type Fields = Readonly<Record<string, Field>>;

/** What a field holds. */
export type Shape =
  | { readonly is: "text"; readonly rule: z.ZodType<string> }
  | { readonly is: "uid"; readonly of: string }
  | { readonly is: "time" }
  | { readonly is: "number" }
  | { readonly is: "flag" }
  | { readonly is: "enum"; readonly rule: z.ZodType<string> }
  | { readonly is: "set" | "list" | "map"; readonly of: Shape }
  | MessageShape;

/** A message: an object with members of its own. */
export interface MessageShape {
  readonly is: "message";
  /** Name of its type in SDKs: `ClaimMatch`. */
  readonly name: string;
  readonly members: Fields;
  /** Groups of members of which exactly one is given. */
  readonly exactlyOne: Groups<string>;
  /** Groups of members of which at most one is given. */
  readonly atMostOne: Groups<string>;
  /**
   * `whole`: an update sends and masks the whole message, so members that somebody added by hand are removed.
   * `members`: an update sends and masks the members that differ, so write-only members stay as they are.
   */
  readonly update: "whole" | "members";
}

/** What the life of an object has to know of a field besides its shape. */
export interface Traits {
  /** Another value means a new object. */
  readonly immutable?: true;
  /** One of several forms that the object may have: another form means a new object. */
  readonly form?: true;
  /** After this time the object no longer works: previews warn when it is near. */
  readonly expiry?: true;
  /** Encrypted in state, and never part of a message. */
  readonly secret?: true;
  /** Never answered: state keeps what was sent last, and a read cannot see drift in it. */
  readonly writeOnly?: true;
  /** Answered by the create alone: state keeps it. */
  readonly once?: true;
  /** The object that this uid refers to cannot be deleted while the reference exists. */
  readonly blocksTarget?: true;
  /** An update never changes this output, so a preview may show it. Default: any output may change. */
  readonly stable?: true;
  /** The value that says nothing. Default: `""`, `false`, `0`, no items, no members, and `..._UNSPECIFIED` for enums. */
  readonly unset?: string | number | boolean;
  /** Name on the wire. Default: the field's own. */
  readonly wire?: string;
  /** The form in which the platform answers a text, for values that it rewrites. */
  readonly normalise?: (text: string) => string;
  /** Reads the value from the whole object, where the platform answers it in another place. */
  readonly read?: (wire: Readonly<Record<string, unknown>>) => unknown;
}

/** A field, declared once. `value` and `shown` exist for the compiler only: what a program gives, and what a data source returns. */
export interface Field<Value = unknown, By extends Giver = Giver, Shown = unknown> {
  readonly value?: Value;
  readonly shown?: Shown;
  readonly by: By;
  readonly shape: Shape;
  readonly traits: Traits;
}

type By<F extends Fields, G extends Giver> = Pick<
  F,
  { [Name in keyof F]: F[Name] extends Field<unknown, G> ? Name : never }[keyof F]
>;

type ValueOf<F> = F extends Field<infer Value> ? Value : never;
type ShownOf<F> = F extends Field<unknown, Giver, infer Shown> ? Shown : never;

// Mapped without `as`, so that editors show the doc comments of a declaration for what follows from it.
type Values<F> = { readonly [Name in keyof F]: ValueOf<F[Name]> };
type OptionalValues<F> = { readonly [Name in keyof F]?: ValueOf<F[Name]> | undefined };
type StateValues<F> = { readonly [Name in keyof F]: StateValue<ValueOf<F[Name]>> };
type OptionalStateValues<F> = { readonly [Name in keyof F]: StateValue<ValueOf<F[Name]>> | undefined };

/** A message in state holds every member that the platform has, declared or not. */
type StateValue<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? (Value & Readonly<Record<string, unknown>>) | undefined
    : Value;

/** What a program gives, as plain values. */
export type InputsOf<F extends Fields> = Values<By<F, "required" | "parent">> &
  OptionalValues<By<F, "optional" | "named" | "filled" | "check">>;

/** What a resource has as outputs. A root has no parent. */
export type StateOf<F extends Fields> = StateValues<By<F, "required" | "named" | "filled">> &
  OutputsOf<F> &
  OptionalStateValues<By<F, "optional" | "parent">>;

// A mapped type of its own, so that emitted types refer to it by name: written out, it would lose the members' doc comments.
/** What the platform sets and state keeps. */
export type OutputsOf<F extends Fields> = { readonly [Name in keyof By<F, "output">]: ValueOf<F[Name]> };

/** What a data source returns: every field that the platform answers. */
export type ResultOf<F extends Fields> = {
  readonly [Name in keyof By<F, Exclude<Giver, "parent" | "check">>]: ShownOf<F[Name]>;
};

function field<Value, Shown = Value>(shape: Shape): Field<Value, "required", Shown> {
  return { by: "required", shape, traits: {} };
}

/** A field that the program may leave out. */
export function optional<Value, Shown>({ shape, traits }: Field<Value, "required", Shown>): Field<Value, "optional", Shown> {
  return { by: "optional", shape, traits };
}

/** A field that the platform fills in where the program leaves it out. */
export function filled<Value, Shown>({ shape, traits }: Field<Value, "required", Shown>): Field<Value, "filled", Shown> {
  return { by: "filled", shape, traits };
}

/** An argument that the check alone reads: never sent, and never in state. */
export function checkOnly<Value>({ shape, traits }: Field<Value, "required">): Field<Value, "check"> {
  return { by: "check", shape, traits };
}

/** A field that only the platform sets. */
export function output<Value, Shown>({ shape, traits }: Field<Value, "required", Shown>): Field<Value, "output", Shown> {
  return { by: "output", shape, traits };
}

/** A field that only the platform sets and that only data sources show. */
export function detail<Value, Shown>({ shape, traits }: Field<Value, "required", Shown>): Field<Value, "detail", Shown> {
  return { by: "detail", shape, traits };
}

/** `of` with `traits`. */
export function having<Value, G extends Giver, Shown>(traits: Traits, of: Field<Value, G, Shown>): Field<Value, G, Shown> {
  return { ...of, traits: { ...of.traits, ...traits } };
}

/** A text; by default any that is not empty and has no control characters. */
export function text(rule: z.ZodType<string> = someText): Field<string, "required", string> {
  return field({ is: "text", rule });
}

/** The uid of an object. @param of noun of its kind, for messages */
export function uidOf(of: string): Field<string, "required", string> {
  return field({ is: "uid", of });
}

/** An RFC 3339 time. Two texts of one moment are equal. */
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

/** A value of an enum. Names that are newer than this package pass, unless `rule` rejects them. */
export function enumeration(rule: z.ZodType<string> = someText): Field<string, "required", string> {
  return field({ is: "enum", rule });
}

/** A list in which neither order nor repetition counts. */
export function setOf<Value, Shown>({ shape }: Field<Value, "required", Shown>): Field<Value[], "required", Shown[]> {
  return field({ is: "set", of: shape });
}

/** A list in which order counts. */
export function listOf<Value, Shown>({ shape }: Field<Value, "required", Shown>): Field<Value[], "required", Shown[]> {
  return field({ is: "list", of: shape });
}

/** Values by keys that are data. */
export function mapOf<Value, Shown>({
  shape,
}: Field<Value, "required", Shown>): Field<Readonly<Record<string, Value>>, "required", Record<string, Shown>> {
  return field({ is: "map", of: shape });
}

/** A message that a program gives. */
export function message<
  F extends Fields,
  const One extends Groups<keyof F & string> = readonly [],
  const Most extends Groups<keyof F & string> = readonly [],
>(
  name: string,
  members: F,
  options: { exactlyOne?: One; atMostOne?: Most; update?: "whole" | "members" } = {},
): Field<Choose<InputsOf<F>, One, Most>, "required", Record<string, unknown> | undefined> {
  const { exactlyOne = [], atMostOne = [], update = "whole" } = options;
  return field({ is: "message", name, members, exactlyOne, atMostOne, update });
}

/** A message that only the platform sets: state keeps its outputs, data sources show all of it. */
export function answeredMessage<F extends Fields>(
  name: string,
  members: F,
): Field<OutputsOf<F>, "output", ResultOf<F> | null | undefined> {
  return output(field({ is: "message", name, members, exactlyOne: [], atMostOne: [], update: "whole" }));
}

/** The input that names the object's parent. @param of noun of the parent's kind. Default: group */
export function parent(of = "group"): Field<string, "parent", string> {
  return { by: "parent", shape: { is: "uid", of }, traits: { immutable: true } };
}

/** The name of an object; by default any text that is not empty and has no control characters. */
export function name(rule: z.ZodType<string> = someText): Field<string, "named", string> {
  return { by: "named", shape: { is: "text", rule }, traits: {} };
}

/** A text on one line that may be left out. */
export function description(rule: z.ZodType<string> = descriptionText): Field<string, "optional", string> {
  return optional(text(rule));
}

/** When the platform made the object. */
export function createTime(): Field<string, "output", string | null> {
  return having({ stable: true }, output(time()));
}

import type { z } from "zod";
import type { Choose, Groups } from "./choices";
import { descriptionText, enumName, someText } from "./inputs";

/**
 * Who sets a field:
 * - `required`, `optional`: the program;
 * - `named`: the program, else the logical name;
 * - `filled`: the program, else the platform, whose value is then never a difference;
 * - `check`: the program, for the check only: never sent, and never in state;
 * - `local`: the program, for this provider only: kept in state while it is set, never sent and never read;
 * - `parent`: the program; names the object's parent, and a change replaces the object;
 * - `reference`: the program, instead of the uid in another field: resolved to that uid, and kept in state together with it;
 * - `output`: the platform; kept in state;
 * - `detail`: the platform; only data sources return it, since the engine writes every byte of state at each step.
 */
export type Giver =
  "required" | "optional" | "named" | "filled" | "check" | "local" | "parent" | "reference" | "output" | "detail";

/** The fields of a kind, or the members of a message. */
export type Fields = Readonly<Record<string, Field>>;

/** What a field holds. */
export type Shape =
  | { readonly is: "text"; readonly rule: z.ZodType<string> }
  | { readonly is: "uid"; readonly of: string }
  | { readonly is: "time" }
  | { readonly is: "number" }
  | { readonly is: "flag" }
  | EnumShape
  | { readonly is: "set" | "list" | "map"; readonly of: Shape }
  | ReferenceShape
  | MessageShape;

/** A name that the platform defines. */
export interface EnumShape {
  readonly is: "enum";
  readonly rule: z.ZodType<string>;
  /** The names that this package knows. A program may use others, with a warning. */
  readonly known: readonly string[];
}

/** What names an object without its uid. */
export interface ReferenceShape {
  readonly is: "reference";
  /** How the object is named: a role by name, a group by path, an identity by path or by issuer and subject. */
  readonly to: "role" | "group" | "identity";
  /** The field with the uid of the object, of which a program sets either. */
  readonly uid: string;
  /** The field with the uid of the group from which the name is looked up. Default: the parent. */
  readonly place?: string;
}

/** A message: an object with declared members. */
export interface MessageShape {
  readonly is: "message";
  /** Name of its type in SDKs: `ClaimMatch`. */
  readonly name: string;
  readonly members: Fields;
  /** Groups of members of which exactly one must be set. */
  readonly exactlyOne: Groups<string>;
  /** Groups of members of which at most one may be set. */
  readonly atMostOne: Groups<string>;
  /**
   * `whole`: an update sends and masks the whole message, which removes members that were added by hand.
   * `members`: an update sends and masks only the members that differ, which keeps write-only members.
   */
  readonly update: "whole" | "members";
}

/** Properties of a field besides its shape. */
export interface Traits {
  /** A change replaces the object. */
  readonly immutable?: true;
  /** One of several forms of the object: another form replaces it. */
  readonly form?: true;
  /** After this time the object no longer works: previews warn before it. */
  readonly expiry?: true;
  /** Encrypted in state, and never shown in a message. */
  readonly secret?: true;
  /** Never returned: state keeps the value sent last, and drift is not detected. */
  readonly writeOnly?: true;
  /** A change of this local field sends the write-only member of this name, in the same message, again. */
  readonly resends?: string;
  /** Returned by the create only; state keeps it. */
  readonly once?: true;
  /** Changes on its own: state has it only if the program declares it. */
  readonly volatile?: true;
  /** Every create must send it, although the program may omit it for an object that already exists. */
  readonly neededByCreate?: true;
  /** Filled in by the platform if the program omits it while this other input is set. */
  readonly filledWhile?: string;
  /**
   * The platform may return the uid of what the text names. State keeps the text as declared, and in this output the uid: another uid
   * is drift.
   */
  readonly resolvedTo?: string;
  /** The reference blocks the deletion of the object that this uid names. */
  readonly blocksTarget?: true;
  /** The value that means "unset". Default: `""`, `false`, `0`, no items and no members. `..._UNSPECIFIED` of an enum always does. */
  readonly unset?: string | number | boolean;
  /** Name on the wire. Default: the field's own. */
  readonly wire?: string;
  /** Converts a text to the form in which the platform returns it. */
  readonly normalise?: (text: string) => string;
  /** Reads the value from the whole object, if the platform returns it elsewhere. */
  readonly read?: (wire: Readonly<Record<string, unknown>>) => unknown;
}

/** A field, declared once. `value` (what a program sets) and `shown` (what a data source returns) exist for the compiler only. */
export interface Field<Value = unknown, By extends Giver = Giver, Shown = unknown> {
  readonly value?: Value;
  readonly shown?: Shown;
  readonly by: By;
  readonly shape: Shape;
  readonly traits: Traits;
}

/** A field that a program sets instead of the field `Uid`. */
export interface Reference<Value, Uid extends string> extends Field<Value, "reference", never> {
  readonly instead?: Uid;
}

/** The pairs of a uid and what names the same object, of each of which a program sets one. */
export type ReferencePairs<F extends Fields> = {
  [Name in keyof F]: F[Name] extends Reference<unknown, infer Uid> ? (Uid extends keyof F ? readonly [Uid, Name] : never) : never;
}[keyof F];

type By<F extends Fields, G extends Giver> = Pick<
  F,
  { [Name in keyof F]: F[Name] extends Field<unknown, G> ? Name : never }[keyof F]
>;

type ValueOf<F> = F extends Field<infer Value> ? Value : never;
type ShownOf<F> = F extends Field<unknown, Giver, infer Shown> ? Shown : never;

// Mapped without `as`, so that editors show the doc comments of the declaration for the derived types.
type Values<F> = { readonly [Name in keyof F]: ValueOf<F[Name]> };
type OptionalValues<F> = { readonly [Name in keyof F]?: ValueOf<F[Name]> | undefined };
type StateValues<F> = { readonly [Name in keyof F]: StateValue<ValueOf<F[Name]>> };
type OptionalStateValues<F> = { readonly [Name in keyof F]: StateValue<ValueOf<F[Name]>> | undefined };

/** A message in state has every member that the platform has, declared or not. */
type StateValue<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? (Value & Readonly<Record<string, unknown>>) | undefined
    : Value;

/** The arguments of a program, as plain values. */
export type InputsOf<F extends Fields> = Values<By<F, "required" | "parent">> &
  OptionalValues<By<F, "optional" | "named" | "filled" | "check" | "local" | "reference">>;

/** The outputs of a resource. A root has no parent. */
export type StateOf<F extends Fields> = StateValues<By<F, "required" | "named" | "filled">> &
  OutputsOf<F> &
  OptionalStateValues<By<F, "optional" | "local" | "parent" | "reference">>;

// A separate mapped type, so that emitted types refer to it by name: written out, it would lose the doc comments of its members.
/** Values that the platform sets and state keeps. */
export type OutputsOf<F extends Fields> = { readonly [Name in keyof By<F, "output">]: ValueOf<F[Name]> };

/** The fields that the platform returns in every answer. Those that it never returns, or only once, are shown as `never`. */
type Shown<F extends Fields> = Pick<F, { [Name in keyof F]: [ShownOf<F[Name]>] extends [undefined] ? never : Name }[keyof F]>;

/** The result of a data source: every field that the platform returns. */
export type ResultOf<F extends Fields> = { readonly [Name in keyof Shown<F>]: ShownOf<F[Name]> };

/** A message that a program sets, as data sources return it: the members that are set. */
export type SetMembers<F extends Fields> = { readonly [Name in keyof Shown<F>]?: NonNullable<ShownOf<F[Name]>> | undefined };

/** A field that data sources cannot return. */
type Hidden = { readonly writeOnly: true } | { readonly once: true };

/** A parent that answers name, besides the uid of the object. */
interface Answered {
  readonly read: NonNullable<Traits["read"]>;
}

/**
 * The name of an enum value: one of `Name`, or a newer one with the same prefix. The empty record keeps the compiler from merging the
 * two, so that editors offer the known names.
 */
export type EnumName<Prefix extends string, Name extends string> = Name | (`${Prefix}${string}` & Record<never, never>);

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

/** An argument that only the check reads: never sent, and never in state. */
export function checkOnly<Value>({ shape, traits }: Field<Value, "required">): Field<Value, "check", never> {
  return { by: "check", shape, traits };
}

/** A {@link local} text whose change sends the write-only member `name`, in the same message, again, even if its value is the same. */
export function resending(name: string): Field<string, "local", never> {
  return having({ resends: name }, local(text()));
}

/**
 * An argument of this provider that the platform does not know, such as a guard or a version of a secret: kept in state while the
 * program sets it, never sent and never read. If only it changes, the update writes nothing to the platform.
 */
export function local<Value, Shown>({ shape, traits }: Field<Value, "required", Shown>): Field<Value, "local", never> {
  // `false` and `0` are values like any other: no server leaves them out.
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
): Field<Value, G, T extends Hidden ? never : G extends "parent" ? (T extends Answered ? Value : Shown) : Shown> {
  return { by: of.by, shape: of.shape, traits: { ...of.traits, ...traits } };
}

/** A text; by default any that is not empty and has no control characters. */
export function text(rule: z.ZodType<string> = someText): Field<string, "required", string> {
  return field({ is: "text", rule });
}

/** The uid of an object. @param of noun of its kind, for messages */
export function uidOf(of: string): Field<string, "required", string> {
  return field({ is: "uid", of });
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

/**
 * An enum value. Names newer than this package pass, unless `rule` rejects them.
 *
 * @param known the names of which an input warns if it is none of them. Default: none, for what only the platform sets
 */
export function enumeration(
  known: readonly string[] = [],
  rule: z.ZodType<string> = someText,
): Field<string, "required", string> {
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

/** A message that only the platform sets. State keeps its outputs; data sources return all of it. */
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

/** The name of an object; by default any text that is not empty and has no control characters. */
export function name(rule: z.ZodType<string> = someText): Field<string, "named", string> {
  return { by: "named", shape: { is: "text", rule }, traits: {} };
}

/** An optional text on one line. */
export function description(rule: z.ZodType<string> = descriptionText): Field<string, "optional", string> {
  return optional(text(rule));
}

/** When the platform created the object. */
export function createTime(): Field<string, "output", string | null> {
  return output(time());
}

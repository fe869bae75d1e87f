import { derivedOnce } from "./derived";
import type { z } from "zod";
import type { Groups } from "./choices";

/**
 * The origin of a field:
 * - `required`, `optional`: the program;
 * - `named`: the program, otherwise the logical name;
 * - `filled`: the program, otherwise the platform, whose value is then never a difference;
 * - `check`: the program, only for the check, never sent and never in state;
 * - `local`: the program, only for this provider, kept in state while it is set, never sent and never read;
 * - `parent`: the program; it names the object's parent, and a change replaces the object;
 * - `reference`: the program, instead of the uid in another field; it is resolved to that uid and kept in state with it;
 * - `output`: the platform; kept in state;
 * - `detail`: the platform; only data sources return it, because the engine writes every byte of state at each step.
 */
export type Giver =
  "required" | "optional" | "named" | "filled" | "check" | "local" | "parent" | "reference" | "output" | "detail";

/** The fields of a kind, or the members of a message. */
export type Fields = Readonly<Record<string, Field>>;

/** The shape of a field's value. */
export type Shape =
  | { readonly is: "text"; readonly rule: z.ZodType<string> }
  | UidShape
  | { readonly is: "time" }
  | { readonly is: "number" }
  | { readonly is: "flag" }
  | EnumShape
  | { readonly is: "set" | "list" | "map"; readonly of: Shape }
  | ReferenceShape
  | MessageShape;

/** The uid of an object. */
export interface UidShape {
  readonly is: "uid";
  /** Noun of the kind. */
  readonly of: string;
  /** A message that may stand in its place, with the uid in its member `uid`. */
  readonly or?: { readonly uid: string; readonly message: MessageShape };
}

/** A name that the platform defines. */
export interface EnumShape {
  readonly is: "enum";
  readonly rule: z.ZodType<string>;
  /** The names that this package knows. A program may use others, with a warning. */
  readonly known: readonly string[];
}

/** A name for an object instead of its uid. */
export interface ReferenceShape {
  readonly is: "reference";
  /** The form of the name. A role is named by name, a group by path, an identity by path or by issuer and subject. */
  readonly to: "role" | "group" | "identity";
  /** The field with the uid of the object. A program sets either this field or the name. */
  readonly uid: string;
  /** The field with the uid of the group from which the name is looked up. Default: the parent. */
  readonly place?: string;
}

/** A message, which is an object with declared members. */
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
  /** One of several forms of the object. Another form replaces the object. */
  readonly form?: true;
  /**
   * The member of the same message that takes a pattern for this text; "" if there is none. The platform compares the text itself exactly
   * with a claim of a token.
   */
  readonly patternIn?: string;
  /** The time after which the object no longer works. Previews warn in advance. */
  readonly expiry?: true;
  /** Encrypted in state, and never shown in a message. */
  readonly secret?: true;
  /** Never returned by the platform. State keeps the last sent value, and drift is not detected. */
  readonly writeOnly?: true;
  /** A change of this local field sends the write-only member of this name in the same message again. */
  readonly resends?: string;
  /** Returned only by the create. State keeps the value. */
  readonly once?: true;
  /** Describes the object with this uid, and may change independently. State keeps the first value as long as the uid is the same. */
  readonly firstFor?: string;
  /** Changes independently. State contains it only if the program declares it. */
  readonly volatile?: true;
  /** Every create must send it, although the program may omit it for an object that already exists. */
  readonly neededByCreate?: true;
  /** Filled in by the platform if the program omits it while this other input is set. */
  readonly filledWhile?: string;
  /**
   * The output with the uid that the platform may return in place of the text. State keeps the text as declared. A different uid is drift.
   */
  readonly resolvedTo?: string;
  /** The object with this uid cannot be deleted while the reference exists. */
  readonly blocksTarget?: true;
  /** The value that means "unset". Default: `""`, `false`, `0`, no items and no members. For an enum, `..._UNSPECIFIED` is always unset. */
  readonly unset?: string | number | boolean;
  /** Name on the wire. Default: the field's own. */
  readonly wire?: string;
  /** Converts a text to the form in which the platform returns it. */
  readonly normalise?: (text: string) => string;
  /** Converts a text to the only form that the platform takes. */
  readonly sentAs?: (text: string) => string;
  /** Reads the value from the whole object, if the platform returns it elsewhere. */
  readonly read?: (wire: Readonly<Record<string, unknown>>) => unknown;
}

/** A field, declared once. `value` (the value in programs) and `shown` (the value in data sources) exist for the compiler only. */
export interface Field<Value = unknown, By extends Giver = Giver, Shown = unknown> {
  readonly value?: Value;
  readonly shown?: Shown;
  readonly by: By;
  readonly shape: Shape;
  readonly traits: Traits;
}

/** The own member `name`, never one of the prototype. */
export function own(fields: Fields, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** True for a field that a program declares, and for an undeclared field. */
export function isInput(field: Field | undefined): boolean {
  return field === undefined || (field.by !== "output" && field.by !== "detail" && field.by !== "check");
}

/** The fields that a program declares, with their names. */
export const inputsIn = derivedOnce((fields: Fields) => Object.entries(fields).filter(([, field]) => isInput(field)));

/** True for a field that a program declares and the platform knows, and for an undeclared field. */
export function isSent(field: Field | undefined): boolean {
  return isInput(field) && field?.by !== "local" && field?.by !== "reference";
}

/** A field that a program sets instead of the field `Uid`. */
export interface Reference<Value, Uid extends string> extends Field<Value, "reference", never> {
  readonly instead?: Uid;
}

/** Pairs of a uid and a reference to the same object. A program sets one of each pair. */
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
type ValuesOf<F> = { readonly [Name in keyof F]: ValueOf<F[Name]> };
type OptionalValues<F> = { readonly [Name in keyof F]?: ValueOf<F[Name]> | undefined };
type StateValues<F> = { readonly [Name in keyof F]: StateValue<ValueOf<F[Name]>> };
type OptionalStateValues<F> = { readonly [Name in keyof F]: StateValue<ValueOf<F[Name]>> | undefined };

/** A message in state has every member from the platform, declared or not. */
type StateValue<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? (Value & Readonly<Record<string, unknown>>) | undefined
    : Value;

/** The arguments of a program, as plain values. */
export type InputsOf<F extends Fields> = ValuesOf<By<F, "required" | "parent">> &
  OptionalValues<By<F, "optional" | "named" | "filled" | "check" | "local" | "reference">>;

/** The outputs of a resource. A root has no parent. */
export type StateOf<F extends Fields> = StateValues<By<F, "required" | "named" | "filled">> &
  OutputsOf<F> &
  OptionalStateValues<By<F, "optional" | "local" | "parent" | "reference">>;

// A separate mapped type, so that emitted types refer to it by name. An expanded type would lose the doc comments of its members.
/** Values that the platform sets and state keeps. */
export type OutputsOf<F extends Fields> = { readonly [Name in keyof By<F, "output">]: ValueOf<F[Name]> };

/** The fields in every answer of the platform. A field that is returned never or only once is shown as `never`. */
type ShownFields<F extends Fields> = Pick<
  F,
  { [Name in keyof F]: [ShownOf<F[Name]>] extends [undefined] ? never : Name }[keyof F]
>;

/** The result of a data source: every field that the platform returns. */
export type ResultOf<F extends Fields> = { readonly [Name in keyof ShownFields<F>]: ShownOf<F[Name]> };

/** A message of a program in the form of data sources, with the members that are set. */
export type SetMembers<F extends Fields> = {
  readonly [Name in keyof ShownFields<F>]?: NonNullable<ShownOf<F[Name]>> | undefined;
};

/**
 * The name of an enum value, which is one of `Name` or a newer name with the same prefix. The empty record keeps the compiler from merging
 * the two, so that editors offer the known names.
 */
export type EnumName<Prefix extends string, Name extends string> = Name | (`${Prefix}${string}` & Record<never, never>);

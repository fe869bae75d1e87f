import type { Kind } from "../../provider/schema/kind";
import type { PlatformObject } from "../../inventory/objects";

/** An object that the program declares. */
export interface Resource {
  readonly object: PlatformObject;
  readonly kind: Kind;
  /** Unique among the resources of its kind, and the same in every export of the object. */
  readonly logicalName: string;
  /** Its arguments, without the ones that equal their defaults. */
  readonly args: Readonly<Record<string, Value>>;
  /** Whether it has the option `protect`, in the program and in the state. */
  readonly isProtected: boolean;
}

/** An argument of plain data, with references to other parts of the program. */
export type Value =
  string | number | boolean | UidOf | SecretOf | Claims | JsonText | readonly Value[] | { readonly [name: string]: Value };

/** The uid of another resource of the program. */
export class UidOf {
  /** @param target the object that the other resource declares */
  constructor(readonly target: PlatformObject) {}
}

/** A secret that the platform does not return. It is a value of the stack's configuration, if it is set. */
export class SecretOf {
  /** @param key its key in the configuration of the project */
  constructor(readonly key: string) {}
}

/** The result of a claim helper of the package. */
export class Claims {
  /**
   * @param helper its name
   * @param args its arguments
   * @param more members besides
   * @param all the same value without a helper
   */
  constructor(
    readonly helper: string,
    readonly args: Readonly<Record<string, string | true>>,
    readonly more: Readonly<Record<string, Value>>,
    readonly all: Readonly<Record<string, Value>>,
  ) {}
}

/** A JSON document as text that can be parsed and is not too deep to be printed. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** The objects whose uids `value` uses. */
export function targetsIn(value: Value): PlatformObject[] {
  if (value instanceof UidOf) return [value.target];
  if (value instanceof Claims) return targetsIn(value.all);
  if (typeof value !== "object" || value instanceof SecretOf || value instanceof JsonText) return [];
  return Object.values(value).flatMap(targetsIn);
}

/** The keys of the secrets in `value`. */
export function secretsIn(value: Value): string[] {
  if (value instanceof SecretOf) return [value.key];
  if (typeof value !== "object" || value instanceof UidOf || value instanceof JsonText || value instanceof Claims) return [];
  return Object.values(value).flatMap(secretsIn);
}

/** The engine's value for `value` while no secret is set; undefined for a secret. */
export function plain(value: Value): unknown {
  if (value instanceof UidOf) return value.target.uid;
  if (value instanceof SecretOf) return undefined;
  if (value instanceof Claims) return plain(value.all);
  if (value instanceof JsonText) return value.text;
  if (typeof value !== "object") return value;
  if (isList(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

/** True for a list of values. */
export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

import type * as pulumi from "@pulumi/pulumi";
import { secretPaths } from "../../provider/schema/hidden-values";
import type { Kind, ResourceKind } from "../../provider/schema/kind";
import type { Choose, Groups } from "../../provider/schema/choices";
import type { Fields, InputsOf, ReferencePairs, StateOf } from "../../provider/schema/field";
import { hasType, named, PlatformResource, reading, type ResourceType } from "./resource";
import { servedType } from "./served-type";

/**
 * A value that may be an output, as a whole or in any part. What a program must not set stays `undefined`: the compiler then tells the
 * forms of an object apart, so that its messages and editors are about the form at hand.
 */
export type Deep<Value> = [Value] extends [undefined]
  ? undefined
  : pulumi.Input<
      Value extends readonly (infer Item)[]
        ? readonly Deep<Item>[]
        : Value extends object
          ? { -readonly [Name in keyof Value]: Deep<Value[Name]> }
          : Value
    >;

/** What every resource with an object takes besides its own arguments, unless its declaration defines `adopt` itself. */
export interface AdoptArgs {
  /** Take over the existing object with the same natural key if it equals the declaration. Default: `platform:adopt`, else false. */
  adopt?: pulumi.Input<boolean | undefined>;
}

/** A kind with fields of known types. */
interface Typed<F extends Fields, One extends Groups<string> = Groups<string>> extends Pick<ResourceKind, "name" | "collection"> {
  readonly fields: F;
  readonly exactlyOne: One;
}

/** The members of arguments, each a value or an output. */
type DeepMembers<Values> = Values extends unknown ? { -readonly [Name in keyof Values]: Deep<Values[Name]> } : never;

/** The arguments of the class of a kind. */
export type ArgsOf<K> =
  K extends Typed<infer F, infer One>
    ? DeepMembers<Choose<InputsOf<F>, One, readonly [], ReferencePairs<F>>> &
        ("adopt" extends keyof F ? unknown : K extends Pick<Kind, "naturalKey"> ? AdoptArgs : unknown)
    : never;

/** The outputs of the class of a kind. */
export type OutputsOf<K> =
  K extends Typed<infer F> ? { readonly [Name in keyof StateOf<F>]: pulumi.Output<StateOf<F>[Name]> } : never;

/** What the class of a kind inherits, without its outputs. An interface of the same name declares those, so that the class has one base class. */
export interface ValueClass<K> {
  /** @param name the unique name of the resource in the program */
  new (name: string, args: ArgsOf<K>, opts?: pulumi.CustomResourceOptions): PlatformResource;
  /** The type of the resource, as in its URN. */
  readonly __pulumiType: string;
  /** Returns true for a resource of this class, also one that another copy of the package constructed. */
  isInstance<Resource>(this: new (...args: never) => Resource, obj: unknown): obj is Resource;
}

/** The same for a kind of object. */
export interface ResourceClass<K> extends ValueClass<K> {
  /**
   * Reads an existing object that this program does not manage. The run fails if there is none.
   *
   * @param name the unique name of the resource in the program
   * @param uid uid of the object
   */
  get<Resource>(
    this: new (...args: never) => Resource,
    name: string,
    uid: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): Resource;
}

/** Kinds that decide about access, maybe that of the run. */
const deciding = ["Identity", "Role", "RoleBinding", "GroupAccess"];

/** The base class of the resources of `kind`, with the type, outputs and secrets of its declaration. */
export function valueClass<F extends Fields, K extends Typed<F>>(kind: K & Typed<F>): ValueClass<K> {
  const fields = Object.entries(kind.fields);
  const type: ResourceType = {
    ...servedType(kind),
    outputs: fields.filter(([, { by }]) => by !== "detail" && by !== "check").map(([name]) => name),
    secrets: secretPaths(kind.fields),
    references: fields.filter(([, { by }]) => by === "reference").map(([name]) => name),
    tellsUpdates: deciding.includes(kind.name) ? "always" : "with references",
  };
  const isNamed = fields.some(([, { by }]) => by === "named");
  class Declared extends PlatformResource {
    constructor(name: string, args: object, opts?: pulumi.CustomResourceOptions) {
      super(type, name, isNamed ? named(name, args) : args, opts);
    }

    static readonly __pulumiType: string = type.token;

    static override isInstance(obj: unknown): obj is Declared {
      return hasType(obj, type);
    }
  }
  return Declared as unknown as ValueClass<K>;
}

/** {@link valueClass} of a kind of object, which `get` reads. */
export function resourceClass<F extends Fields, K extends Typed<F>>(kind: K & Typed<F>): ResourceClass<K> {
  return Object.assign(valueClass<F, K>(kind), {
    get(
      this: new (name: string, args: object, opts: pulumi.CustomResourceOptions) => unknown,
      name: string,
      uid: pulumi.Input<pulumi.ID>,
      opts?: pulumi.CustomResourceOptions,
    ) {
      return new this(name, {}, reading(uid, opts));
    },
  }) as unknown as ResourceClass<K>;
}

import type * as pulumi from "@pulumi/pulumi";
import { secretPaths } from "../../provider/schema/hidden-values";
import type { Kind, ResourceKind } from "../../provider/schema/kind";
import type { Choose, Groups } from "../../provider/schema/choices";
import { composites, kinds, type ResourceKinds, values } from "../../provider/kinds/kinds";
import type { Fields, InputsOf, ReferencePairs, StateOf } from "../../provider/schema/field";
import { hasType, named, PlatformResource, type ResourceType } from "./resource";
import { servedType } from "./served-type";

/**
 * A value that may be an output, as a whole or in any part. Members that a program must not set stay `undefined`. So the compiler can tell
 * the forms of an object apart, and its messages and editors are about the form at hand.
 */
export type Deep<Value> = [Value] extends [undefined]
  ? undefined
  : pulumi.Input<
      Value extends readonly (infer Item)[]
        ? readonly Deep<Item>[]
        : Value extends string
          ? Value
          : Value extends object
            ? { -readonly [Name in keyof Value]: Deep<Value[Name]> }
            : Value
    >;

/** The arguments of every resource with an object besides its own, unless its declaration defines `adopt` itself. */
export interface AdoptArgs {
  /** Take over the existing object with the same natural key if it equals the declaration. Default: `platform:adopt`, else false. */
  adopt?: pulumi.Input<boolean | undefined>;
}

/** The key of a kind that programs can declare. Types take this key and not the kind: emitted, they are short and keep doc comments. */
type Key = keyof ResourceKinds;

/** The key of a kind with objects on the platform. */
type ObjectKey = Exclude<Key, keyof typeof values>;

type FieldsOf<Name extends Key> = ResourceKinds[Name]["fields"];

/** The members of arguments, each a value or an output. */
type DeepMembers<Values> = Values extends unknown ? { -readonly [Name in keyof Values]: Deep<Values[Name]> } : never;

// With `infer`, the compiler's messages show the arguments and not the name of this type.
/** The arguments of the class of a kind. */
export type ArgsOf<Name extends Key> = ResourceKinds[Name] extends {
  readonly fields: infer F extends Fields;
  readonly exactlyOne: infer One extends Groups<string>;
}
  ? DeepMembers<Choose<InputsOf<F>, One, readonly [], ReferencePairs<F>>> &
      ("adopt" extends keyof F ? unknown : Name extends ObjectKey ? AdoptArgs : unknown)
  : never;

/** The outputs of the class of a kind. */
export type OutputsOf<Name extends Key> = {
  readonly [Output in keyof StateOf<FieldsOf<Name>>]: pulumi.Output<StateOf<FieldsOf<Name>>[Output]>;
};

/** The value that a program gives for a field of a kind. */
export type Given<Name extends Key, Field extends keyof FieldsOf<Name>> = NonNullable<ValueOf<FieldsOf<Name>[Field]>>;

type ValueOf<Field> = Field extends { readonly value?: infer Value } ? Value : never;

/** The base class of a kind without objects. It declares no outputs: an interface merged with the class does. */
export interface ValueClass<Name extends Key> {
  /** @param name the unique name of the resource in the program */
  new (name: string, args: ArgsOf<Name>, opts?: pulumi.CustomResourceOptions): PlatformResource;
  /** The type of the resource, as in its URN. */
  readonly __pulumiType: string;
  /** Returns true for a resource of this class, also one that another copy of the package constructed. */
  isInstance<Resource>(this: new (...args: never) => Resource, obj: unknown): obj is Resource;
}

/** The base class of a kind with objects. */
export interface ResourceClass<Name extends ObjectKey> extends ValueClass<Name> {
  /**
   * Reads an existing object that this program does not manage. The run fails if there is none.
   *
   * @param name the unique name of the resource in the program
   * @param uid uid of the object, or what names it for an import, such as its path: `acme/engineering`
   */
  get<Resource>(
    this: new (...args: never) => Resource,
    name: string,
    uid: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): Resource;
}

/** The base class of the resources of a value, with the type, outputs and secrets of its declaration. */
export function valueClass<Name extends keyof typeof values>(key: Name): ValueClass<Name> {
  return classOf(values[key]) as ValueClass<Name>;
}

/** {@link valueClass} of a kind of object, which `get` reads. */
export function resourceClass<Name extends ObjectKey>(key: Name): ResourceClass<Name> {
  const kind: Kind = { ...kinds, ...composites }[key];
  return Object.assign(classOf(kind, kind), {
    get(
      this: new (name: string, args: object, opts: pulumi.CustomResourceOptions) => unknown,
      name: string,
      uid: pulumi.Input<pulumi.ID> | null | undefined,
      opts?: pulumi.CustomResourceOptions,
    ) {
      // The constructor rejects an empty uid.
      return new this(name, {}, { ...opts, id: uid ?? "" });
    },
  }) as unknown as ResourceClass<Name>;
}

/** See {@link valueClass}. @param object the kind, if its resources are objects that can be read */
export function classOf(kind: Pick<ResourceKind, "name" | "collection" | "fields">, object?: Kind): object {
  const fields = Object.entries(kind.fields);
  const type: ResourceType = {
    ...servedType(kind),
    kind: object,
    outputs: fields.filter(([, { by }]) => by !== "detail" && by !== "check").map(([name]) => name),
    secrets: secretPaths(kind.fields),
  };
  const isNamed = fields.some(([, { by }]) => by === "named");
  return class Declared extends PlatformResource {
    constructor(name: string, args: object, opts?: pulumi.CustomResourceOptions) {
      super(type, name, isNamed ? named(name, args) : args, opts);
    }

    static readonly __pulumiType: string = type.token;

    static override isInstance(obj: unknown): obj is Declared {
      return hasType(obj, type.token);
    }
  };
}

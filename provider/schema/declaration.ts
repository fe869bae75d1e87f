import { z } from "zod";
import { type Collection, objectUid, text, type WireObject } from "../client/collection";
import type { PlatformErrorCode } from "../client/errors";
import type { Values } from "./values";
import type { Groups } from "./choices";
import type { Fields, ResultOf } from "./field";
import type { FilterDeclarations } from "./filters";
import type { ImportForm } from "./import-id";

/** The place of the objects of a kind in the API. */
export interface Address<Segment extends string = string> {
  /** Singular noun for messages: `role binding`. */
  readonly noun: string;
  readonly area: Collection<WireObject>["area"];
  /** Plural segment of the path, and key of the List envelope: `roleBindings`. */
  readonly segment: Segment;
  /** The stem of its capabilities, which errors about missing capabilities name: `IAM_GROUPS`. */
  readonly capabilities?: string;
}

/** The place of groups in the API. */
export const groupAddress: Address<"groups"> = { noun: "group", area: "iam", segment: "groups", capabilities: "IAM_GROUPS" };

/** The objects at `address`, with uid and name only. */
export function placesAt({ noun, area, segment, capabilities }: Address): Collection<WireObject & { name: string }> {
  return {
    noun,
    area,
    segment,
    ...(capabilities && { capabilities }),
    schema: z.looseObject({ uid: objectUid, name: text }),
    filters: {},
  };
}

/** An object as the platform returns it, with its uid and every returned field. */
export type Wire<F extends Fields> = WireObject & ResultOf<F>;

/** The natural key of a kind: names of fields. */
export type Key<F extends Fields> = readonly (keyof F & string)[];

/** A kind of object that programs can read, declared once. */
export interface ReadableDeclaration<
  F extends Fields = Fields,
  Declared extends FilterDeclarations<F> = FilterDeclarations<F>,
  K extends Key<F> = Key<F>,
  S extends string = string,
  Most extends Groups<keyof Declared & string> = Groups<keyof Declared & string>,
> {
  /** Name of its class, and last part of its type and of its data source: `RoleBinding`. */
  readonly name: string;
  readonly address: Address<S>;
  readonly fields: F;
  /** Inputs that identify an object within its parent. If empty, it has no natural key. */
  readonly naturalKey: K;
  /** Filters of its List, besides those of every List. */
  readonly filters: Declared;
  /** Groups of filters of which at most one may be set. The platform would ignore the others. Default: none. */
  readonly atMostOneFilter?: Most;
  /** The filters that narrow a List to one natural key. Default: the filters by its fields. */
  readonly lookup?: (key: Values) => object;
  /** The preferred ones among several objects with the same natural key, for a data source. Default: none. */
  readonly isPreferred?: (uid: string) => boolean;
}

/** A kind of object, declared once. Everything else is derived from it. */
// See docs/contributing/architecture.md#a-kind-is-declared-once.
export interface Declaration<
  F extends Fields = Fields,
  Declared extends FilterDeclarations<F> = FilterDeclarations<F>,
  One extends Groups<keyof F & string> = Groups<keyof F & string>,
  K extends Key<F> = Key<F>,
  S extends string = string,
> extends ReadableDeclaration<F, Declared, K, S, readonly []> {
  /** The place of its parents in the API. Default: groups. */
  readonly parentAddress?: Address;
  /**
   * Whether the object has the uid of its parent. A parent has at most one such object, so the parent is its natural key and its place.
   * Default: false.
   */
  readonly sharesUid?: boolean;
  /** How an import names an object, besides by its uid. Default: by its natural key, see `importFormOf`. */
  readonly importId?: ImportForm;
  /** Groups of inputs of which exactly one must be set. Default: none. */
  readonly exactlyOne?: One;
  /**
   * Problems of inputs that the rules of fields do not find. An unknown value is `unknownValue`. Default: none
   *
   * @param olds the inputs in state; empty for a new object
   */
  readonly problems?: (inputs: Values, olds: Values) => readonly Problem[];
  /**
   * The relation of an object to access. It `gives` somebody a role, it `decides` the content of a role or a login or who sees events, or
   * it does neither (`none`). For `none`, changes of others are reported and overwritten.
   */
  readonly access: "gives" | "decides" | "none";
  /** Its place in an exported program among objects with the same parent. It follows the kinds that it usually refers to. Default: last. */
  readonly rank?: number;
  /**
   * The kinds of objects, besides the group around it, that cannot be deleted while an object of this kind exists. Maps the segment of
   * their kind to the filter of this kind's List that takes their uid. Default: none.
   */
  readonly blocks?: Readonly<Record<string, keyof Declared & string>>;
  /** A sentence for the error of a blocked deletion, besides the name of the object. Default: none. */
  readonly obstacleHint?: string;
  /** Whether `forceDestroy` of a group deletes the objects of this kind in the group instead of failing. Default: false. */
  readonly withGroup?: boolean;
  /**
   * The uid of the group that decides who may read an object. Default: all but the last segment of its uid, or all of it if {@link
   * sharesUid}.
   */
  readonly placeOf?: (uid: string) => string | undefined;
  /** The calls that the platform offers. Default: see {@link Calls}. */
  readonly calls?: Partial<Calls>;
  readonly batch?: { readonly limit: number; readonly member: string };
  /** Whether the object stays on the platform when its resource is deleted, by its state. Default: never. */
  readonly isKept?: (state: Values) => boolean;
  /**
   * Why a missing object has served its purpose, by its state. It is then no difference and is not created again. `spent`: probably, but it
   * may also have been deleted by hand. Default: undefined, which means that a missing object was deleted.
   *
   * @param now the platform's time, in milliseconds since 1970
   */
  readonly settled?: (state: Values, now: number) => "expired" | "spent" | undefined;
  /** Why an answer contradicts itself; undefined if it does not. */
  readonly contradiction?: (wire: Values) => string | undefined;
}

/** One problem of the inputs. */
export interface Problem {
  /** Path of the input: `claimMatch.issuer`. */
  readonly property: string;
  readonly reason: string;
  /** The code of the problem. Default: `INVALID_INPUT`. */
  readonly code?: PlatformErrorCode;
}

/** The calls that the platform offers for a kind. */
export interface Calls {
  /** `patch`: PATCH with a mask. `post`: a second create overwrites. `none`: every change replaces the object. Default: `patch`. */
  readonly update: "patch" | "post" | "none";
  /**
   * `shows`: contains every object that these credentials may read. `may be empty`: the same, but an empty List is normal even for
   * credentials that may read everything. `unreliable`: the same, but the List may be broken, so its failure stops nothing, and reads never
   * use it. Default: `shows`.
   */
  readonly list: "shows" | "may be empty" | "unreliable";
  /**
   * `refuses missing`: a DELETE of a missing object returns 404, so success is trusted for kinds that give nobody access. `ignores
   * missing`: success may have deleted nothing, so the deletion must be proven. Default: `ignores missing`.
   */
  readonly delete: "refuses missing" | "ignores missing";
  /** Parameters that every List of the kind sends. Default: none. */
  readonly listParameters: Readonly<Record<string, string | number | boolean>>;
  /** Whether a refresh requests the List of the kind in advance. Default: false. */
  readonly lookAhead: boolean;
}

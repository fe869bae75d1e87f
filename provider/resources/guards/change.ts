import type { PlatformError } from "../../client/errors";
import { asDeclared, changedInputs, describe, describeExisting, type Inputs, type Kind } from "../../schema/kind";
import type { Operation } from "../../schema/operation";

/** A create, with the uids of its references. */
interface Create {
  readonly is: "create";
  readonly kind: Kind;
  readonly wanted: Inputs;
}

/** An update, with the uids of its references. */
export interface Update {
  readonly is: "update";
  readonly kind: Kind;
  readonly uid: string;
  readonly state: Inputs;
  readonly wanted: Inputs;
  /** Names of the inputs in which `wanted` differs from the state. */
  readonly differing: readonly string[];
}

/** The deletion of an object, alone or to replace it. */
export interface Removal {
  readonly is: "delete" | "replace";
  readonly kind: Kind;
  readonly uid: string;
  readonly state: Inputs;
  /** Path of the resource. Default: the host does not tell it. */
  readonly path?: string | undefined;
  /** Inputs of the objects that take its place, which no List shows yet. */
  readonly instead: readonly Inputs[];
}

/** A change of one object that this run is about to make. */
export type Change = Create | Update | Removal;

/** The decision of a guard on a change. */
export type Verdict =
  /** `endsOwnAccess`: the change ends access of this run, which the user allows. */
  | { readonly is: "go"; readonly endsOwnAccess?: boolean }
  /** Nothing is sent, and the operation succeeds. Only for a deletion: creates and updates would be sent. */
  | { readonly is: "skip"; readonly note?: string }
  /** Nothing is sent, and the operation fails. */
  | { readonly is: "stop"; readonly error: PlatformError };

/** The end of a change that was let through. `in doubt`: it failed, and may have been applied. */
export type Outcome = "applied" | "rejected" | "in doubt";

/** The change may be sent. */
export const go: Verdict = { is: "go" };

/** The deletion of an object that nothing replaces. */
export function deletionOf({ kind, uid, state, path }: Omit<Removal, "is" | "instead">): Removal {
  return { is: "delete", kind, uid, state, path, instead: [] };
}

/** The changes that an update of the program makes to an object. @param replaces inputs whose change replaces it */
export function changesOf({ kind, uid, olds, news }: Operation, replaces: readonly string[]): Change[] {
  if (replaces.length > 0) return [{ is: "replace", kind, uid, state: olds, instead: [news] }];
  const differing = changedInputs(kind, olds, news);
  return differing.length === 0 ? [] : [{ is: "update", kind, uid, state: olds, wanted: news, differing }];
}

/** The change for messages, such as `delete role binding ...`. */
export function textOf(change: Change): string {
  const { is, kind } = change;
  if (is === "create") return `create ${describe(kind, asDeclared(kind, change.wanted))}`;
  return `${is} ${describeExisting(kind, change.uid, change.state)}`;
}

import type { Inputs } from "../../provider/schema/kind";
import type { IdentityRef } from "../../provider/schema/references";

/** The keys, and positions in lists, that lead to a value. */
export type KeyPath = readonly string[];

/** A group or an identity of a tree. */
export interface Placed {
  /** Keys of the groups around it and its own: `["engineering", "shop"]`. */
  readonly keys: KeyPath;
  /** Its arguments, with the name. */
  readonly args: Inputs;
}

/** The identity that gets a role: one of the tree by its keys, or another one by its uid or by a reference. */
export type Member = { readonly keys: KeyPath } | { readonly uid: string } | Referenced;

/** An identity that is looked up on the platform. */
export interface Referenced {
  readonly identity: IdentityRef;
  /** Keys of an identity of the tree that the reference may mean. The identity must exist before the look-up. */
  readonly after?: KeyPath | undefined;
}

/** One identity has one role in one group of a tree. */
export interface Grant {
  /** Keys of the group; none for the group at the top. */
  readonly group: KeyPath;
  /** Name of the role. */
  readonly role: string;
  readonly member: Member;
}

/** The declarations of a tree in written order, each group before its contents. */
export interface Plan {
  readonly groups: readonly Placed[];
  readonly identities: readonly Placed[];
  readonly grants: readonly Grant[];
}

/** A problem of a tree. */
export interface TreeProblem {
  /** The wrong entry, for messages. */
  readonly entry: KeyPath;
  /** The wrong place, for the position in a file. */
  readonly at: KeyPath;
  readonly reason: string;
}

/** `keys` as a path, which begins with the name of the component. */
export function pathOf(component: string, keys: KeyPath): string {
  return [component, ...keys].join("/");
}

/** A member as text, for the name of its role binding. Members of the tree do not begin with a slash. */
export function memberKey(member: Member): string {
  if ("keys" in member) return member.keys.join("/");
  if ("uid" in member) return `/${member.uid}`;
  const { identity } = member;
  return `/${typeof identity === "string" ? identity : `${identity.issuer} ${identity.subject}`}`;
}

import type { IdentityRef } from "../../provider/schema/references";
import type { GroupArgs } from "../kinds/group";
import type { IdentityArgs } from "../kinds/identity";

/** `Args` without the arguments that follow from the place in the tree. */
type Placed<Args> = Args extends unknown ? Omit<Args, "parentUid" | "parentPath"> : never;

/** The contents of a group. */
export interface GroupContents {
  /** The identities of the group by their keys, which are their names unless they have a `name`. */
  identities?: Record<string, IdentityEntry> | undefined;
  /**
   * The access in the group and in all groups below, as lists of identities by the names of roles. An identity is the key of one in this
   * group or in a group around it, a path such as `acme/engineering/ci`, `issuer` and `subject` of a person's login, or a uid.
   */
  access?: Record<string, readonly IdentityRef[]> | undefined;
  /** The groups in the group by their keys, which are their names unless they have a `name`. */
  groups?: Record<string, GroupEntry> | undefined;
}

/** An identity of a tree: the arguments of an `Identity` without `parentUid`. */
export type IdentityEntry = Placed<IdentityArgs>;

/** A group of a tree: the arguments of a `Group` without `parentUid`, and the contents of the group. */
export type GroupEntry = Placed<GroupArgs> & GroupContents;

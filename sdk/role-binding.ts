import type * as pulumi from "@pulumi/pulumi";
import { hasType, PlatformResource, reading, type ResourceType } from "./resource";

/** The arguments of a {@link RoleBinding}. */
export interface RoleBindingArgs {
  /** Uid of the group in which the role is given; it holds in every group below too. A new parent means a new binding. */
  parentUid: pulumi.Input<string>;
  /** Uid of the identity that gets the role. Changes in place. */
  identityUid: pulumi.Input<string>;
  /** Uid of the role. Changes in place. */
  roleUid: pulumi.Input<string>;
  /** Take over the existing binding of this identity and role in this group. Default: `platform:adopt`, else false. */
  adopt?: pulumi.Input<boolean | undefined>;
}

/** The name of an object that a binding refers to. */
export interface Named {
  readonly name: string;
}

const type: ResourceType = {
  token: "pulumi-nodejs:dynamic/platform/iam:RoleBinding",
  served: "roleBinding",
  outputs: ["parentUid", "identityUid", "roleUid", "identity", "group", "role", "createTime"],
};

/**
 * A role binding: one identity has one role in one group. Name it by identity and role, never by its
 * position in a list, so that one who leaves does not move the others.
 *
 * @example
 * ```ts
 * import { getRoleOutput, RoleBinding } from "pulumi-platform";
 *
 * export const deployerEditor = new RoleBinding("deployer-editor", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   identityUid: "0123456789abcdef0123456789abcdef01234567/0123456789abcdef",
 *   roleUid: getRoleOutput({ name: "editor" }).uid,
 * });
 * ```
 */
export class RoleBinding extends PlatformResource {
  /** The type of the resource, as in its URN. */
  static readonly __pulumiType: string = type.token;

  /** Uid of the group in which the role is given. */
  declare readonly parentUid: pulumi.Output<string | undefined>;
  declare readonly identityUid: pulumi.Output<string>;
  declare readonly roleUid: pulumi.Output<string>;
  /** The identity, as it was called when the binding was last read. */
  declare readonly identity: pulumi.Output<Named>;
  /** The group, as it was called when the binding was last read. */
  declare readonly group: pulumi.Output<Named>;
  /** The role, as it was called when the binding was last read. */
  declare readonly role: pulumi.Output<Named>;
  /** When the platform made it, RFC 3339. */
  declare readonly createTime: pulumi.Output<string>;

  constructor(name: string, args: RoleBindingArgs, opts?: pulumi.CustomResourceOptions) {
    super(type, name, args, opts);
  }

  /** Returns true for a RoleBinding, also one that another copy of the package constructed. */
  static override isInstance(obj: unknown): obj is RoleBinding {
    return hasType(obj, type);
  }

  /**
   * Reads an existing role binding that this program does not manage. The run fails if there is none.
   *
   * @param name the unique name of the resource in the program
   * @param uid uid of the role binding
   */
  static get(name: string, uid: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): RoleBinding {
    return new RoleBinding(name, { parentUid: "", identityUid: "", roleUid: "" }, reading(uid, opts));
  }
}

import type * as pulumi from "@pulumi/pulumi";
import { hasType, named, PlatformResource, reading, type ResourceType } from "./resource";

/** The arguments of a {@link Group}. */
export interface GroupArgs {
  /** Uid of the parent group. A new parent replaces the group. */
  parentUid: pulumi.Input<string>;
  /** Lowercase letters, digits, spaces, dots, underscores and hyphens. Default: the logical name. */
  name?: pulumi.Input<string | undefined>;
  /** What the group is for, on one line. Default: none. */
  description?: pulumi.Input<string | undefined>;
  /** Take over the existing group with this parent and name if it equals what is declared. Default: `platform:adopt`, else false. */
  adopt?: pulumi.Input<boolean | undefined>;
}

const type: ResourceType = {
  token: "pulumi-nodejs:dynamic/platform/iam:Group",
  served: "group",
  outputs: ["parentUid", "name", "description", "createTime"],
};

/**
 * A group: a node of the organisation's tree.
 *
 * @example
 * ```ts
 * import { Group } from "pulumi-platform";
 *
 * const engineering = new Group("engineering", { parentUid: "0123456789abcdef0123456789abcdef01234567" });
 * const storage = new Group("storage", { parentUid: engineering.uid, description: "Keeps the data" });
 * export const storageUid = storage.uid;
 * ```
 */
export class Group extends PlatformResource {
  /** The type of the resource, as in its URN. */
  static readonly __pulumiType: string = type.token;

  /** Uid of the parent group; undefined for the root of an organisation. */
  declare readonly parentUid: pulumi.Output<string | undefined>;
  declare readonly name: pulumi.Output<string>;
  declare readonly description: pulumi.Output<string | undefined>;
  /** When the platform made it, RFC 3339. */
  declare readonly createTime: pulumi.Output<string>;

  constructor(name: string, args: GroupArgs, opts?: pulumi.CustomResourceOptions) {
    super(type, name, named(name, args), opts);
  }

  /** Returns true for a Group, also one that another copy of the package constructed. */
  static override isInstance(obj: unknown): obj is Group {
    return hasType(obj, type);
  }

  /**
   * Reads an existing group that this program does not manage. The run fails if there is none.
   *
   * @param name the unique name of the resource in the program
   * @param uid uid of the group
   */
  static get(name: string, uid: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Group {
    return new Group(name, { parentUid: "" }, reading(uid, opts));
  }
}

import type * as pulumi from "@pulumi/pulumi";
import { hasType, named, PlatformResource, reading, type ResourceType } from "./resource";

/** Which OIDC tokens may assume an identity. */
export interface ClaimMatch {
  /** Issuer of the token: an https URL, or http on this machine. */
  issuer: string;
  /** Subject of the token, exactly. */
  subject: string;
}

/** The arguments of an {@link Identity}. */
export interface IdentityArgs {
  /** Uid of the parent group. A new parent replaces the identity. */
  parentUid: pulumi.Input<string>;
  /** Any text without control characters. Default: the logical name. */
  name?: pulumi.Input<string | undefined>;
  /** What the identity is for, on one line. Default: none. */
  description?: pulumi.Input<string | undefined>;
  /** Which OIDC tokens may assume the identity. */
  claimMatch: pulumi.Input<{ [Member in keyof ClaimMatch]: pulumi.Input<ClaimMatch[Member]> }>;
  /** Take over the existing identity with this parent and name if it equals what is declared. Default: `platform:adopt`, else false. */
  adopt?: pulumi.Input<boolean | undefined>;
}

const type: ResourceType = {
  token: "pulumi-nodejs:dynamic/platform/iam:Identity",
  served: "identity",
  outputs: ["parentUid", "name", "description", "claimMatch", "createTime"],
};

/**
 * An identity: who may log in, by which OIDC token.
 *
 * @example
 * ```ts
 * import { githubActions, Identity } from "pulumi-platform";
 *
 * export const deployer = new Identity("deployer", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   claimMatch: githubActions({ repository: "acme/shop", branch: "main" }),
 * });
 * ```
 */
export class Identity extends PlatformResource {
  /** The type of the resource, as in its URN. */
  static readonly __pulumiType: string = type.token;

  /** Uid of the parent group; undefined for an identity at the root. */
  declare readonly parentUid: pulumi.Output<string | undefined>;
  declare readonly name: pulumi.Output<string>;
  declare readonly description: pulumi.Output<string | undefined>;
  /** Every member that the platform holds, declared or not; undefined where the identity proves itself in another way. */
  declare readonly claimMatch: pulumi.Output<(ClaimMatch & Readonly<Record<string, unknown>>) | undefined>;
  /** When the platform made it, RFC 3339. */
  declare readonly createTime: pulumi.Output<string>;

  constructor(name: string, args: IdentityArgs, opts?: pulumi.CustomResourceOptions) {
    super(type, name, named(name, args), opts);
  }

  /** Returns true for an Identity, also one that another copy of the package constructed. */
  static override isInstance(obj: unknown): obj is Identity {
    return hasType(obj, type);
  }

  /**
   * Reads an existing identity that this program does not manage. The run fails if there is none.
   *
   * @param name the unique name of the resource in the program
   * @param uid uid of the identity
   */
  static get(name: string, uid: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Identity {
    return new Identity(name, { parentUid: "", claimMatch: { issuer: "", subject: "" } }, reading(uid, opts));
  }
}

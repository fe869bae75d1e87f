import { type ArgsOf, type Given, type OutputsOf, resourceClass } from "../resources/declared";

/** The arguments of a {@link GroupAccess}. */
export type GroupAccessArgs = ArgsOf<"groupAccess">;

/** Role bindings that a {@link GroupAccess} never removes. */
export type ExemptAccess = Given<"groupAccess", "exempt">;

/** The outputs of a {@link GroupAccess} besides `uid`, which is the uid of the group. */
export interface GroupAccess extends OutputsOf<"groupAccess"> {}

/**
 * The complete access to one group. Exactly the declared identities have roles there, and a preview lists everyone who gains or
 * loses one. With `others: "keep"`, only the declared identities gain and lose roles, and the access of others stays.
 *
 * @example
 * ```ts
 * import { Group, GroupAccess, Identity } from "pulumi-platform";
 *
 * const shop = new Group("shop", { parentUid: "0123456789abcdef0123456789abcdef01234567" });
 * const ci = new Identity("ci-shop", {
 *   parentUid: shop.uid,
 *   claimMatch: { issuer: "https://gitlab.com", subject: "project_path:acme/shop:ref_type:branch:ref:main" },
 * });
 *
 * new GroupAccess("shop", {
 *   parentUid: shop.uid,
 *   access: {
 *     owner: { zoe: "89abcdef0123456789abcdef0123456789abcdef" },
 *     viewer: { "ci-shop": ci.uid },
 *   },
 * });
 * ```
 */
export class GroupAccess extends resourceClass("groupAccess") {}

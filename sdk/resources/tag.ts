import { tag } from "../../provider/kinds/tag";
import { type ArgsOf, type OutputsOf, resourceClass, type ResourceClass } from "./declared";

/** The arguments of a {@link Tag}. */
export interface TagArgs extends ArgsOf<typeof tag> {}

/** The outputs of a {@link Tag} besides `uid`. */
export interface Tag extends OutputsOf<typeof tag> {}

// Annotated, so that the emitted types keep the doc comments of the declaration.
const TagResource: ResourceClass<typeof tag> = resourceClass(tag);

/**
 * A tag: a name for one image in a repo. By default the tag stays on the platform when the resource is deleted; see `deletionPolicy`.
 *
 * @example
 * ```ts
 * import { Repo, Tag } from "pulumi-platform";
 *
 * const shop = new Repo("shop", { parentUid: "0123456789abcdef0123456789abcdef01234567" });
 *
 * export const stable = new Tag("stable", {
 *   repoUid: shop.uid,
 *   digest: "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
 * });
 * ```
 */
export class Tag extends TagResource {}

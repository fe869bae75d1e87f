import { repo } from "../../provider/kinds/repo";
import { type ArgsOf, type OutputsOf, resourceClass, type ResourceClass } from "./declared";

/** The value that a program gives for a field of a repo. */
type Given<Name extends keyof (typeof repo)["fields"]> = NonNullable<(typeof repo)["fields"][Name]["value"]>;

/** From where the platform synchronises a repo. */
export type SyncConfig = Given<"sync_config">;

/** What the platform adds to the images of a repo. */
export type CustomOverlay = Given<"customOverlay">;
/** The arguments of a {@link Repo}. */
export type RepoArgs = ArgsOf<typeof repo>;

/** The outputs of a {@link Repo} besides `uid`. */
export interface Repo extends OutputsOf<typeof repo> {}

// Annotated, so that the emitted types keep the doc comments of the declaration.
const RepoResource: ResourceClass<typeof repo> = resourceClass(repo);

/**
 * A repo: a named place for images in a group. By default the repo stays on the platform when the resource is deleted; see
 * `deletionPolicy`.
 *
 * @example
 * ```ts
 * import { Repo } from "pulumi-platform";
 *
 * export const shop = new Repo("shop", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   description: "Images of the shop",
 *   aliases: ["shop:stable"],
 * });
 * ```
 */
export class Repo extends RepoResource {}

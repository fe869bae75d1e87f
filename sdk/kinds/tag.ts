import * as data from "../functions/data-sources";
import { type ArgsOf, type OutputsOf, resourceClass } from "../resources/declared";

/** The arguments of a {@link Tag}. */
export interface TagArgs extends ArgsOf<"tag"> {}

/** The outputs of a {@link Tag} besides `uid`. */
export interface Tag extends OutputsOf<"tag"> {}

/**
 * A tag, which is a name for one image in a repo. By default the tag stays on the platform when the resource is deleted; see `deletionPolicy`.
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
export class Tag extends resourceClass("tag") {}

/** Which tag: by its uid or by its name. */
export type GetTagArgs = data.GetArgsOf<"tag">;

/** A tag as the platform returns it. */
export interface GetTagResult extends data.GetResultOf<"tag"> {}

const { one, oneOutput, all, allOutput } = data.dataSources("tag");

/**
 * One tag, by its uid or by its name. A name finds even a tag that Lists hide.
 *
 * @example
 * ```ts
 * import { getRepoOutput, getTagOutput } from "pulumi-platform";
 *
 * export const digest = getTagOutput({ name: "latest", repoUid: getRepoOutput({ name: "web-server" }).uid }).digest;
 * ```
 */
export const getTag: data.GetFunction<GetTagArgs, GetTagResult> = one;

/** {@link getTag} for arguments that may be outputs. */
export const getTagOutput: data.GetOutputFunction<GetTagArgs, GetTagResult> = oneOutput;

/** Filters and order of {@link getTags}. */
export type GetTagsArgs = data.ListArgsOf<"tag">;

/** The result of {@link getTags}. */
export interface GetTagsResult extends data.ListResultOf<"tag"> {}

/**
 * Every tag that the filters select. Tags that end in a date or in `-rN`, and `sha256-…` tags, are included only with
 * `includeDates`, `includeEpochs` and `includeReferrers`, even if `name` is one of theirs.
 *
 * @example
 * ```ts
 * import { getRepoOutput, getTagsOutput } from "pulumi-platform";
 *
 * export const allTags = getTagsOutput({ childrenOf: getRepoOutput({ name: "web-server" }).uid, includeDates: true });
 * ```
 */
export const getTags: data.ListFunction<GetTagsArgs, GetTagsResult> = all;

/** {@link getTags} for arguments that may be outputs. */
export const getTagsOutput: data.ListOutputFunction<GetTagsArgs, GetTagsResult> = allOutput;

import { tag } from "../../provider/kinds/tag";
import {
  dataSources,
  type GetArgsOf,
  type GetFunction,
  type GetResultOf,
  type ListArgsOf,
  type ListFunction,
  type ListResultOf,
} from "./data-sources";
import type { GetOutputFunction, ListOutputFunction } from "./output-form";

const tags = dataSources(tag);

/** Which tag: by its uid or by its name. */
export type GetTagArgs = GetArgsOf<typeof tag>;

/** A tag as the platform returns it. */
export interface GetTagResult extends GetResultOf<typeof tag> {}

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
export const getTag: GetFunction<GetTagArgs, GetTagResult> = tags.one;

/** {@link getTag} for arguments that may be outputs. */
export const getTagOutput: GetOutputFunction<GetTagArgs, GetTagResult> = tags.oneOutput;

/** Filters and order of {@link getTags}. */
export type GetTagsArgs = ListArgsOf<typeof tag>;

/** The result of {@link getTags}. */
export interface GetTagsResult extends ListResultOf<typeof tag> {}

/**
 * Every tag that the filters select. Tags that end in a date or in `-rN`, and `sha256-…` tags, are included only with
 * `includeDates`, `includeEpochs` and `includeReferrers`, even if `name` is one of theirs.
 *
 * @example
 * ```ts
 * import { getRepoOutput, getTagsOutput } from "pulumi-platform";
 *
 * const tags = getTagsOutput({ childrenOf: getRepoOutput({ name: "web-server" }).uid, includeDates: true });
 * export const names = tags.tags.apply((all) => all.map((tag) => tag.name));
 * ```
 */
export const getTags: ListFunction<GetTagsArgs, GetTagsResult> = tags.all;

/** {@link getTags} for arguments that may be outputs. */
export const getTagsOutput: ListOutputFunction<GetTagsArgs, GetTagsResult> = tags.allOutput;

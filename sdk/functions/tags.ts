import { type TagFilters, tags } from "../../provider/client/registry";
import { uid } from "../../provider/kinds/inputs";
import { someText, time, yesOrNo } from "./arguments";
import { type ByUid, type Either, type GetFunction, sourceOfOne } from "./get-function";
import { type ListArgs, type ListFunction, sourceOfAll } from "./list-function";
import { type GetOutputFunction, type ListOutputFunction, outputForm } from "./output-form";
import { plainForm, type Source } from "./source";

/** A tag by its name. */
export interface TagByName {
  /** Name of the tag, exactly. */
  name: string;
  /** Uid of the repository that it is in. */
  repoUid: string;
}

/** Which tag: by its uid or by its name. */
export type GetTagArgs = Either<ByUid, TagByName>;

/** A tag as the platform returns it. */
export interface GetTagResult {
  readonly uid: string;
  readonly name: string;
  /** Digest of the image, `sha256:…`. */
  readonly digest: string;
  readonly deprecated: boolean;
  readonly bundles: string[];
  /** RFC 3339. */
  readonly updateTime: string | null;
}

const one: Source<GetTagResult> = sourceOfOne("getTag", {
  collection: tags,
  key: { name: someText, repoUid: uid },
  query: ({ name, repoUid }) => ({
    name,
    childrenOf: repoUid,
    // Lists hide some tags, also from a filter by name (docs/platform-api.md#tags).
    includeReferrers: true,
    includeDates: true,
    includeEpochs: true,
  }),
});

/**
 * One tag, by its uid or by its name. A name also finds a tag that Lists hide.
 *
 * @example
 * ```ts
 * import { getRepoOutput, getTagOutput } from "pulumi-platform";
 *
 * export const digest = getTagOutput({ name: "latest", repoUid: getRepoOutput({ name: "web-server" }).uid }).digest;
 * ```
 */
export const getTag: GetFunction<GetTagArgs, GetTagResult> = plainForm(one);

/** {@link getTag} for arguments that may be outputs. */
export const getTagOutput: GetOutputFunction<GetTagArgs, GetTagResult> = outputForm(one);

/** Filters and order of {@link getTags}. */
export type GetTagsArgs = ListArgs & { [Name in keyof TagFilters]: TagFilters[Name] | undefined };

/** The result of {@link getTags}. */
export interface GetTagsResult {
  readonly tags: GetTagResult[];
}

const all: Source<GetTagsResult> = sourceOfAll(
  "getTags",
  tags,
  {
    name: someText,
    digest: someText,
    updatedSince: time,
    includeReferrers: yesOrNo,
    includeDates: yesOrNo,
    includeEpochs: yesOrNo,
  },
  (rows) => ({ tags: rows }),
);

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
export const getTags: ListFunction<GetTagsArgs, GetTagsResult> = plainForm(all);

/** {@link getTags} for arguments that may be outputs. */
export const getTagsOutput: ListOutputFunction<GetTagsArgs, GetTagsResult> = outputForm(all);

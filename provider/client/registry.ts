import { z } from "zod";
import { byName, type Collection, enumeration, type Filter, flag, listOf, objectUid, text, timestamp } from "./collection";

const repoSchema = z.looseObject({
  uid: objectUid,
  name: text,
  description: text,
  catalogTier: enumeration,
  bundles: listOf(z.string()),
  aliases: listOf(z.string()),
  activeTags: listOf(z.string()),
  createTime: timestamp,
  updateTime: timestamp,
});

/** A registry repository (docs/platform-api.md#repositories). */
export type WireRepo = z.infer<typeof repoSchema>;

/** Registry repositories. */
export const repos: Collection<WireRepo, { name?: string }> = {
  noun: "repo",
  area: "registry",
  segment: "repos",
  capabilities: "REPO",
  schema: repoSchema,
  filters: { name: byName },
};

const tagSchema = z.looseObject({
  uid: objectUid,
  name: text,
  digest: text,
  deprecated: flag,
  bundles: listOf(z.string()),
  updateTime: timestamp,
});

/** A tag of a repository (docs/platform-api.md#tags). */
export type WireTag = z.infer<typeof tagSchema>;

/** Filters of the List of tags (docs/platform-api.md#list-filters). */
export interface TagFilters {
  name?: string;
  digest?: string;
  /** Only tags updated at or after this RFC 3339 time. */
  updatedSince?: string;
  /** Also `sha256-…` tags. Default false. */
  includeReferrers?: boolean;
  /** Also tags that end in a date. Default false. */
  includeDates?: boolean;
  /** Also tags that end in `-rN`. Default false. */
  includeEpochs?: boolean;
}

/** Tags whose names have this form are returned only where the flag includes them. */
function include(parameter: string, form: RegExp): Filter<WireTag, boolean> {
  return { parameter, matches: ({ name }, isIncluded) => isIncluded || !form.test(name) };
}

/** Tags, each under its repository. */
export const tags: Collection<WireTag, TagFilters> = {
  noun: "tag",
  area: "registry",
  segment: "tags",
  capabilities: "TAG",
  schema: tagSchema,
  filters: {
    name: byName,
    digest: { parameter: "digest", matches: (row, digest) => row.digest === digest },
    updatedSince: {
      parameter: "updated_since",
      matches: (row, since) => row.updateTime === null || Date.parse(row.updateTime) >= Date.parse(since),
    },
    includeReferrers: include("include_referrers", /^sha256-/),
    includeDates: include("include_dates", /-20\d\d[01]\d[0-3]\d$/),
    includeEpochs: include("include_epochs", /-r\d+$/),
  },
};

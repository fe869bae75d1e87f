import { declare } from "./declaration";
import { flag, having, name, optional, parent, setOf, text, time } from "./fields";
import { type DeclaredFilter, filter } from "./filters";

/** A tag, as far as its filters read it. */
interface Row {
  readonly name: string;
  readonly updateTime: string | null;
}

/** Tags whose names have this form are returned only where the flag includes them. */
function include(form: RegExp): DeclaredFilter<boolean> {
  return filter(flag(), ({ name }: Row, isIncluded) => isIncluded || !form.test(name));
}

/** A tag: a name for one image in a repo (docs/platform-api.md#tags). */
export const tag = declare({
  name: "Tag",
  address: { noun: "tag", area: "registry", segment: "tags", capabilities: "TAG" },
  parentAddress: { noun: "repo", area: "registry", segment: "repos", capabilities: "REPO" },
  fields: {
    /** Uid of the repo that the tag is in. */
    repoUid: parent("repo"),
    /** Name of the tag. */
    name: having({ immutable: true }, name()),
    /** Digest of the image, `sha256:…`. */
    digest: text(),
    /** Whether the tag is deprecated. */
    deprecated: optional(flag()),
    /** Bundles that the tag is part of, such as `base` or `fips`, in any order. */
    bundles: optional(setOf(text())),
    /** When the tag last changed or moved, RFC 3339. */
    updateTime: time(),
  },
  naturalKey: ["name"],
  filters: {
    /** Only tags with this name, exactly. A tag of a form that Lists hide needs its flag as well. */
    name: "name",
    /** Only tags of the image with this digest. */
    digest: "digest",
    /** Only tags that were updated at or after this RFC 3339 time. */
    updatedSince: filter(
      time(),
      ({ updateTime }: Row, since) => updateTime === null || Date.parse(updateTime) >= Date.parse(since),
    ),
    /** Whether to include tags `sha256-…`. Default: false. */
    includeReferrers: include(/^sha256-/),
    /** Whether to include tags that end in a date, `…-20260131`. Default: false. */
    includeDates: include(/-20\d\d[01]\d[0-3]\d$/),
    /** Whether to include tags that end in `-rN`. Default: false. */
    includeEpochs: include(/-r\d+$/),
  },
  // Lists hide some tags, also from a filter by name.
  lookup: ({ name }) => ({ name, includeReferrers: true, includeDates: true, includeEpochs: true }),
});

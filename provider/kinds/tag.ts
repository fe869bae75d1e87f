import { declare } from "../schema/declare";
import { deletionPolicy, isRetained } from "../schema/deletion-policy";
import { detail, filled, flag, having, name, optional, parent, setOf, text, time } from "../schema/fields";
import { type DeclaredFilter, filter } from "../schema/filters";
import { someText, tagName } from "../schema/inputs";
import { repo } from "./repo";

const digest = someText.refine((value) => /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[a-fA-F0-9]{32,}$/.test(value), {
  error: "must be the digest of an image, such as sha256: followed by 64 hexadecimal digits",
});

/** A tag, with the members that its filters read. */
interface Row {
  readonly name: string;
  readonly updateTime: string | null;
}

/** A filter without which a List hides the tags whose names have this form. */
function include(form: RegExp): DeclaredFilter<boolean> {
  return filter(flag(), ({ name }: Row, isIncluded) => isIncluded || !form.test(name));
}

/** A tag, which is a name for one image in a repo (docs/platform-api.md#tags). */
export const tag = declare({
  name: "Tag",
  address: { noun: "tag", area: "registry", segment: "tags", capabilities: "TAG" },
  parentAddress: repo.collection,
  fields: {
    /** Uid of the repo that the tag is in. A change replaces the tag. */
    repoUid: parent("repo"),
    /** At most 128 letters, digits, dots, underscores and hyphens; must not begin with a dot or a hyphen. A change replaces the tag. Default: the logical name. */
    name: having({ immutable: true }, name(tagName)),
    /** Digest of the image, `sha256:…`. Omit it for an existing tag that pushes may move without a difference. Default: the tag's current digest. */
    digest: having({ volatile: true, neededByCreate: true }, filled(text(digest))),
    /** Whether the tag is deprecated. Default: false. */
    deprecated: optional(flag()),
    /** Bundles that the tag is part of, such as `base` or `fips`, in any order. Default: none. */
    bundles: optional(setOf(text())),
    /** Fate of the tag when the resource is deleted. `retain` keeps it on the platform, `delete` deletes it. Default: `retain`. */
    deletionPolicy,
    /** When the tag last changed or moved, RFC 3339. */
    updateTime: detail(time()),
  },
  naturalKey: ["name"],
  // As in the reference of an image. No tag has a colon in its name.
  importId: { is: "path", separator: ":" },
  filters: {
    /** Only tags with this name, exactly. A tag that Lists hide also needs its flag. */
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
  // Lists hide some tags, even from a filter by name.
  lookup: ({ name }) => ({ name, includeReferrers: true, includeDates: true, includeEpochs: true }),
  access: "none",
  isKept: isRetained,
  calls: {
    update: "post",
    // A repo without tags is normal.
    list: "may be empty",
    delete: "refuses missing",
    // Otherwise Lists hide tags with names of some forms.
    listParameters: { include_referrers: true, include_dates: true, include_epochs: true },
  },
});

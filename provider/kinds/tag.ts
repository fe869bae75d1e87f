import { declare } from "./declaration";
import { flag, having, name, optional, parent, setOf, text, time } from "./fields";
import { tagFilters, tagLookup } from "./tag-filters";

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
    /** Digest. */
    digest: text(),
    /** Deprecated. */
    deprecated: optional(flag()),
    /** Bundles. */
    bundles: optional(setOf(text())),
    /** When the tag last changed or moved, RFC 3339. */
    updateTime: time(),
  },
  naturalKey: ["name"],
  filters: tagFilters,
  lookup: tagLookup,
});

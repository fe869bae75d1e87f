import { declare } from "./declaration";
import { enumeration, parent, setOf, text, time } from "./fields";

/** A repo: a named place for images in a group (docs/platform-api.md#repositories). */
export const repo = declare({
  name: "Repo",
  address: { noun: "repo", area: "registry", segment: "repos", capabilities: "REPO" },
  fields: {
    /** Uid of the group that the repo is in. */
    parentUid: parent(),
    /** Name of the repo. */
    name: text(),
    /** Empty if unset. */
    description: text(),
    /** Tier. */
    catalogTier: enumeration(),
    /** Bundles. */
    bundles: setOf(text()),
    /** Aliases. */
    aliases: setOf(text()),
    /** Tags. */
    activeTags: setOf(text()),
    /** When the repo was created, RFC 3339. */
    createTime: time(),
    /** When the repo last changed, RFC 3339. */
    updateTime: time(),
  },
  naturalKey: ["name"],
  filters: {
    /** Only repos with this name, exactly. */
    name: "name",
  },
});

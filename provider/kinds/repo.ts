import { declare } from "./declaration";
import { enumeration, parent, setOf, text, time } from "./fields";

/** A repo: a named place for images in a group (docs/platform-api.md#repositories). */
export const repo = declare({
  name: "Repo",
  address: { noun: "repo", area: "registry", segment: "repos", capabilities: "REPO" },
  fields: {
    /** Uid of the group that the repo is in. */
    parentUid: parent(),
    name: text(),
    description: text(),
    catalogTier: enumeration(),
    bundles: setOf(text()),
    aliases: setOf(text()),
    activeTags: setOf(text()),
    createTime: time(),
    updateTime: time(),
  },
  naturalKey: ["name"],
  filters: {
    /** Only repos with this name, exactly. */
    name: "name",
  },
});

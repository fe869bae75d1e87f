import type { FieldViolation } from "../wire/errors";
import { isObject, stringOf, type Json } from "../wire/json";
import { byName } from "./filters";
import { checkDescription, checkPlainName } from "./name-rules";
import type { ObjectKind } from "./object-kind";
import { messageNamed } from "../contract/messages";
import { checkBundles, checkCatalog, completeCatalog } from "./repo-catalog";

const aliasPattern = /^[a-zA-Z0-9_.\-/]*[a-zA-Z0-9_.-]:[a-zA-Z0-9_.-]+$/;

/** Repositories (docs/platform-api.md#repositories). */
export const repos: ObjectKind = {
  area: "registry",
  collection: "repos",
  noun: "repo",
  parent: "groups",
  message: messageNamed("registry.Repo"),
  capabilities: { list: "CAP_REPO_LIST", create: ["CAP_REPO_CREATE"], update: ["CAP_REPO_UPDATE"], delete: ["CAP_REPO_DELETE"] },
  orders: ["uid", "name", "created_at", "updated_at"],
  filters: { name: byName },
  naturalKey: ["name"],

  check(draft) {
    const { fields } = draft;
    const aliases = Array.isArray(fields["aliases"]) ? fields["aliases"] : [];
    const broken = aliases.filter((alias) => !aliasPattern.test(stringOf(alias)));
    const violation = { field: "aliases", description: `must look like name:tag: ${broken.map(stringOf).join(", ")}` };
    return [
      ...checkPlainName(fields),
      ...checkDescription(fields),
      ...checkBundles(fields["bundles"]),
      ...(broken.length > 0 ? [violation] : []),
      ...checkAnnotations(fields["customOverlay"]),
      ...checkCatalog(draft),
    ];
  },

  complete: completeCatalog,
};

function checkAnnotations(overlay: Json | undefined): FieldViolation[] {
  const annotations = isObject(overlay) && isObject(overlay["annotations"]) ? Object.keys(overlay["annotations"]) : [];
  return annotations
    .filter((key) => key.startsWith("org.opencontainers."))
    .map((key) => ({ field: "custom_overlay.annotations", description: `the prefix of ${key} is reserved` }));
}

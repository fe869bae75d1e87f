import type { FieldViolation } from "../wire/errors";
import { isObject, stringOf, type Json } from "../wire/json";
import { checkDescription, checkPlainName, equals, type Kind } from "./kind";
import { messageNamed } from "../contract/messages";
import { checkCatalog, completeCatalog } from "./repo-catalog";

const bundleNames = ["application", "base", "byol", "ai", "ai-gpu", "featured", "fips", "commercial", "emeritoss"];
const aliasPattern = /^[a-zA-Z0-9_.\-/]*[a-zA-Z0-9_.-]:[a-zA-Z0-9_.-]+$/;

/** Repositories (docs/platform-api.md#repositories). */
export const repos: Kind = {
  area: "registry",
  collection: "repos",
  noun: "repo",
  parent: "groups",
  message: messageNamed("registry.Repo"),
  capabilities: { list: "CAP_REPO_LIST", create: ["CAP_REPO_CREATE"], update: ["CAP_REPO_UPDATE"], delete: ["CAP_REPO_DELETE"] },
  orders: ["uid", "name", "created_at", "updated_at"],
  filters: { name: equals("name") },
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

/** Tags of a repository (docs/platform-api.md#tags). */
export const tags: Kind = {
  area: "registry",
  collection: "tags",
  noun: "tag",
  parent: "repos",
  message: messageNamed("registry.Tag"),
  capabilities: { list: "CAP_TAG_LIST", create: ["CAP_TAG_CREATE"], delete: ["CAP_TAG_DELETE"] },
  orders: ["uid", "name", "updated_at"],
  filters: {
    name: equals("name"),
    digest: equals("fields ->> 'digest'"),
    updated_since: ([since = ""]) => ({ sql: "updated_at >= ?", values: [since] }),
  },
  hidden: {
    include_referrers: { sql: "name NOT LIKE 'sha256-%'", values: [] },
    include_dates: { sql: "name NOT REGEXP ?", values: ["-20\\d{6}$"] },
    include_epochs: { sql: "name NOT REGEXP ?", values: ["-r\\d+$"] },
  },
  naturalKey: ["name"],
  createUpdates: true,

  check({ fields }) {
    const isNamed = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/.test(stringOf(fields["name"]));
    return [
      ...(isNamed
        ? []
        : [{ field: "name", description: "must be a tag: letters, digits, dots, underscores, hyphens, at most 128" }]),
      ...checkBundles(fields["bundles"]),
    ];
  },
};

function checkAnnotations(overlay: Json | undefined): FieldViolation[] {
  const annotations = isObject(overlay) && isObject(overlay["annotations"]) ? Object.keys(overlay["annotations"]) : [];
  return annotations
    .filter((key) => key.startsWith("org.opencontainers."))
    .map((key) => ({ field: "custom_overlay.annotations", description: `the prefix of ${key} is reserved` }));
}

function checkBundles(bundles: unknown) {
  const unknown = Array.isArray(bundles) ? bundles.filter((bundle) => !bundleNames.includes(String(bundle))) : [];
  if (unknown.length === 0) return [];
  return [{ field: "bundles", description: `unknown: ${unknown.join(", ")}; known: ${bundleNames.join(", ")}` }];
}

import { messageNamed } from "../contract/messages";
import { stringOf } from "../wire/json";
import { byName, equals } from "./filters";
import type { ObjectKind } from "./object-kind";
import { checkBundles } from "./repo-catalog";

/** Tags of a repository (docs/platform-api.md#tags). */
export const tags: ObjectKind = {
  area: "registry",
  collection: "tags",
  noun: "tag",
  parent: "repos",
  message: messageNamed("registry.Tag"),
  capabilities: { list: "CAP_TAG_LIST", create: ["CAP_TAG_CREATE"], delete: ["CAP_TAG_DELETE"] },
  orders: ["uid", "name", "updated_at"],
  filters: {
    name: byName,
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

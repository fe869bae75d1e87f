import { permissionDenied, type FieldViolation } from "../wire/errors";
import { isObject, stringOf, type JsonObject } from "../wire/json";
import type { Row, Store } from "../storage/store";
import type { Draft } from "./object-kind";

const bundleNames = ["application", "base", "byol", "ai", "ai-gpu", "featured", "fips", "commercial", "emeritoss"];
const syncDays = 14;
const inherited = { catalogTier: "catalog_tier", bundles: "bundles", aliases: "aliases", activeTags: "active_tags" };
const catalogFields = [...Object.keys(inherited), "sync_config"];
const staff = "CAP_REPO_INTERNAL_ADMIN";

/**
 * Violations of the rules for the fields of the catalog. A synchronized repository takes them from its source, and a source must exist.
 * @throws {ApiError} code 7 for a caller who may not write them, with `catalogFields: "refused"`.
 */
export function checkCatalog(draft: Draft): FieldViolation[] {
  const { fields, previous, store, settings, access, parent } = draft;
  const changed = changedFields(draft);
  if (changed.length > 0 && settings.catalogFields === "refused" && !access.can(staff, parent))
    throw permissionDenied(`identity ${access.identity} lacks ${staff} at group ${parent}, to set ${changed.join(", ")}`);
  const isSynced = isObject(previous?.["sync_config"]) && isObject(fields["sync_config"]);
  const taken = Object.entries(inherited)
    .filter(([name]) => isSynced && changed.includes(name))
    .map(([, field]) => ({ field, description: "comes from the source that the repo is synchronized from" }));
  const sync = fields["sync_config"];
  const source = isObject(sync) ? stringOf(sync["source"]) : undefined;
  const isLost = source !== undefined && sourceOf(source, store) === undefined;
  const description = `"${source ?? ""}" is not the uid, name or image reference of a repo`;
  return [...taken, ...(isLost ? [{ field: "sync_config.source", description }] : [])];
}

/** The stored fields of a repository, with the source by its uid, and the values filled in by synchronization. */
export function completeCatalog(draft: Draft): JsonObject {
  const { previous = {}, store, now } = draft;
  const fields = isIgnored(draft) ? withCatalogOf(previous, draft.fields) : draft.fields;
  const sync = fields["sync_config"];
  if (!isObject(sync)) return fields;
  const source = sourceOf(stringOf(sync["source"]), store);
  const former = isObject(previous["sync_config"]) ? previous["sync_config"] : {};
  const isKept = former["source"] === source?.uid;
  const outputs = Object.entries(former).filter(([name]) => !["source", "google", "amazon", "azure"].includes(name));
  const expiry = new Date(Date.parse(now) + syncDays * 24 * 3600 * 1000).toISOString();
  const description = stringOf(fields["description"]) || stringOf(source?.fields["description"]);
  return {
    ...fields,
    description,
    sync_config: { ...(isKept ? Object.fromEntries(outputs) : { expirationTime: expiry }), ...sync, source: source?.uid ?? "" },
  };
}

function isIgnored({ settings, access, parent }: Draft): boolean {
  return settings.catalogFields === "ignored" && !access.can(staff, parent);
}

function withCatalogOf(previous: JsonObject, fields: JsonObject): JsonObject {
  const others = Object.entries(fields).filter(([name]) => !catalogFields.includes(name));
  const kept = Object.entries(previous).filter(([name]) => catalogFields.includes(name));
  return Object.fromEntries([...others, ...kept]);
}

function changedFields({ fields, previous = {}, store }: Draft): string[] {
  const comparable = (held: JsonObject, name: string) => {
    const value = held[name];
    if (name !== "sync_config" || !isObject(value)) return JSON.stringify(value ?? []);
    const { google = "", amazon = "", azure = "", source } = value;
    return JSON.stringify([google, amazon, azure, sourceOf(stringOf(source), store)?.uid]);
  };
  return catalogFields.filter((name) => comparable(fields, name) !== comparable(previous, name));
}

/** The repository of a source, by its uid, its name, or the last segment of an image reference without the tag. */
function sourceOf(source: string, store: Store): Row | undefined {
  const name = source.replace(/^.*\//, "").replace(/[:@].*$/, "");
  const named = { sql: "name = ?", values: [name] };
  return store.get("repos", source) ?? store.select("repos", [named], { order: "ORDER BY created_at, uid", limit: 1 })[0];
}

/** Violations of the rule that bundles are known ones. */
export function checkBundles(bundles: unknown): FieldViolation[] {
  const unknown = Array.isArray(bundles) ? bundles.filter((bundle) => !bundleNames.includes(String(bundle))) : [];
  if (unknown.length === 0) return [];
  return [{ field: "bundles", description: `unknown: ${unknown.join(", ")}; known: ${bundleNames.join(", ")}` }];
}

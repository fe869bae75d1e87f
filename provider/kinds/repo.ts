import { declare } from "../schema/declare";
import { deletionPolicy, isRetained } from "../schema/deletion-policy";
import {
  createTime,
  description,
  detail,
  enumInput,
  flag,
  having,
  listOf,
  mapOf,
  message,
  name,
  number,
  optional,
  output,
  parent,
  setOf,
  text,
  time,
  uidOf,
} from "../schema/fields";
import { multilineText, someText, tagName } from "../schema/inputs";
import { inGroup } from "../schema/references";

const catalogTiers = ["APPLICATION", "BASE", "FIPS", "AI", "DEVTOOLS", "COMMERCIAL"].map((tier) => `CATALOG_TIER_${tier}`);

const catalogTier = someText.refine((value) => /^CATALOG_TIER_[A-Z0-9_]+$/.test(value), {
  error: 'must be the name of a catalog tier, such as "CATALOG_TIER_APPLICATION"',
});

const alias = someText.refine((value) => /^[a-zA-Z0-9_.\-/]*[a-zA-Z0-9_.-]:[a-zA-Z0-9_.-]+$/.test(value), {
  error: 'must be a name and a tag, such as "nginx:latest"',
});

const syncConfig = message("SyncConfig", {
  /** The repo to synchronise from, by its uid, its name in the catalog, or an image reference. */
  source: having({ resolvedTo: "sourceUid" }, text()),
  /** A further destination on Google Cloud. Default: none. */
  google: optional(text()),
  /** A further destination on AWS. Default: none. */
  amazon: optional(text()),
  /** A further destination on Azure. Default: none. */
  azure: optional(text()),
  /** Whether the synchronised tags are unique. */
  uniqueTags: detail(flag()),
  /** Whether a grace period applies. */
  gracePeriod: detail(flag()),
  /** When synchronisation ends, RFC 3339. */
  expirationTime: detail(time()),
  /** The overlay that the platform applies to the images. */
  apkoOverlay: detail(text()),
});

const namedFile = (name: string) =>
  message(name, {
    /** Name of the entry. */
    name: text(),
    /** Its content, as PEM. */
    content: text(multilineText),
  });

const contents = message("OverlayContents", {
  /** Packages to install, in any order. Default: none. */
  packages: optional(setOf(text())),
  /** Package repositories at run time, instead of the usual ones. Default: the usual ones. */
  runtimeRepositories: optional(listOf(text())),
  /** Keys of these repositories. Default: the usual ones. */
  runtimeKeyring: optional(listOf(namedFile("OverlayKey"))),
});

const user = message("OverlayUser", {
  /** Name of the user. */
  username: text(),
  /** Numeric id. Default: 0. */
  uid: optional(number()),
  /** Numeric id of its group. Default: 0. */
  gid: optional(number()),
  /** Name of its group. Default: none. */
  groupName: optional(text()),
  /** Its shell. Default: none. */
  shell: optional(text()),
  /** Its home directory. Default: none. */
  homeDir: optional(text()),
});

const group = message("OverlayGroup", {
  /** Name of the group. */
  groupname: text(),
  /** Numeric id. Default: 0. */
  gid: optional(number()),
  /** Names of its members, in any order. Default: none. */
  members: optional(setOf(text())),
});

const accounts = message("OverlayAccounts", {
  /** The user that the image runs as. Default: the user of the image. */
  runAs: optional(text()),
  /** Users of the image. Default: those of the image. */
  users: optional(listOf(user)),
  /** Groups of the image. Default: those of the image. */
  groups: optional(listOf(group)),
});

const certificates = message("OverlayCertificates", {
  /** Certificates to trust. Default: none. */
  additional: optional(listOf(namedFile("OverlayCertificate"))),
  /** Providers of certificates to trust, in any order. Default: none. */
  providers: optional(setOf(text())),
});

/** Additions of the platform to the images of a repo. */
const customOverlay = message("CustomOverlay", {
  /** Packages and their sources. Default: those of the image. */
  contents: optional(contents),
  /** Environment variables by name. Default: none. */
  environment: optional(mapOf(text(multilineText))),
  /** Annotations of the image by key; keys that begin with `org.opencontainers.` are reserved. Default: none. */
  annotations: optional(mapOf(text(multilineText))),
  /** Users and groups. Default: those of the image. */
  accounts: optional(accounts),
  /** Certificates. Default: those of the image. */
  certificates: optional(certificates),
});

/** A field that the platform takes from the source while the repo is synchronised. */
const synchronised = { filledWhile: "sync_config" } as const;

/** A repo, which is a named place for images in a group (docs/platform-api.md#repositories). */
export const repo = declare({
  name: "Repo",
  address: { noun: "repo", area: "registry", segment: "repos", capabilities: "REPO" },
  fields: inGroup({
    /** Uid of the group that the repo is in. A change replaces the repo. */
    parentUid: parent(),
    /** Any text without control characters. Default: the logical name. */
    name: name(),
    /** Purpose of the repo, on one line. Default: none, or that of the source. */
    description: having(synchronised, description()),
    /** Tier in the catalog, `CATALOG_TIER_…`. Default: none, or that of the source. */
    catalogTier: having(
      { ...synchronised, unset: "CATALOG_TIER_UNSPECIFIED" },
      optional(enumInput("CATALOG_TIER_", catalogTiers, catalogTier)),
    ),
    /** Bundles that the repo is part of, such as `base` or `fips`, in any order. Default: none, or those of the source. */
    bundles: having(synchronised, optional(setOf(text()))),
    /** Other names of its images, each a name and a tag such as `nginx:latest`, in any order. Default: none, or those of the source. */
    aliases: having(synchronised, optional(setOf(text(alias)))),
    /** Tags that are maintained, in any order. Default: none, or those of the source. */
    activeTags: having(synchronised, optional(setOf(text(tagName)))),
    /** The source from which the platform synchronises the repo. Default: not synchronised. */
    sync_config: optional(syncConfig),
    /** Additions of the platform to the images of the repo. Default: none. */
    customOverlay: optional(customOverlay),
    /** Fate of the repo when the resource is deleted. `retain` keeps it on the platform, `delete` deletes it. Default: `retain`. */
    deletionPolicy,
    /** Uid of the source repo in `sync_config.source`; not set if the repo is not synchronised. */
    sourceUid: having({ read: ({ sync_config }) => sourceOf(sync_config) }, output(uidOf("repo"))),
    /** When the repo was created, RFC 3339. */
    createTime: createTime(),
    /** When the repo last changed, RFC 3339. */
    updateTime: detail(time()),
  }),
  naturalKey: ["name"],
  filters: {
    /** Only repos with this name, exactly. */
    name: "name",
  },
  access: "none",
  rank: 8,
  obstacleHint:
    'A repo stays when its Repo resource is deleted, unless that has `deletionPolicy: "delete"`. To delete it too, declare it again in its ' +
    "group, with `adopt: true` and that policy; run `pulumi up`, then remove both and run it again.",
  isKept: isRetained,
  // An organisation without repos is normal.
  calls: { list: "may be empty", delete: "refuses missing" },
});

function sourceOf(syncConfig: unknown): string | undefined {
  return (syncConfig as { source?: string } | null | undefined)?.source || undefined;
}

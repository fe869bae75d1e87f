import { stableUid } from "./uid";

const crud = ["CREATE", "UPDATE", "LIST", "DELETE"];

/** Verbs by domain (API-FACTS §10.3). */
const domains: Readonly<Record<string, readonly string[]>> = {
  IAM_GROUPS: crud,
  IAM_ROLES: crud,
  IAM_ROLE_BINDINGS: crud,
  IAM_ACCOUNT_ASSOCIATIONS: crud,
  IAM_IDENTITY: crud,
  IAM_IDENTITY_PROVIDERS: crud,
  IAM_GROUP_INVITES: ["CREATE", "LIST", "DELETE"],
  IAM_SCIM: ["MANAGE"],
  EVENTS_SUBSCRIPTION: crud,
  REPO: [...crud, "BLOBS_GET", "CHECK_POLICIES"],
  MANIFEST: [...crud, "METADATA_LIST"],
  TAG: crud,
  APK: [...crud, "BLOBS_GET"],
  REFERRERS: ["LIST"],
  VERSION: ["LIST"],
  BUILD_REPORT: ["LIST"],
  REGISTRY_OVERLAYS: ["LIST", "EDIT"],
  REGISTRY_SETTINGS: ["LIST", "UPDATE"],
  REGISTRY_ENTITLEMENTS: ["LIST", "CREATE", "DELETE", "IMAGES_ADD", "IMAGES_REMOVE", "IMAGES_SWAP"],
  REGISTRY_DEPLOYMENTS: ["CREATE", "LIST"],
  ADVISORIES: [...crud, "APPROVE"],
  VULN_REPORT: ["CREATE", "LIST"],
  POLICIES_POLICY: crud,
  POLICIES_BINDING: crud,
  LIBRARIES_REQUEST_GROUPS: [...crud, "SUBMIT", "ITEMS_UPDATE"],
  LIBRARIES_ARTIFACTS: ["LIST"],
  TERMS: ["ACCEPT", "LIST"],
};

const all = Object.entries(domains).flatMap(([domain, verbs]) => verbs.map((verb) => `CAP_${domain}_${verb}`));
const only = (...prefixes: string[]) => all.filter((name) => prefixes.some((prefix) => name.startsWith(`CAP_${prefix}_`)));
const lists = all.filter((name) => name.endsWith("_LIST"));
const pull = [
  "CAP_REPO_LIST",
  "CAP_TAG_LIST",
  "CAP_MANIFEST_LIST",
  "CAP_MANIFEST_METADATA_LIST",
  "CAP_REPO_BLOBS_GET",
  "CAP_REFERRERS_LIST",
];
const editRegistry = ["CAP_REPO_CREATE", "CAP_REPO_UPDATE", "CAP_REPO_DELETE", "CAP_REGISTRY_OVERLAYS_EDIT"];
const viewer = [...lists, "CAP_REPO_BLOBS_GET", "CAP_APK_BLOBS_GET"];

const bundles: Readonly<Record<string, readonly string[]>> = {
  viewer: viewer,
  editor: [...viewer, ...editRegistry, ...only("EVENTS_SUBSCRIPTION", "LIBRARIES_REQUEST_GROUPS")],
  owner: all,
  "console viewer": lists,
  "registry pull": pull,
  "registry editor": [...pull, ...editRegistry],
  "registry push": [...pull, ...editRegistry, ...only("MANIFEST", "TAG"), "CAP_IAM_GROUPS_CREATE"],
  "apk pull": ["CAP_APK_LIST", "CAP_APK_BLOBS_GET"],
  "advisories viewer": ["CAP_ADVISORIES_LIST"],
};

/** A role that the platform brings along (API-FACTS §10.2). */
export interface BuiltInRole {
  readonly uid: string;
  readonly name: string;
  readonly description: string;
  readonly capabilities: readonly string[];
}

/** The built-in roles. Their uids are flat and the same in every emulator. */
export const builtInRoles: readonly BuiltInRole[] = Object.entries(bundles).map(([name, capabilities]) => ({
  uid: stableUid(`built-in role ${name}`),
  name,
  description: `Built-in role: ${name}`,
  capabilities: [...new Set(capabilities)].sort(),
}));

/** The uid of a built-in role. */
export function builtInRoleUid(name: "viewer" | "editor" | "owner"): string {
  return stableUid(`built-in role ${name}`);
}

import { customerCapabilities } from "./capabilities";
import type { Store } from "../storage/store";
import { stableUid } from "../storage/uid";

const startingWith = (...prefixes: string[]) =>
  customerCapabilities.filter((name) => prefixes.some((prefix) => name.startsWith(`CAP_${prefix}_`)));

/** The bundles follow the published table where it is known (docs/platform-api.md#built-in-roles). For example, editors change only subscriptions. */
const consoleViewer = customerCapabilities.filter((name) => name.endsWith("_LIST"));
const apkPull = ["CAP_APK_LIST", "CAP_APK_BLOBS_GET"];
const registryPull = [
  "CAP_REPO_LIST",
  "CAP_TAG_LIST",
  "CAP_MANIFEST_LIST",
  "CAP_MANIFEST_METADATA_LIST",
  "CAP_REPO_BLOBS_GET",
  "CAP_REFERRERS_LIST",
];
const viewer = [...consoleViewer, ...registryPull, ...apkPull];
const createPullTokens = ["CAP_IAM_IDENTITY_CREATE", "CAP_IAM_ROLE_BINDINGS_CREATE", "CAP_IAM_ROLES_LIST", "CAP_IAM_GROUPS_LIST"];
const guardenerUser = ["CAP_GUARDENER_DFC_CONVERT", "CAP_GUARDENER_ACTIONS_MIGRATE", ...startingWith("GUARDENER_SCAN")];

const librariesPull = (ecosystem: string) => [`CAP_LIBRARIES_${ecosystem}_LIST`, "CAP_LIBRARIES_ARTIFACTS_LIST"];

const bundles = {
  owner: customerCapabilities,
  limited_owner: [
    ...viewer,
    "CAP_IAM_IDENTITY_CREATE",
    "CAP_IAM_IDENTITY_LIST",
    "CAP_IAM_ROLE_BINDINGS_CREATE",
    "CAP_IAM_ROLE_BINDINGS_LIST",
  ],
  editor: [...viewer, ...startingWith("EVENTS_SUBSCRIPTION")],
  viewer,
  console_viewer: consoleViewer,
  "registry.pull": registryPull,
  "registry.pull_token_creator": [...registryPull, ...createPullTokens],
  "apk.pull": apkPull,
  "libraries.java.pull": librariesPull("JAVA"),
  "libraries.java.pull_token_creator": [...librariesPull("JAVA"), ...createPullTokens],
  "libraries.python.pull": librariesPull("PYTHON"),
  "libraries.python.pull_token_creator": [...librariesPull("PYTHON"), ...createPullTokens],
  "libraries.javascript.pull": librariesPull("JAVASCRIPT"),
  "libraries.javascript.pull_token_creator": [...librariesPull("JAVASCRIPT"), ...createPullTokens],
  "guardener.user": guardenerUser,
  "guardener.admin": startingWith("GUARDENER"),
} satisfies Record<string, readonly string[]>;

/** The uid of a built-in role, which is flat and the same in every emulator. */
export function builtInRoleUid(name: keyof typeof bundles): string {
  return stableUid(`built-in role ${name}`);
}

/** The uid of the role of owners of organisations. A copy has its platform's uid; undefined if it lacks the role. */
export function ownerRoleUid(store: Store): string | undefined {
  return store.select("roles", [{ sql: "parent = '' AND name = 'owner'", values: [] }])[0]?.uid;
}

/** A built-in role. */
interface BuiltInRole {
  uid: string;
  name: string;
  capabilities: string[];
}

/** All built-in roles. */
export function builtInRoles(): BuiltInRole[] {
  return Object.entries(bundles).map(([name, capabilities]) => ({
    uid: stableUid(`built-in role ${name}`),
    name,
    capabilities: [...new Set<string>(capabilities)].sort(),
  }));
}

/**
 * Writes the built-in roles. Deletes unbound ones that an older version left in the data file.
 * @param time creation time of new roles
 */
export function writeBuiltInRoles(store: Store, time: string): void {
  const kept = new Map(store.select("roles", [{ sql: "parent = ''", values: [] }]).map((role) => [role.uid, role]));
  for (const { uid, name, capabilities } of builtInRoles()) {
    const fields = { name, description: `Built-in role: ${name}`, capabilities };
    const known = kept.get(uid);
    kept.delete(uid);
    if (known === undefined) store.insert({ kind: "roles", uid, parent: "", createTime: time, fields });
    else if (JSON.stringify(known.fields) !== JSON.stringify(fields)) store.update({ ...known, fields });
  }
  for (const uid of kept.keys()) if (store.count("roleBindings", [{ sql: "role = ?", values: [uid] }]) === 0) store.remove(uid);
}

import { knownCapabilities } from "../provider/schema/capabilities";

/** Capabilities of the platform's staff and services, and deprecated capabilities. No built-in role of an organisation contains them. */
const reserved = new RegExp(
  "^CAP_(INTERNAL|GULFSTREAM|ARGOS|BUILDAPI|CASSIE|IAM_POLICY|LIBRARIES_REBUILDER|LOGGIE|REPO_INTERNAL|REX|SIGSTORE|" +
    "TENANT_(CLUSTERS|NAMESPACES|NODES|RECORDS|RECORD_CONTEXTS|RECORD_POLICY_RESULTS|RISKS|WORKLOADS))(_|$)",
);
const unreserved = knownCapabilities.filter((name) => !reserved.test(name));

const makeTokens = "IAM_IDENTITY_CREATE IAM_ROLE_BINDINGS_CREATE IAM_ROLES_LIST IAM_GROUPS_LIST";

/** The published table. Capabilities stand without `CAP_`, with `*` for any text. A role name stands for all capabilities of this role. */
export const publishedRoles: Readonly<Record<string, string>> = {
  owner: "*",
  limited_owner: "viewer IAM_IDENTITY_CREATE IAM_ROLE_BINDINGS_CREATE",
  editor: "viewer EVENTS_SUBSCRIPTION_*",
  viewer: "console_viewer registry.pull apk.pull",
  console_viewer: "*_LIST",
  "registry.pull": "REPO_LIST REPO_BLOBS_GET TAG_LIST MANIFEST_LIST MANIFEST_METADATA_LIST REFERRERS_LIST",
  "registry.pull_token_creator": `registry.pull ${makeTokens}`,
  "apk.pull": "APK_LIST APK_BLOBS_GET",
  "libraries.java.pull": "LIBRARIES_JAVA_LIST LIBRARIES_ARTIFACTS_LIST",
  "libraries.java.pull_token_creator": `libraries.java.pull ${makeTokens}`,
  "libraries.python.pull": "LIBRARIES_PYTHON_LIST LIBRARIES_ARTIFACTS_LIST",
  "libraries.python.pull_token_creator": `libraries.python.pull ${makeTokens}`,
  "libraries.javascript.pull": "LIBRARIES_JAVASCRIPT_LIST LIBRARIES_ARTIFACTS_LIST",
  "libraries.javascript.pull_token_creator": `libraries.javascript.pull ${makeTokens}`,
  "guardener.user": "GUARDENER_DFC_CONVERT GUARDENER_ACTIONS_MIGRATE GUARDENER_SCAN_*",
  "guardener.admin": "GUARDENER_*",
};

function capabilitiesIn(terms: string): string[] {
  return terms.split(" ").flatMap((term) => {
    const role = publishedRoles[term];
    if (role !== undefined) return capabilitiesIn(role);
    const pattern = new RegExp(`^CAP_${term.replace("*", ".*")}$`);
    return unreserved.filter((name) => pattern.test(name));
  });
}

/**
 * The capabilities of each built-in role, sorted, by role name. The platform gives these roles their uids
 * (docs/platform-api.md#built-in-roles).
 */
export const builtInRoles: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(publishedRoles).map(([name, terms]) => [name, [...new Set(capabilitiesIn(terms))].sort()]),
);

import { knownCapabilities } from "../provider/schema/capabilities";

/** Capabilities of the platform's staff and services, and deprecated ones: no built-in role of an organisation has them. */
const reserved = new RegExp(
  "^CAP_(INTERNAL|GULFSTREAM|ARGOS|BUILDAPI|CASSIE|IAM_POLICY|LIBRARIES_REBUILDER|LOGGIE|REPO_INTERNAL|REX|SIGSTORE|" +
    "TENANT_(CLUSTERS|NAMESPACES|NODES|RECORDS|RECORD_CONTEXTS|RECORD_POLICY_RESULTS|RISKS|WORKLOADS))(_|$)",
);

const capabilities = (...names: string[]) => names.map((name) => `CAP_${name}`);

const owner = knownCapabilities.filter((name) => !reserved.test(name));
const inDomain = (domain: string) => owner.filter((name) => name.startsWith(`CAP_${domain}_`));
const consoleViewer = owner.filter((name) => name.endsWith("_LIST"));
const apkPull = capabilities("APK_BLOBS_GET", "APK_LIST");
const registryPull = [
  ...capabilities("MANIFEST_LIST", "MANIFEST_METADATA_LIST", "REFERRERS_LIST"),
  ...capabilities("REPO_BLOBS_GET", "REPO_LIST", "TAG_LIST"),
];
const viewer = [...consoleViewer, ...registryPull, ...apkPull];
const makeIdentities = capabilities("IAM_IDENTITY_CREATE", "IAM_ROLE_BINDINGS_CREATE");
const makePullTokens = [...makeIdentities, ...capabilities("IAM_GROUPS_LIST", "IAM_ROLES_LIST")];

const pullsLibraries = ["java", "python", "javascript"].flatMap((ecosystem): [string, string[]][] => {
  const pull = capabilities("LIBRARIES_ARTIFACTS_LIST", `LIBRARIES_${ecosystem.toUpperCase()}_LIST`);
  return [
    [`libraries.${ecosystem}.pull`, pull],
    [`libraries.${ecosystem}.pull_token_creator`, [...pull, ...makePullTokens]],
  ];
});

const bundles: readonly [string, readonly string[]][] = [
  ["owner", owner],
  ["limited_owner", [...viewer, ...makeIdentities]],
  ["editor", [...viewer, ...inDomain("EVENTS_SUBSCRIPTION")]],
  ["viewer", viewer],
  ["console_viewer", consoleViewer],
  ["registry.pull", registryPull],
  ["registry.pull_token_creator", [...registryPull, ...makePullTokens]],
  ["apk.pull", apkPull],
  ...pullsLibraries,
  ["guardener.user", [...capabilities("GUARDENER_ACTIONS_MIGRATE", "GUARDENER_DFC_CONVERT"), ...inDomain("GUARDENER_SCAN")]],
  ["guardener.admin", inDomain("GUARDENER")],
];

/** The capabilities of each built-in role, sorted, by its name; the uids are the platform's own (docs/platform-api.md#built-in-roles). */
export const builtInRoles: ReadonlyMap<string, readonly string[]> = new Map(
  bundles.map(([name, held]) => [name, [...new Set(held)].sort()]),
);

import { enumNamed } from "../contract/messages";

/** The beginnings after `CAP_` of capabilities that are deprecated, or reserved for the platform's staff and services. */
const reserved = [
  ...["INTERNAL", "GULFSTREAM", "IAM_POLICY", "REPO_INTERNAL_ADMIN", "LIBRARIES_REBUILDER"],
  ...["TENANT_CLUSTERS", "TENANT_RECORDS", "TENANT_RECORD_CONTEXTS", "TENANT_RECORD_POLICY_RESULTS", "TENANT_RISKS"],
  ...["TENANT_NODES", "TENANT_NAMESPACES", "TENANT_WORKLOADS"],
  ...["SIGSTORE", "ARGOS", "BUILDAPI", "CASSIE", "LOGGIE", "REX"],
].map((words) => `CAP_${words}_`);

/** The capabilities open to customers. An owner holds all of them. */
export const customerCapabilities: readonly string[] = enumNamed("capabilities.Capability").filter(
  (name) => name.startsWith("CAP_") && !reserved.some((start) => `${name}_`.startsWith(start)),
);

import { githubActions } from "./github";
import { gitlabCi } from "./gitlab";
import type { ClaimHelper } from "./helper";
import { bitbucketPipelines, buildkite, circleci, hcpTerraform, jenkins, pulumiDeployments } from "./pipelines";
import { awsRole, azureManagedIdentity, googleServiceAccount, keycloak, kubernetes, kubernetesKeys } from "./workloads";

/** Every claim helper. Each is a function of the package, and one of the plugin. */
export const claimHelpers: readonly ClaimHelper<never, object>[] = [
  githubActions,
  gitlabCi,
  buildkite,
  bitbucketPipelines,
  circleci,
  jenkins,
  pulumiDeployments,
  hcpTerraform,
  kubernetes,
  kubernetesKeys,
  azureManagedIdentity,
  googleServiceAccount,
  awsRole,
  keycloak,
];

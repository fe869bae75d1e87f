import type { SharedIssuer } from "./shared-issuer";

/**
 * `environment`, `ref`, `actor`, `workflow` and `job_workflow_ref` are excluded because anybody can have their values, the last one by
 * calling a public workflow. `workflow_ref` may name the repository of a required workflow, and custom properties have any value.
 */
const github: Pick<SharedIssuer, "who" | "source" | "asOf" | "subjects" | "claims"> = {
  who: "can run a GitHub Actions workflow",
  source: "https://docs.github.com/actions/reference/security/oidc",
  asOf: "2026-11-27",
  // A customised subject begins with the name of a claim. In its values, `:` is escaped.
  subjects: [
    "repo:*/",
    "repository_owner:*:",
    "repository_owner_id:*:",
    "repository_id:*:",
    "repository:*/",
    "repo:*@",
    "enterprise:*:",
    "enterprise_id:*:",
  ],
  claims: {
    repository_owner: "*",
    repository_owner_id: "*",
    repository: "*/",
    repository_id: "*",
    enterprise: "*",
    enterprise_id: "*",
  },
};

const terraform: Pick<SharedIssuer, "who" | "source" | "asOf" | "subjects" | "claims"> = {
  who: "can run an HCP Terraform workspace",
  source: "https://developer.hashicorp.com/terraform/cloud-docs/workspaces/dynamic-provider-credentials/workload-identity-tokens",
  asOf: "2026-11-27",
  subjects: ["organization:*:"],
  claims: {
    terraform_organization_id: "*",
    terraform_organization_name: "*",
    terraform_project_id: "*",
    terraform_workspace_id: "*",
  },
};

/** Issuers of tokens for pipelines and workloads. */
export const workloadIssuers: readonly SharedIssuer[] = [
  { ...github, issuer: "https://token.actions.githubusercontent.com" },
  // The issuer of an enterprise that has asked for one of its own.
  { ...github, issuer: "https://token.actions.githubusercontent.com/*/" },
  { ...github, issuer: "https://vstoken.actions.githubusercontent.com" },
  {
    issuer: "https://oidc-configuration.audit-log.githubusercontent.com",
    who: "can stream the audit log of a GitHub enterprise",
    source: "https://docs.github.com/enterprise-cloud@latest/admin/monitoring-activity-in-your-enterprise",
    asOf: "2026-11-27",
    subjects: ["https://github.com/*/"],
  },
  {
    issuer: "https://gitlab.com",
    who: "can run a GitLab pipeline",
    source: "https://docs.gitlab.com/ci/secrets/id_token_authentication/",
    asOf: "2026-11-27",
    // `user_login` names the person who started the pipeline, not its owner. A customised subject begins with the project too. The number
    // of an account is the subject of people.
    subjects: ["project_path:*/", "#"],
    claims: { project_path: "*/", namespace_path: "*/", project_id: "*", namespace_id: "*" },
  },
  {
    issuer: "https://agent.buildkite.com",
    who: "can run a Buildkite pipeline",
    source: "https://buildkite.com/docs/agent/cli/reference/oidc",
    asOf: "2026-11-27",
    // An agent can request another claim as the subject, such as the slug of a pipeline, which may be any text without a colon.
    subjects: ["organization:*:"],
    claims: { organization_slug: "*", organization_id: "*", pipeline_id: "*", cluster_id: "*" },
  },
  { ...terraform, issuer: "https://app.terraform.io" },
  { ...terraform, issuer: "https://app.eu.terraform.io" },
  {
    issuer: "https://oidc.codefresh.io",
    who: "can run a Codefresh pipeline",
    source: "https://codefresh.io/docs/docs/integrations/oidc-pipelines/",
    asOf: "2026-11-27",
    subjects: ["account:*:"],
    claims: { account_id: "*", pipeline_id: "*" },
  },
  {
    issuer: "https://api.pulumi.com/oidc",
    who: "has an organization in Pulumi Cloud",
    source: "https://www.pulumi.com/docs/pulumi-cloud/oidc/",
    asOf: "2026-11-27",
    subjects: ["pulumi:deploy:org:*:", "pulumi:environments:org:*:"],
  },
  {
    issuer: "https://oidc.circleci.com",
    who: "can run a CircleCI job",
    source: "https://circleci.com/docs/openid-connect-tokens/",
    asOf: "2026-11-27",
    subjects: ["org/*/"],
    claims: { "oidc.circleci.com/org-id": "*", "oidc.circleci.com/project-id": "*" },
  },
  {
    issuer: "https://vstoken.dev.azure.com",
    who: "can run an Azure DevOps pipeline",
    source: "https://learn.microsoft.com/azure/devops/release-notes/roadmap/2022/secret-free-azurerm-deployments",
    asOf: "2026-11-27",
    subjects: ["sc://*/", "p://*/"],
  },
  {
    issuer: "https://oidc.vercel.com",
    who: "can deploy to Vercel",
    source: "https://vercel.com/docs/oidc/reference",
    asOf: "2026-11-27",
    subjects: ["owner:*:"],
    claims: { owner: "*", owner_id: "*", project_id: "*" },
  },
  {
    issuer: "https://scalr.io",
    who: "can run a Scalr workspace",
    source: "https://docs.scalr.io/docs/oidc",
    asOf: "2026-11-27",
    subjects: ["account:*:"],
  },
  {
    issuer: "https://login.app.env0.com/",
    who: "has an env zero organization",
    source: "https://docs.envzero.com/guides/integrations/oidc-integrations",
    asOf: "2026-11-27",
    subjects: ["*"],
  },
  {
    issuer: "https://identity.depot.dev",
    who: "can run a Depot CI job",
    source: "https://depot.dev/docs/ci/oidc",
    asOf: "2026-11-27",
    subjects: ["spiffe://identity.depot.dev/org/*/"],
    claims: { org_id: "*" },
  },
  {
    issuer: "https://oidc.modal.com",
    who: "can run a Modal function",
    source: "https://modal.com/docs/guide/oidc-integration",
    asOf: "2026-11-27",
    subjects: ["modal:workspace_id:*:"],
    claims: { workspace_id: "*" },
  },
  {
    issuer: "https://federation.namespaceapis.com",
    who: "has a Namespace workspace",
    source: "https://namespace.so/docs/federation/aws",
    asOf: "2026-11-27",
    claims: { tenant_id: "*" },
  },
  {
    issuer: "https://oidc.cirrus-ci.com",
    who: "can run a Cirrus CI task",
    source: "https://cirrus-ci.org/guide/writing-tasks/",
    asOf: "2026-11-27",
    claims: { owner: "*", owner_id: "*", repository: "*/", repository_id: "*" },
  },
  {
    issuer: "https://proidc.upbound.io",
    who: "has an Upbound control plane",
    source: "https://docs.upbound.io/",
    asOf: "2026-11-27",
    subjects: ["mcp:*/"],
  },
  {
    issuer: "https://api.gitpod.io/idp",
    who: "can open a Gitpod workspace",
    source: "https://www.gitpod.io/docs/gitpod/configuration/oidc",
    asOf: "2026-11-27",
    subjects: ["org:*/"],
  },
];

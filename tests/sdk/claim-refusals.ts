import * as pulumi from "@pulumi/pulumi";

/** A call of a claim helper that must be refused: the helper, its arguments, and a part of the message. */
export type Refusal = [helper: string, args: unknown, message: string];

const [repository, project] = ["acme/shop", "acme/shop"];
const oneOfFour = "set exactly one of branch, tag, environment, pullRequest and tags";
const [one, two] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
const account = { issuer: "https://cluster.example", namespace: "shop", name: "deployer" };
const aws = { account: "123456789012", role: "ci.deploy", roleId: "AROAEXAMPLEEXAMPLE12" };
const onMain = { repository, branch: "main" };
const withIds = { repository: "acme@1/shop@2", branch: "main" };

/** Calls that the package refuses, and so does the plugin. */
export const refusals: readonly Refusal[] = [
  // No choice, or several.
  ["githubActions", { repository }, oneOfFour],
  ["githubActions", { repository, branch: "main", tag: "v1" }, `${oneOfFour}, not branch and tag.`],
  ["githubActions", { repository, environment: "prod", pullRequest: true }, `${oneOfFour}, not environment and pullRequest.`],
  ["githubActions", { repository, pullRequest: false }, "pullRequest must be true, or left out."],
  ["githubActions", { repository, pullRequest: "yes" }, "pullRequest must be true, or left out."],
  ["githubActions", { repository, branch: "main", enviroment: "prod" }, 'did you mean "environment"?'],
  ["gitlabCi", { project }, "gitlabCi: set exactly one of branch, tag and tags."],
  ["gitlabCi", { project, branch: "main", tag: "v1" }, "set exactly one of branch, tag and tags, not branch and tag."],
  ["gitlabCi", { project, branch: "main", environment: "prod" }, '"environment" is not an argument of this function'],
  // Without a value.
  ["githubActions", { repository, tag: null }, "tag has no value."],
  ["githubActions", { repository, environment: "" }, "environment must not be empty."],
  ["githubActions", { repository, branch: "  " }, "branch must not be empty."],
  ["githubActions", { repository, branch: 7 }, "branch must be a string."],
  ["gitlabCi", { project, branch: "main", audience: "" }, "audience must not be empty."],
  ["gitlabCi", { project, branch: "main", server: "" }, "server must be an https address"],
  // Refs.
  [
    "githubActions",
    { repository, branch: "refs/heads/main" },
    'branch must be the plain name, "main" and not "refs/heads/main".',
  ],
  ["githubActions", { repository, tag: "refs/tags/v1" }, 'tag must be the plain name, "v1" and not "refs/tags/v1".'],
  ["githubActions", { repository, branch: "refs/" }, 'branch must be the plain name, and not "refs/".'],
  ["githubActions", { repository, branch: "refs/pull/1/merge" }, 'branch must be the plain name, and not "refs/pull/1/merge".'],
  ["gitlabCi", { project, branch: "refs/heads/main" }, 'branch must be the plain name, "main" and not "refs/heads/main".'],
  // Patterns, which the subject does not know.
  ["githubActions", { repository, branch: "*" }, "branch is compared exactly"],
  ["githubActions", { repository, branch: "release-?" }, "branch is compared exactly"],
  ["githubActions", { repository, environment: "prod*" }, "environment is compared exactly"],
  ["githubActions", { repository: "acme/*", branch: "main" }, "repository is compared exactly"],
  ["gitlabCi", { project: "acme/*", branch: "main" }, "project is compared exactly"],
  ["gitlabCi", { project, tag: "v*" }, "tag is compared exactly"],
  // Places.
  ...["shop", "acme/", "/shop", "acme/shop/x", "acme//shop", " acme/shop", "acme/shop\n"].map((place): Refusal => [
    "githubActions",
    { repository: place, branch: "main" },
    "repository ",
  ]),
  ...["https://github.com/acme/shop", "acme/shop.git", "acme:x/shop", "acme@1/shop", "acme/shop@2", "-a/b"].map(
    (place): Refusal => ["githubActions", { repository: place, branch: "main" }, "repository must be owner/name"],
  ),
  ...["shop", "acme/", "/acme/shop", "acme//shop", "acme/shop/-/tree/main", "acme/shop:ref_type:tag", "acme/shop.git"].map(
    (place): Refusal => ["gitlabCi", { project: place, branch: "main" }, "project must be the full path"],
  ),
  ...["http://git.example", "git.example", "https://", "https://a@git.example", "https://g/?x", "https://g/#x"].map(
    (server): Refusal => ["gitlabCi", { project, branch: "main", server }, "server "],
  ),
  // Tags.
  ["githubActions", { repository, tags: "v1" }, 'such as "v*"'],
  ["githubActions", { repository, tags: "*" }, 'such as "v*"'],
  // A changeover.
  ["githubActions", { ...withIds, formerly: "acme@1/shop@2" }, "leave it out if the subject has not changed"],
  ["githubActions", { ...withIds, formerly: "acme@1/shop@3" }, "formerly has the id of another repository"],
  ["githubActions", { ...withIds, formerly: "shop" }, "created, renamed or transferred after 15 July 2026"],
  ["githubActions", { ...withIds, formerly: null }, "formerly has no value"],
  ["githubActions", { ...onMain, workflow: "a/b/.github/workflows/c.yml" }, "workflow must be"],
  ["githubActions", { ...onMain, workflow: null }, "workflow has no value"],
  // The other helpers.
  ["gitlabCi", { project: "a/b", tag: "v1", audience: "*" }, "audience is compared exactly"],
  ["kubernetes", { ...account, namespace: "*" }, "namespace is compared exactly"],
  ["kubernetesKeys", { ...account, issuerKeys: '{"keys":[{"kty":"RSA","d":"x"}]}' }, "only public keys"],
  ["buildkite", { organization: "a:b", pipeline: "c", branch: "main" }, "organization must be a slug"],
  ["bitbucketPipelines", { workspace: "acme", workspaceUuid: one, repositoryUuid: `{${two}}` }, "repositoryUuid must be a UUID"],
  ["circleci", { organizationId: one, projectId: "shop" }, "projectId must be a UUID"],
  ["jenkins", { issuer: "https://ci.example/oidc", job: "https://ci.example/job/deploy" }, "job must be the URL of a job"],
  [
    "pulumiDeployments",
    { organization: "acme", project: "shop", stack: "prod", operation: "import" },
    "operation must be preview, update, refresh or destroy",
  ],
  [
    "hcpTerraform",
    { organization: "acme", project: "a:b", workspace: "shop", phase: "apply", audience: "a" },
    "project must be the name of a project",
  ],
  ["azureManagedIdentity", { tenantId: one, principalId: two }, "clientId has no value"],
  ["googleServiceAccount", { uniqueId: "a@b.iam.gserviceaccount.com" }, "uniqueId must be"],
  ["awsRole", { ...aws, role: "a/b" }, "role must be the name"],
  ["awsRole", { ...aws, roleId: "AIDAEXAMPLEEXAMPLE12" }, "roleId must be"],
  ["keycloak", { issuer: "https://sso.example", userId: one, audience: "a" }, "issuer must be"],
];

/** Calls with values that only a program in TypeScript has. */
export const refusalsOfPrograms: readonly Refusal[] = [
  ["githubActions", { repository, branch: "main", tag: undefined }, `${oneOfFour}, not branch and tag.`],
  ["githubActions", { repository, branch: undefined }, "branch has no value."],
  ["gitlabCi", { project, tag: undefined }, "tag has no value."],
  ["gitlabCi", { project, branch: "main", server: undefined }, "server has no value."],
  ["githubActions", { repository, branch: "main", audience: undefined }, "audience has no value."],
  ["gitlabCi", { project, branch: Promise.resolve("main") }, "branch is a promise: await it first"],
  [
    "githubActions",
    { repository: pulumi.output("acme/shop"), branch: "main" },
    "repository is an output: call this function inside its apply()",
  ],
  ["githubActions", { ...withIds, formerly: undefined }, "formerly has no value"],
  ["gitlabCi", null, "project has no value."],
  ["githubActions", "acme/shop", "the arguments must be one object"],
  ["githubActions", undefined, "repository has no value."],
];

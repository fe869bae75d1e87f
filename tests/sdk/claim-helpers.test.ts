import { RE2JS } from "re2js";
import { identity } from "../../provider/kinds/identity";
import { check } from "../../provider/resources/object/check";
import {
  awsRole,
  azureManagedIdentity,
  bitbucketPipelines,
  buildkite,
  circleci,
  githubActions,
  gitlabCi,
  googleServiceAccount,
  hcpTerraform,
  jenkins,
  keycloak,
  kubernetes,
  kubernetesKeys,
  pulumiDeployments,
} from "../../sdk";
import { useBench } from "../emulator/support";

const bench = useBench();

interface Token {
  subject: string;
  audience?: string;
  claims?: Record<string, string>;
}

const [one, two, three] = [
  "11111111-1111-4111-8111-111111111111",
  "22222222-2222-4222-8222-222222222222",
  "33333333-3333-4333-8333-333333333333",
];
const tag = (name: string): Token => ({ subject: `repo:acme/shop.js:ref:refs/tags/${name}` });
const deploy = "acme/flows/.github/workflows/deploy.yml@refs/heads/main";
const pinned = deploy.replace("refs/heads/main", "4d".repeat(20));
const ofBuildkite = (organization: string, pipeline: string, branch: string, key = "build"): Token => ({
  subject: `organization:${organization}:pipeline:${pipeline}:ref:refs/heads/${branch}:commit:abc123:step:${key}`,
});
const ari = `ari:cloud:bitbucket::workspace/${one}`;
const bitbucket = { workspace: "acme", workspaceUuid: one, repositoryUuid: two };
const aws = { account: "123456789012", role: "ci.deploy", roleId: "AROAEXAMPLEEXAMPLE12" };
const account = { issuer: "https://cluster.example", namespace: "shop", name: "deployer" };

const github = "https://token.actions.githubusercontent.com";
const onMain = (repository = "acme/shop", claims?: Record<string, string>): Token => ({
  subject: `repo:${repository}:ref:refs/heads/main`,
  ...(claims && { claims }),
});
const withIds = "acme@123456/shop.js@456789";
const workflow = (ref: string) => ({ job_workflow_ref: ref });
/** The token of a login that asks for this audience, and one that asks for the host of the platform's issuer. */
const only = (token: Token, audience = "platform"): [Token, Token] => [{ ...token, audience }, token];
const serviceAccount = (name: string, audience = "platform") => ({ subject: `system:serviceaccount:${name}`, audience });
const atlassian = "https://api.bitbucket.org/2.0/workspaces/acme/pipelines-config/identity/oidc";
const step = (...uuids: string[]): Token => ({ subject: uuids.map((uuid) => `{${uuid}}`).join(":"), audience: ari });
const ofCircle = (project: string, audience = one): Token => ({
  subject: `org/${one}/project/${project}/user/${three}`,
  audience,
});
const deployment = (stack: string, operation = "update", audience = "acme"): Token => ({
  subject: `pulumi:deploy:org:acme:project:shop:stack:${stack}:operation:${operation}:scope:write`,
  audience,
});
const terraform = {
  organization: "acme",
  project: "Default Project",
  workspace: "shop",
  phase: "apply",
  audience: "platform",
} as const;
const ofTerraform = (phase: string): Token => ({
  subject: `organization:acme:project:Default Project:workspace:shop:run_phase:${phase}`,
  audience: "platform",
});
const pulumiArgs = { organization: "acme", project: "shop", stack: "prod", operation: "update" } as const;

/** A helper's claims, its issuer, the token that it describes, and neighbours'. */
const helpers: [string, object & { issuer: string }, string, Token, ...Token[]][] = [
  [
    "GitHub tags",
    githubActions({ repository: "acme/shop.js", tags: "v*" }),
    github,
    tag("v1.2"),
    ...["w1", "v1/x", "xv1"].map(tag),
    { subject: "repo:acme/shop.js:ref:refs/heads/v1" },
    { subject: "repo:acme/shopxjs:ref:refs/tags/v1" },
    { subject: "repo:evil/repo:acme/shop.js:ref:refs/tags/v1" },
  ],
  [
    "GitHub repository with ids in its subject",
    githubActions({ repository: withIds, branch: "main" }),
    github,
    onMain(withIds),
    onMain("acme/shop.js"),
    onMain("acme@123456/shop.js@456780"),
  ],
  ...[withIds, "acme/shop.js"].map((named): (typeof helpers)[number] => [
    `GitHub during a changeover, of a token of ${named}`,
    githubActions({ repository: withIds, formerly: "acme/shop.js", branch: "main" }),
    github,
    onMain(named),
    onMain("acme/shopxjs"),
    onMain("acme/shop.js2"),
    onMain("evil/acme/shop.js"),
    onMain("acme@123456/shop.js@4567890"),
    { subject: `repo:${named}:ref:refs/heads/main2` },
    { subject: `repo:${named}:ref:refs/tags/main` },
  ]),
  [
    "GitHub tags during a changeover",
    githubActions({ repository: withIds, formerly: "acme/old", tags: "v*" }),
    github,
    { subject: "repo:acme/old:ref:refs/tags/v1" },
    { subject: "repo:acme/old:ref:refs/tags/w1" },
    { subject: "repo:acme/old" },
    { subject: "repo:acme@123456/shop.js@456789" },
  ],
  [
    "GitHub environment during a changeover",
    githubActions({ repository: withIds, formerly: "acme/old", environment: "a.b|c: d" }),
    github,
    { subject: "repo:acme/old:environment:a.b|c%3A d" },
    { subject: "repo:acme/old:environment:a.b" },
    { subject: "repo:acme/old:environment:axb|c%3A d" },
  ],
  [
    "GitHub reusable workflow that is pinned to a commit",
    githubActions({ repository: "acme/shop", branch: "main", workflow: pinned }),
    github,
    onMain("acme/shop", workflow(pinned)),
    onMain("acme/shop", workflow(deploy)),
  ],
  [
    "GitHub reusable workflow",
    githubActions({ repository: "acme/shop", branch: "main", workflow: deploy }),
    github,
    onMain("acme/shop", workflow(deploy)),
    onMain(),
    onMain("acme/shop", workflow(deploy.replace("main", "dev"))),
    onMain("acme/other", workflow(deploy)),
  ],
  [
    "GitHub for an audience",
    githubActions({ repository: "acme/shop", branch: "main", audience: "platform" }),
    github,
    ...only(onMain()),
  ],
  [
    "GitHub tags for an audience",
    githubActions({ repository: "acme/shop.js", tags: "v*", audience: "platform" }),
    github,
    ...only(tag("v1")),
  ],
  [
    "GitLab for an audience",
    gitlabCi({ project: "acme/shop", branch: "main", audience: "platform" }),
    "https://gitlab.com",
    ...only({ subject: "project_path:acme/shop:ref_type:branch:ref:main" }),
  ],
  [
    "Buildkite for an audience",
    buildkite({ organization: "acme", pipeline: "shop", branch: "main", audience: "platform" }),
    "https://agent.buildkite.com",
    ...only(ofBuildkite("acme", "shop", "main")),
  ],
  [
    "GitLab tags",
    gitlabCi({ project: "acme/shop", tags: "v*" }),
    "https://gitlab.com",
    { subject: "project_path:acme/shop:ref_type:tag:ref:v1" },
    { subject: "project_path:acme/shop:ref_type:branch:ref:v1" },
    { subject: "project_path:acme/shop/x:ref_type:tag:ref:v1" },
  ],
  [
    "Kubernetes",
    kubernetes({ ...account, audience: "platform" }),
    account.issuer,
    serviceAccount("shop:deployer"),
    serviceAccount("other:deployer"),
    serviceAccount("shop:deployer2"),
    serviceAccount("shop:deployer", account.issuer),
  ],
  [
    "Buildkite",
    buildkite({ organization: "acme", pipeline: "shop", branch: "main" }),
    "https://agent.buildkite.com",
    ofBuildkite("acme", "shop", "main"),
    ofBuildkite("evil", "shop", "main"),
    ofBuildkite("acme", "shop2", "main"),
    ofBuildkite("acme", "shop", "dev"),
    ofBuildkite("acme", "shop", "main", "x:y"),
  ],
  [
    "Bitbucket",
    bitbucketPipelines(bitbucket),
    atlassian,
    step(two, three),
    step(three, two),
    { ...step(two, three), audience: ari.replace(one, two) },
  ],
  [
    "Bitbucket environment",
    bitbucketPipelines({ ...bitbucket, environmentUuid: three }),
    atlassian,
    step(two, three, one),
    step(two, one, three),
    step(two, three),
  ],
  [
    "Bitbucket for an audience",
    bitbucketPipelines({ ...bitbucket, audience: "platform" }),
    atlassian,
    { ...step(two, three), audience: "platform" },
    step(two, three),
  ],
  [
    "CircleCI",
    circleci({ organizationId: one, projectId: two }),
    `https://oidc.circleci.com/org/${one}`,
    ofCircle(two),
    ofCircle(three),
    ofCircle(two, two),
  ],
  [
    "Azure",
    azureManagedIdentity({ tenantId: one, principalId: two, clientId: three }),
    `https://login.microsoftonline.com/${one}/v2.0`,
    { subject: two, audience: three },
    { subject: one, audience: three },
    { subject: two, audience: one },
  ],
  [
    "Google",
    googleServiceAccount({ uniqueId: "123456789012345678901" }),
    "https://accounts.google.com",
    { subject: "123456789012345678901" },
    { subject: "123456789012345678902" },
    { subject: "123456789012345678901", audience: "elsewhere" },
  ],
  [
    "Jenkins",
    jenkins({ issuer: "https://ci.example/oidc", job: "https://ci.example/job/deploy/" }),
    "https://ci.example/oidc",
    { subject: "https://ci.example/job/deploy/" },
    { subject: "https://ci.example/job/deploy2/" },
    { subject: "https://ci.example/job/deploy/job/x/" },
  ],
  [
    "Keycloak",
    keycloak({ issuer: "https://sso.example/realms/acme", userId: one, audience: "platform" }),
    "https://sso.example/realms/acme",
    { subject: one, audience: "platform" },
    { subject: two, audience: "platform" },
    { subject: one, audience: "account" },
  ],
  [
    "Pulumi Deployments",
    pulumiDeployments(pulumiArgs),
    "https://api.pulumi.com/oidc",
    deployment("prod"),
    deployment("dev"),
    deployment("prod", "preview"),
    deployment("prod", "update", "evil"),
  ],
  ["HCP Terraform", hcpTerraform(terraform), "https://app.terraform.io", ofTerraform("apply"), ofTerraform("plan")],
];

const rejections = (form: object) =>
  check({ kind: identity, olds: {}, news: { parentUid: "a", name: "b", ...form } }, { organization: undefined }).failures;

test.each(helpers)(
  "%s: its own token may assume the identity, a neighbour's may not",
  async (_name, match, issuer, own, ...neighbours) => {
    expect(match.issuer).toBe(issuer);
    expect(rejections({ claimMatch: match })).toEqual([]);
    // Tokens of the emulator's issuer stand in for those of the other.
    const claimMatch = { ...match, issuer: bench.issuer };
    const { uid } = await bench.create("identities", bench.root, { name: "assumed", claimMatch });
    const assume = async (token: Token) =>
      (await bench.exchange(await bench.oidcToken({ ...token }), { aud: bench.baseUrl, identity: uid })).status;
    expect(await assume(own)).toBe(200);
    for (const neighbour of neighbours)
      expect([neighbour, [401, 403].includes(await assume(neighbour))]).toEqual([neighbour, true]);
  },
);

test("a service account of a cluster that the platform cannot reach is proven by the cluster's keys", async () => {
  const { issuer } = bench;
  const issuerKeys = JSON.stringify(await (await fetch(`${issuer}/jwks`)).json());
  const staticKeys = kubernetesKeys({ ...account, issuerKeys });
  expect(rejections({ staticKeys })).toEqual([]);
  const { uid } = await bench.create("identities", bench.root, { name: "keys", staticKeys });
  const assume = async (subject: string) => {
    const token = await bench.oidcToken({ subject, claims: { iss: account.issuer } });
    return (await bench.exchange(token, { aud: bench.baseUrl, identity: uid })).status;
  };
  expect([await assume("system:serviceaccount:shop:deployer"), await assume("system:serviceaccount:shop:other")]).toEqual([
    200, 403,
  ]);
});

test("the sessions of an AWS role match, those of a neighbour and of a later role of that name do not", () => {
  const awsIdentity = awsRole(aws);
  expect(rejections({ awsIdentity })).toEqual([]);
  const { arnPattern, userIdPattern } = awsIdentity;
  const matches = (arn: string, userId: string) => RE2JS.matches(arnPattern, arn) && RE2JS.matches(userIdPattern, userId);
  const arn = "arn:aws:sts::123456789012:assumed-role/ci.deploy/session";
  expect(matches(arn, "AROAEXAMPLEEXAMPLE12:session")).toBe(true);
  expect(matches(arn, "AROAOTHEROTHEROTHE12:session")).toBe(false);
  expect(matches(arn.replace("ci.deploy", "cixdeploy"), "AROAEXAMPLEEXAMPLE12:session")).toBe(false);
  expect(matches(arn.replace("123456789012", "210987654321"), "AROAEXAMPLEEXAMPLE12:session")).toBe(false);
});

import fc from "fast-check";
import { levelOf } from "../../access/capabilities";
import { describeLogin } from "../../access/prose/describe-login";
import { changedLogins, compareLogins, isAnybody, letsOthersIn } from "../../access/logins";
import { type Severity, severityOf } from "../../access/severity";
import { githubActions, gitlabCi } from "../../sdk/resources/claims";
import { bitbucketPipelines, buildkite, circleci, hcpTerraform, pulumiDeployments } from "../../sdk/resources/pipeline-claims";
import {
  awsRole,
  azureManagedIdentity,
  googleServiceAccount,
  kubernetes,
  kubernetesKeys,
} from "../../sdk/resources/workload-claims";

const github = "https://token.actions.githubusercontent.com";
const shop = { issuer: github, subject: "repo:acme/shop:ref:refs/heads/main" };
const match = (claimMatch: object) => ({ claimMatch });
const like = (subjectPattern: string) => ({ issuer: github, subjectPattern });
const keys = { issuer: "https://k8s.internal", subject: "system:serviceaccount:shop:api", issuerKeys: '{"keys":[]}' };
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const aws = (arnPattern: string) => ({ awsIdentity: { awsAccount: "123456789012", arnPattern, userIdPattern: ".*" } });
const uuid = "01234567-89ab-4cde-8f01-23456789abcd";

test.each([
  ["the same login", shop, shop, "same", []],
  ["another subject", shop, { ...shop, subject: "repo:acme/shop:ref:refs/heads/next" }, "other", ["subject"]],
  ["a pattern that takes the exact subject", shop, like("^repo:acme/shop:.*$"), "broader", ["subject"]],
  ["a pattern that does not", shop, like("^repo:acme/web:.*$"), "other", ["subject"]],
  ["a pattern of one text only", shop, like("^repo:acme/shop:ref:refs/heads/main$"), "same", []],
  ["an exact subject that a pattern took", like("repo:acme/.*"), shop, "narrower", ["subject"]],
  ["anything", like("^repo:acme/.*$"), like(".*"), "unclear", ["subject"]],
  [
    "a wider pattern",
    { ...shop, subject: undefined, subjectPattern: "^repo:acme/shop:.*$" },
    like("^repo:acme/.*$"),
    "unclear",
    ["subject"],
  ],
  ["a pattern without its anchors", like("^repo:acme/s.*$"), like("repo:acme/s.*"), "broader", ["subject"]],
  ["an alternative more", like("^(one|two)$"), like("^(one|two|three)$"), "broader", ["subject"]],
  ["an alternative less", like("one|two"), like("one"), "narrower", ["subject"]],
  ["patterns that cannot be compared", like("^a{3}$"), like("^[a-c]{2}$"), "unclear", ["subject"]],
  [
    "one anchor for the other, which lets everything before it in",
    like("^repo:acme/"),
    like("repo:acme/$"),
    "unclear",
    ["subject"],
  ],
  [
    "an exact subject of which the pattern took a part only",
    like("^acme$|^evil"),
    { issuer: github, subject: "evil/shop" },
    "other",
    ["subject"],
  ],
  ["another issuer", shop, { ...shop, issuer: "https://evil.example.com" }, "other", ["issuer"]],
  ["an audience dropped: tokens for the platform are taken instead", { ...shop, audience: "x" }, shop, "other", ["audience"]],
  [
    "an audience dropped whose pattern also matched none",
    { ...shop, audiencePattern: "^(|never)$" },
    shop,
    "unclear",
    ["audience"],
  ],
  ["any audience", { ...shop, audience: "x" }, { ...shop, audiencePattern: ".*" }, "broader", ["audience"]],
  ["a claim dropped", { ...shop, claims: { workflow: "deploy" } }, shop, "broader", ["claim workflow"]],
  ["a claim added", shop, { ...shop, claims: { workflow: "deploy" } }, "narrower", ["claim workflow"]],
  ["a member of a newer platform", shop, { ...shop, moreSubjects: ["x"] }, "other", ["moreSubjects"]],
  ["one claim for another", { ...shop, claims: { a: "1" } }, { ...shop, claims: { b: "1" } }, "other", ["claim a", "claim b"]],
  [
    "a claim whose value is a pattern now",
    { ...shop, claims: { a: "1" } },
    { ...shop, claimPatterns: { a: ".*" } },
    "broader",
    ["claim a"],
  ],
])("%s is distinguished from the login before", (_, was, is, relation, members) => {
  expect(compareLogins(match(was), match(is))).toEqual({ relation, members });
});

type Login = Parameters<typeof compareLogins>[0];
const ends = (expirationTime: string) => ({ staticKeys: { ...keys, expirationTime } });
const [early, late] = [ends("2027-01-01T00:00:00Z"), ends("2027-06-01T00:00:00Z")];
const oidc = (members: object) => ({ oidc: { issuer: "https://acme.okta.com", clientId: "1", ...members } });

test.each<[string, Login, Login, string, string[]]>([
  ["other static keys", { staticKeys: keys }, { staticKeys: { ...keys, issuerKeys: '{"keys":[1]}' } }, "other", ["issuerKeys"]],
  ["static keys with a later end", early, late, "broader", ["expirationTime"]],
  ["static keys with an earlier end", late, early, "narrower", ["expirationTime"]],
  ["static keys with an end", { staticKeys: keys }, early, "same", []],
  ["another form", match(shop), { staticKeys: keys }, "other", ["claimMatch", "staticKeys"]],
  ["another AWS account", aws("^a$"), { awsIdentity: { ...aws("^a$").awsIdentity, awsAccount: "2" } }, "other", ["awsAccount"]],
  ["any AWS principal", aws("^a$"), aws(".*"), "broader", ["arn"]],
  ["another client secret of a sign-in", oidc({ clientSecret: "a" }), oidc({ clientSecret: "b", pkceEnabled: true }), "same", []],
  ["another claim of a sign-in", oidc({}), oidc({ groupsClaim: "groups" }), "other", ["groupsClaim"]],
  ["a value known only after the update", match(shop), match({ ...shop, subject: unknown }), "unclear", ["subject"]],
])("%s is distinguished from what was there before", (_, was, is, relation, members) => {
  expect(compareLogins(was, is)).toEqual({ relation, members });
});

test("of two logins, narrower one way is broader, other or unclear on the way back", () => {
  const subject = fc.constantFrom("a", "b", "^a$", "a|b", ".*", "^.*$", "a.*", "^(a|b)$", "[ab]", "^[a-c]+$", "^a", "a$");
  const login = fc.record({
    is: fc.constantFrom("subject", "subjectPattern"),
    subject,
    audience: fc.constantFrom("x", undefined),
  });
  const loginOf = ({ is, subject: text, audience }: { is: string; subject: string; audience: string | undefined }) =>
    match({ issuer: github, [is]: text, ...(audience && { audience }) });
  fc.assert(
    fc.property(login, login, (one, other) => {
      const [there, back] = [compareLogins(loginOf(one), loginOf(other)), compareLogins(loginOf(other), loginOf(one))];
      if (there.relation === "narrower") expect(["broader", "other", "unclear"]).toContain(back.relation);
      if (there.relation === "same") expect(back.relation).toBe("same");
      expect(compareLogins(loginOf(one), loginOf(one)).relation).toBe("same");
    }),
    { seed: 1601, numRuns: 500 },
  );
});

test("logins that changed are found by uid, also where the object moved", () => {
  const snapshot = (uid: string, login: object) => ({
    groups: new Map(),
    identities: new Map([[uid, { name: "ci", login: match(login) }]]),
    roles: new Map(),
    bindings: [],
    mappings: [],
    unreadable: [],
  });
  const broad = like(".*");
  expect(changedLogins(snapshot("r/ci", shop), snapshot("r/a/ci", broad), new Map([["r/a/ci", "r/ci"]]))).toMatchObject([
    { uid: "r/a/ci", relation: "broader", members: ["subject"] },
  ]);
  expect(changedLogins(snapshot("r/ci", shop), snapshot("r/ci", shop))).toEqual([]);
});

test.each([
  [match(githubActions({ repository: "acme/shop", branch: "main" })), "GitHub acme/shop, branch main"],
  [match(githubActions({ repository: "acme/shop", pullRequest: true })), "GitHub acme/shop, pull requests"],
  [match(githubActions({ repository: "acme/shop", environment: "live" })), "GitHub acme/shop, environment live"],
  [match(githubActions({ repository: "acme/shop", tags: "v*" })), "GitHub acme/shop, tag v*"],
  [match(githubActions({ repository: "acme@1/shop@2", branch: "main" })), "GitHub acme@1/shop@2, branch main"],
  [
    match(githubActions({ repository: "acme@1/shop.js@2", formerly: "acme/shop.js", branch: "main" })),
    "GitHub acme@1/shop.js@2 or acme/shop.js, branch main",
  ],
  [
    match(githubActions({ repository: "acme@1/shop@2", formerly: "acme/shop", tags: "v*" })),
    "GitHub acme@1/shop@2 or acme/shop, tag v*",
  ],
  [
    match({ issuer: github, subject: "repo:acme/a\u{1}evil:pull_request" }),
    'whoever has the subject "repo:acme/a\\u0001evil:pull_request" at GitHub',
  ],
  [
    match(like("^repo:acme/(?:shop|web):pull_request$")),
    'whoever has a subject matching "^repo:acme/(?:shop|web):pull_request$" at GitHub',
  ],
  [
    match(githubActions({ repository: "acme/shop", branch: "main", workflow: "acme/w/.github/workflows/d.yml@refs/heads/main" })),
    "GitHub acme/shop, branch main, with workflow acme/w/.github/workflows/d.yml@refs/heads/main",
  ],
  [match(gitlabCi({ project: "acme/shop", branch: "main" })), "GitLab acme/shop, branch main"],
  [
    match(gitlabCi({ project: "acme/shop", tag: "v1", server: "https://gitlab.acme.example" })),
    "GitLab acme/shop, tag v1 at https://gitlab.acme.example",
  ],
  [match(buildkite({ organization: "acme", pipeline: "shop", branch: "main" })), "Buildkite acme/shop, branch main"],
  [
    match(bitbucketPipelines({ workspace: "acme", workspaceUuid: uuid, repositoryUuid: uuid })),
    `Bitbucket repository ${uuid}, with audience ari:cloud:bitbucket::workspace/${uuid}`,
  ],
  [match(circleci({ organizationId: uuid, projectId: uuid })), `CircleCI project ${uuid}, with audience ${uuid}`],
  [
    match(pulumiDeployments({ organization: "acme", project: "shop", stack: "live", operation: "update" })),
    "Pulumi Deployments acme/shop/live, update, with audience acme",
  ],
  [
    match(hcpTerraform({ organization: "acme", project: "p", workspace: "shop", phase: "apply", audience: "a" })),
    "HCP Terraform acme/shop, apply, with audience a",
  ],
  [
    match(kubernetes({ issuer: "https://k8s.example.com", namespace: "shop", name: "api" })),
    "Kubernetes service account shop/api at https://k8s.example.com",
  ],
  [
    { staticKeys: kubernetesKeys({ issuer: "https://k8s.internal", namespace: "shop", name: "api", issuerKeys: jwks() }) },
    "Kubernetes service account shop/api at https://k8s.internal, by keys of its own",
  ],
  [
    match(azureManagedIdentity({ tenantId: uuid, principalId: uuid, clientId: uuid })),
    `Azure managed identity ${uuid}, with audience ${uuid}`,
  ],
  [match(googleServiceAccount({ uniqueId: "123456789012345" })), "Google account 123456789012345"],
  [
    { awsIdentity: awsRole({ account: "123456789012", role: "deploy", roleId: "AROA0123456789ABCDEF" }) },
    "role deploy of AWS account 123456789012",
  ],
  [
    {
      awsIdentity: {
        ...awsRole({ account: "123456789012", role: "deploy", roleId: "AROA0123456789ABCDEF" }),
        userIdPattern: "^eva$",
      },
    },
    'callers with ARN matching "^arn:aws:sts::123456789012:assumed-role/deploy/[^/]+$" and user id matching "^eva$" of AWS account 123456789012',
  ],
  [match({ issuer: "https://sso.example.com", subject: "eva" }), 'whoever has the subject "eva" at https://sso.example.com'],
  [match(like("repo:acme/.*")), 'anybody who can run a GitHub Actions workflow, with subject matching "repo:acme/.*"'],
  [match(like(".*")), 'anybody who can run a GitHub Actions workflow, with subject matching ".*"'],
  [
    match({ issuerPattern: "https://.*", subjectPattern: ".*" }),
    'anybody who has a token of an issuer matching "https://.*", with subject matching ".*"',
  ],
  [{ oidc: { issuer: "https://acme.okta.com", clientId: "1" } }, "people who sign in at https://acme.okta.com"],
  [{ oidc: { issuer: "https://accounts.google.com", clientId: "1" } }, "anybody who has a Google account"],
  [match(like("^repo:acme/(a|b)$")), 'whoever has a subject matching "^repo:acme/(a|b)$" at GitHub'],
  [
    match({ issuer: github, subject: "environment:production", claims: { actor: "dependabot[bot]" } }),
    "anybody who can run a GitHub Actions workflow, with subject environment:production and actor dependabot[bot]",
  ],
  [
    match({ issuerPattern: "^https://gitlab\\.com$", subjectPattern: ".*" }),
    'anybody who can run a GitLab pipeline, with issuer matching "^https://gitlab\\\\.com$" and subject matching ".*"',
  ],
  [
    match({ issuer: "https://sso.example.com", subjectPattern: ".*" }),
    'anybody who has a token of https://sso.example.com, with subject matching ".*"',
  ],
  [
    { staticKeys: { ...keys, expirationTime: "2027-01-01T00:00:00Z" } },
    "Kubernetes service account shop/api at https://k8s.internal, by keys of its own until 2027-01-01T00:00:00Z",
  ],
  [match({ issuer: github, subject: "repo:acme/shop:*" }), 'whoever has the subject "repo:acme/shop:*" at GitHub'],
  [match({ ...shop, network: "10.0.0.0/8" }), 'GitHub acme/shop, branch main, with network "10.0.0.0/8"'],
  [{ servicePrincipal: "SERVICE_PRINCIPAL_X" }, "the platform's service SERVICE_PRINCIPAL_X"],
  [{}, "login unknown: how it logs in is not shown"],
  [match({ ...shop, subject: unknown }), "whoever has the subject (known after the update) at GitHub"],
  [match({ ...shop, audience: "a, with audience b" }), 'GitHub acme/shop, branch main, with audience "a, with audience b"'],
  [
    match({ ...shop, claims: { "ref main": "x", actor: 'zoe" and more' } }),
    String.raw`GitHub acme/shop, branch main, with "ref main" x and actor "zoe\" and more"`,
  ],
  [match({ ...shop, claims: { workflow: "deploy" } }), "GitHub acme/shop, branch main, with claim workflow deploy"],
  [
    match({ issuer: github, subject: "repo:acme/shop:environment:live, with actor zoe" }),
    'GitHub acme/shop, environment "live, with actor zoe"',
  ],
  [
    match({ issuer: "https://a.example, with audience b", subject: "system:serviceaccount:shop:api" }),
    'Kubernetes service account shop/api at "https://a.example, with audience b"',
  ],
  [
    match({ issuer: unknown, subject: "system:serviceaccount:shop:api", claims: { sub: unknown }, claimPatterns: unknown }),
    "Kubernetes service account shop/api at (known after the update), with claims (known after the update) and sub (known after the update)",
  ],
  [
    aws("^arn:aws:sts::123456789012:assumed-role/deploy/.*|.*"),
    'anybody in AWS account 123456789012, with ARN matching "^arn:aws:sts::123456789012:assumed-role/deploy/.*|.*" and user id matching ".*"',
  ],
  [
    aws("^arn:aws:sts::123456789012:assumed-role/dep.oy/[^/]+$"),
    'anybody in AWS account 123456789012, with ARN matching "^arn:aws:sts::123456789012:assumed-role/dep.oy/[^/]+$" and user id matching ".*"',
  ],
  [
    {
      awsIdentity: { awsAccount: "123456789012", arn: "arn:aws:sts::123456789012:assumed-role/deploy/eva", userId: "AROA1:eva" },
    },
    "callers with ARN arn:aws:sts::123456789012:assumed-role/deploy/eva and user id AROA1:eva of AWS account 123456789012",
  ],
  [
    match({ issuer: "https://a.example", subject: "\u001b[31m" }),
    String.raw`whoever has the subject "\u001b[31m" at https://a.example`,
  ],
])("a login in words: %#", (login, expected) => {
  expect(describeLogin(login)).toBe(expected);
});

function jwks(): string {
  return JSON.stringify({ keys: [{ kty: "EC", crv: "P-256", x: "a".repeat(43), y: "b".repeat(43) }] });
}

test.each([
  ["a pattern that every customer meets", match(like(".*")), true],
  ["one that a claim of one customer narrows", match({ ...like(".*"), claims: { repository_owner: "acme" } }), false],
  ["an exact subject", match(shop), false],
  ["an exact subject that says no customer", match({ ...shop, subject: "environment:production" }), true],
  ["any issuer, whatever a claim says", match({ issuerPattern: ".*", subject: "s", claims: { repository_id: "1" } }), true],
  ["people of Google", oidc({ issuer: "https://accounts.google.com" }), true],
  ["people of a directory of one's own", oidc({}), false],
  ["any principal of an AWS account", aws(".*"), true],
  ["no login", undefined, false],
])("whether it is anybody: %s", (_, login, expected) => {
  expect(isAnybody(login)).toBe(expected);
});

test.each([
  [["CAP_IAM_IDENTITY_UPDATE"], "control"],
  [["CAP_IAM_ROLE_BINDINGS_CREATE", "CAP_REPO_LIST"], "grant"],
  [["CAP_EVENTS_SUBSCRIPTION_CREATE"], "write"],
  [["CAP_REPO_BLOBS_GET", "CAP_TAG_LIST"], "read"],
  [[], "none"],
  [undefined, "unknown"],
])("a role that holds %j gives %s", (capabilities, level) => {
  expect(levelOf(capabilities)).toBe(level);
});

test.each<[Partial<Parameters<typeof severityOf>[0]>, Severity]>([
  [{ isRoot: true }, "critical"],
  [{}, "high"],
  [{ reach: 10 }, "critical"],
  [{ level: "unknown" }, "high"],
  // It may be control.
  [{ level: "unknown", isRoot: true }, "critical"],
  [{ level: "unknown", reach: 10 }, "critical"],
  [{ level: "read" }, "low"],
  [{ level: "read", isAnybody: true }, "high"],
  [{ level: "write", isAnybody: true }, "critical"],
  [{ level: "none", isAnybody: true }, "high"],
  [{ isRoot: true, isCovered: true }, "info"],
  [{ effect: "loss" }, "medium"],
  [{ effect: "loss", alarms: ["lastOwner", "ownAccess"] }, "critical"],
  [{ effect: "loss", level: "control", alarms: ["lastOwner"] }, "high"],
])("control of an organisation is worth most, and anything that anybody gains is worth more: %j is %s", (more, severity) => {
  expect(severityOf({ effect: "gain", level: "control", isRoot: false, reach: 0, ...more })).toBe(severity);
});

test.each([
  ["issuer", { issuer: "https://sso.example.com" }, { issuerPattern: "^https://sso.*$" }],
  ["subject", { subject: "ci" }, { subjectPattern: "^c.*$" }],
  ["audience", { audience: "acme" }, { audiencePattern: "^a.*$" }],
  ["claim ref", { claims: { ref: "main" } }, { claimPatterns: { ref: "^m.*$" } }],
])("a pattern beside an exact %s narrows the login, and without it that is broader", (member, exact, pattern) => {
  const one = { claimMatch: { issuer: "https://sso.example.com", subject: "ci", ...exact } };
  const both = { claimMatch: { ...one.claimMatch, ...pattern } };
  const members = [`pattern of ${member}`];
  expect(compareLogins(one, both)).toEqual({ relation: "narrower", members });
  expect(compareLogins(both, one)).toEqual({ relation: "broader", members });
});

test.each([
  ["the value", { claims: { ref: "other" } }],
  ["the pattern", { claimPatterns: { ref: ".*" } }],
])("where a claim has a value and a pattern, a change of %s is none that goes unseen", (_, change) => {
  const was = { issuer: "https://sso.example.com", subject: "ci", claims: { ref: "main" }, claimPatterns: { ref: "^m.*$" } };
  const { relation, members } = compareLogins({ claimMatch: was }, { claimMatch: { ...was, ...change } });
  expect(letsOthersIn(relation)).toBe(true);
  expect(members).toHaveLength(1);
});

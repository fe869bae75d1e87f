import { lifeOf } from "../../../provider/resources/object/life";
import type { Inputs } from "../../../provider/schema/kind";
import { identity, ResourceFixture } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();

const github = "https://token.actions.githubusercontent.com";
const gitlab = { issuer: "https://gitlab.com", subject: "project_path:acme/shop:ref_type:branch:ref:main" };

/** The messages of a check of an identity with this claim match. @param before the claim match in state */
function told(claimMatch: object, before?: object): Promise<string[]> {
  return toldOf({ claimMatch }, before && { claimMatch: before });
}

/** The messages of a check of an identity with this login. @param before the login in state */
async function toldOf(login: object, before?: object): Promise<string[]> {
  const { run, told } = fixture.told();
  const inputs = (given: object): Inputs => ({ parentUid: "root", name: "ci", ...given });
  const { failures } = await lifeOf(identity).check(before === undefined ? {} : inputs(before), inputs(login), run);
  expect(failures).toEqual([]);
  return told;
}

test.each<[string, object, string, string]>([
  ["a wildcard in a subject", { subject: "project_path:x/*" }, "claimMatch.subject", "claimMatch.subjectPattern"],
  ["a wildcard in an issuer", { issuer: "https://*.example.com" }, "claimMatch.issuer", "claimMatch.issuerPattern"],
  ["a wildcard in an audience", { audience: "https://?" }, "claimMatch.audience", "claimMatch.audiencePattern"],
  ["a wildcard in a claim", { claims: { ref: "refs/heads/*" } }, "claimMatch.claims.ref", "claimMatch.claimPatterns.ref"],
  ["a regular expression", { subject: "project_path:acme/shop:ref$" }, "claimMatch.subject", "claimMatch.subjectPattern"],
  ["an escaped dot", { subject: String.raw`project_path:acme/a\.example` }, "claimMatch.subject", "claimMatch.subjectPattern"],
  ["white space at an end", { subject: "project_path:acme/shop " }, "claimMatch.subject", "white space"],
  ["another form of a known issuer", { issuer: "https://GitLab.com/" }, "claimMatch.issuer", "https://gitlab.com."],
])("a claim that no token has passes the check with a warning: %s", async (_what, wrong, path, hint) => {
  const [message = "", ...others] = await told({ ...gitlab, ...wrong });
  expect(message).toMatch(/^warning: identity "ci" under root: /);
  expect(message).toContain(`${path} `);
  expect(message).toContain(hint);
  expect(others).toEqual([]);
});

test.each<[string, object, string]>([
  ["a wildcard in an issuer", { issuer: "https://*.example.com" }, "staticKeys.issuer is compared"],
  ["a wildcard in a subject", { subject: "project_path:x/*" }, "staticKeys.subject is compared"],
  ["a wildcard in an audience", { audiences: ["https://*"] }, "staticKeys.audiences is compared"],
])("nor has any token such a claim with static keys, which take no pattern: %s", async (_what, wrong, path) => {
  const keys = { keys: [{ kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", kid: "1" }] };
  const [message = "", ...others] = await toldOf({ staticKeys: { ...gitlab, issuerKeys: JSON.stringify(keys), ...wrong } });
  expect(message).toContain(`${path} exactly, and its \`*\` stands for itself`);
  expect(message).toMatch(/Write it as tokens have it\.$/);
  expect(others).toEqual([]);
});

test.each<[string, object]>([
  ["exact claims", gitlab],
  ["patterns", { issuer: gitlab.issuer, subjectPattern: "^project_path:acme/.*$", claimPatterns: { ref: "^v.*$" } }],
  ["a user of a Windows domain", { issuer: "https://sso.acme.example", subject: String.raw`ACME\dave` }],
  ["an issuer of one's own with a slash", { ...gitlab, issuer: "https://acme.auth0.com/" }],
])("nothing is told of %s", async (_what, claimMatch) => {
  expect(await told(claimMatch)).toEqual([]);
});

test("a claim that the state has is not told again, and no text is quoted: it may be a secret", async () => {
  const wrong = { ...gitlab, subject: "project_path:s3cr3t/*" };
  expect(await told(wrong, wrong)).toEqual([]);
  expect((await told(wrong)).join()).not.toContain("s3cr3t");
});

test("two spellings of one owner on GitHub cannot both be right: the second is told of, once, and without the text", async () => {
  const { run, told } = fixture.told();
  const declare = async (name: string, subject: string, before?: string) => {
    const login = (each: string): Inputs => ({ parentUid: "root", name, claimMatch: { issuer: github, subject: each } });
    await lifeOf(identity).check(before === undefined ? {} : login(before), login(subject), run);
  };
  await declare("one", "repo:Acme/shop:pull_request");
  await declare("two", "repo:Acme@1/web@2:pull_request");
  await declare("other", "repo:globex/shop:pull_request");
  expect(told).toEqual([]);
  await declare("three", "repo:acme@1/shop@3:pull_request");
  expect(told).toEqual([expect.stringContaining('identity "three" under root: claimMatch.subject is compared exactly')]);
  expect(told[0]).toContain('identity "one" under root has the same owner in another letter case');
  expect(told[0]).not.toMatch(/acme/i);
  await declare("four", "repo:acme/x:pull_request", "repo:acme/x:pull_request");
  expect(told).toHaveLength(1);
});

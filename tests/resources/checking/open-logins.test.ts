import { lifeOf } from "../../../provider/resources/object/life";
import { identityProvider } from "../../../provider/kinds/identity-provider";
import type { Inputs } from "../../../provider/schema/kind";
import { identity, ResourceFixture } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();
const github = "https://token.actions.githubusercontent.com";
const open = { claimMatch: { issuer: github, subject: "environment:s3cr3t" } };

async function toldOf(kind: typeof identity, olds: Inputs, news: Inputs): Promise<{ told: string[]; failures: string[] }> {
  const { run, told } = fixture.told();
  const base = { parentUid: "0".repeat(40), name: "ci" };
  const before = Object.keys(olds).length === 0 ? {} : { ...base, ...olds };
  const { failures } = await lifeOf(kind).check(before, { ...base, ...news }, run);
  return { told, failures: failures.map(({ reason }) => reason) };
}

test("a new login that lets in anybody is an error, one that the state has is a warning, and consent ends both", async () => {
  const words = expect.stringMatching(
    /claimMatch\.subject lets in anybody who can run a GitHub Actions workflow\. Its beginning is not limited to [^.]*\.\n- Begin it with repo:NAME\//,
  ) as string;
  const consent = { ...open, allowAnySubject: true };
  expect(await toldOf(identity, {}, open)).toEqual({ told: [], failures: [words] });
  expect(await toldOf(identity, open, { ...open, description: "new" })).toEqual({ told: [words], failures: [] });
  expect(await toldOf(identity, {}, consent)).toEqual({ told: [], failures: [] });
  expect(await toldOf(identity, open, consent)).toEqual({ told: [], failures: [] });
});

test("no text of the login is quoted: a program may hold it as a secret", async () => {
  const { told, failures } = await toldOf(identity, open, open);
  expect([...told, ...failures].join()).not.toContain("s3cr3t");
});

test.each([
  ["https://accounts.google.com", "anybody who has a Google account"],
  ["https://login.microsoftonline.com/common/v2.0", "anybody who has a Microsoft account"],
  ["https://acme.okta.com", undefined],
])("an identity provider at %s is told of %s, and accepted", async (issuer, who) => {
  const provider = { defaultRole: "f".repeat(40), oidc: { issuer, clientId: "c", pkceEnabled: true } };
  const { told, failures } = await toldOf(identityProvider as unknown as typeof identity, {}, provider);
  expect(failures).toEqual([]);
  expect(told).toEqual(who === undefined ? [] : [expect.stringContaining(`oidc.issuer lets in ${who}. `)]);
});

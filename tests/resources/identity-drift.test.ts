import { identity } from "../../provider/kinds/identity";
import type { Inputs } from "../../provider/schema/kind";
import { get, refresh } from "../../provider/resources/object/read";
import { ResourceFixture } from "../support/resource-fixture";

const fixture = ResourceFixture.forFile();

const issuer = "https://issuer.example";
const issuerKeys = JSON.stringify({ keys: [{ kty: "RSA", kid: "1", n: "AQAB", e: "AQAB" }] });
const forms: Record<string, Inputs> = {
  exact: { claimMatch: { issuer, subject: "s", audience: "a", claims: { ref: "main" }, claimPatterns: { run: "^\\d+$" } } },
  patterns: { claimMatch: { issuerPattern: "^https://a\\.example$", subjectPattern: "^s$", audiencePattern: "^a$" } },
  keys: { staticKeys: { issuer, subject: "s", issuerKeys, audiences: ["a"] } },
  aws: { awsIdentity: { awsAccount: "123456789012", arn: "arn:aws:iam::123456789012:role/r", userIdPattern: "^AROA:.+$" } },
  service: { servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" },
};

const made = (form: Inputs = {}) => fixture.made(identity, { claimMatch: undefined, company: "acme", ...form });

/** The object as the platform holds it, without what changes with every write. */
async function held(uid: string) {
  const { updateTime: _, lastSeenTime: __, ...object } = { ...(await fixture.stored(identity, uid)) } as Inputs;
  return object;
}

test.each(Object.entries(forms))("%s: is created, read without a difference, and read by `get`", async (_name, form) => {
  const one = await made(form);
  expect((await refresh(identity, one.uid, {}, fixture.run()))?.props).toEqual(JSON.parse(JSON.stringify(one.outs)));
  expect(one.diff()).toMatchObject({ changes: false });
  expect((await get(identity, one.uid, fixture.run())).inputs).toMatchObject(form);
});

const tampered: [string, string, Inputs][] = [
  ["exact", "company", { company: "other" }],
  ["exact", "issuer", { claimMatch: { issuer: "https://other.example" } }],
  ["exact", "issuerPattern", { claimMatch: { issuerPattern: ".*" } }],
  ["exact", "subject", { claimMatch: { subject: "t" } }],
  ["exact", "subjectPattern", { claimMatch: { subjectPattern: ".*" } }],
  ["exact", "audience", { claimMatch: { audience: null } }],
  ["exact", "audiencePattern", { claimMatch: { audiencePattern: ".*" } }],
  ["exact", "a claim that is gone", { claimMatch: { claims: null } }],
  ["exact", "a claim pattern that is wider", { claimMatch: { claimPatterns: { run: ".*" } } }],
  ["patterns", "issuerPattern", { claimMatch: { issuerPattern: ".*" } }],
  ["patterns", "subjectPattern", { claimMatch: { subjectPattern: ".*" } }],
  ["patterns", "audiencePattern", { claimMatch: { audiencePattern: null } }],
  ["keys", "issuer", { staticKeys: { issuer: "https://other.example" } }],
  ["keys", "subject", { staticKeys: { subject: "t" } }],
  ["keys", "issuerKeys", { staticKeys: { issuerKeys: issuerKeys.replace('"1"', '"2"') } }],
  ["keys", "audiences", { staticKeys: { audiences: ["b"] } }],
  ["aws", "awsAccount", { awsIdentity: { awsAccount: "210987654321" } }],
  ["aws", "arn", { awsIdentity: { arn: "other" } }],
  ["aws", "arnPattern", { awsIdentity: { arnPattern: ".*" } }],
  ["aws", "userId", { awsIdentity: { userId: "AROA:x" } }],
  ["aws", "userIdPattern", { awsIdentity: { userIdPattern: ".*" } }],
];

test.each(tampered)("%s: another %s on the platform is found and wholly repaired in place", async (name, _field, patch) => {
  const one = await made(forms[name]);
  const before = await held(one.uid);
  await one.byHand(patch);
  const seen = await one.refreshed();
  expect(seen.diff()).toMatchObject({ changes: true, replaces: [] });
  await seen.update();
  expect(await held(one.uid)).toEqual(before);
});

test.each(Object.entries(forms).slice(1))(
  "a form that becomes %s by hand is found, and repaired by a new identity",
  async (_name, form) => {
    const one = await made(forms["exact"]);
    const cleared = "claimMatch" in form ? { claimMatch: { audience: null, claims: null, claimPatterns: null } } : {};
    await one.byHand(cleared);
    await one.byHand(form);
    expect((await one.refresh())?.inputs).toMatchObject(form);
    const result = (await one.refreshed()).diff();
    expect(result).toMatchObject({ changes: true, deleteBeforeReplace: !("claimMatch" in form) });
  },
);

describe("a member of claimMatch that is newer than the package", () => {
  const match = { issuer, subject: "s" };

  async function seenWith(member: Record<string, unknown>) {
    const one = await made({ claimMatch: match });
    const rewrite = { claimMatch: { ...match, ...member } };
    await fixture.platform.fault({ method: "GET", path: `${one.uid}$` }, { rewrite }, { times: 0 });
    return (await one.refreshed()).diff();
  }

  test.each([false, 0, "0", "", null, [], {}, "TOKEN_TYPE_UNSPECIFIED", { depth: 0, kinds: [], of: { any: false } }])(
    "is no drift while it has its default, which platforms write too: %j",
    async (value) => {
      expect(await seenWith({ newer: value })).toMatchObject({ changes: false });
    },
  );

  test.each([true, 1, "1", "x", ["x"], { any: true }, "TOKEN_TYPE_ANY"])("is drift once it is set: %j", async (value) => {
    expect(await seenWith({ newer: value })).toMatchObject({ changes: true });
  });
});

import { redact } from "../../provider/client/redact";
import { unknownValue } from "../../provider/schema/inputs";
import type { Inputs } from "../../provider/schema/kind";
import { changeOf } from "../support/change";
import { check } from "../../provider/resources/object/check";
import { diff } from "../../provider/resources/object/diff";
import { get, refresh } from "../../provider/resources/object/read";
import { update } from "../../provider/resources/object/update";
import { declare, expectFailure, failureOf, identityProvider, ResourceFixture } from "../support/resource-fixture";

const fixture = ResourceFixture.forFile();
afterEach(() => fixture.platform.settings({ identityProvidersList: "rows" }));

const required = { issuer: "https://login.example", clientId: "platform" };
const oidc = { ...required, clientSecret: "first-client-secret" };
const parentUid = "0123456789abcdef0123456789abcdef01234567";
const checked = (given: object) =>
  check(
    { kind: identityProvider, olds: {}, news: { parentUid, name: "staff", defaultRole: "a1", oidc: { ...oidc, ...given } } },
    fixture.run(),
  );
const reasons = (given: object) => checked(given).failures.map(({ reason }) => reason);

async function inputs(given: object = {}): Promise<Inputs & { parentUid: string }> {
  const named = { parentUid: await fixture.parent(), name: fixture.name() };
  return { ...named, defaultRole: fixture.viewer, oidc: { ...oidc, ...given } };
}

/** An identity provider. */
const made = () => fixture.made(identityProvider, { oidc });

async function secretOnPlatform(uid: string): Promise<unknown> {
  return ((await fixture.stored(identityProvider, uid))?.["oidc"] as Inputs | undefined)?.["clientSecret"];
}

const patches = async () =>
  (await fixture.platform.writes()).map(({ method, query, body }) => ({
    method,
    query: decodeURIComponent(query),
    body: body,
  }));

describe("the client secret", () => {
  test("is sent by the create, kept in state, redacted in messages, and no drift", async () => {
    const staff = await made();
    expect(await secretOnPlatform(staff.uid)).toBe(oidc.clientSecret);
    expect(staff.outs["oidc"]).toEqual(oidc);
    const seen = await staff.refreshed();
    expect(seen.outs).toEqual(staff.outs);
    expect(seen.diff().changes).toBe(false);
    expect(redact(`it was ${oidc.clientSecret}`)).not.toContain(oidc.clientSecret);
  });

  test("is not sent with a change of something else", async () => {
    const staff = await made();
    await staff.update({ oidc: { ...oidc, issuer: "https://other.example", additionalScopes: ["groups"] } });
    expect(await patches()).toEqual([
      {
        method: "PATCH",
        query: "updateMask=oidc.issuer,oidc.additional_scopes",
        body: { oidc: { issuer: "https://other.example", clientId: oidc.clientId, additionalScopes: ["groups"] } },
      },
    ]);
    expect(await secretOnPlatform(staff.uid)).toBe(oidc.clientSecret);
  });

  test.each([
    ["a new value", { clientSecret: "second-client-secret" }, "second-client-secret"],
    ["a new version of the same value", { clientSecretVersion: "2" }, oidc.clientSecret],
    ["a new value and version", { clientSecret: "third-client-secret", clientSecretVersion: "2" }, "third-client-secret"],
  ])("is rotated by %s, alone, and once", async (_what, given, clientSecret) => {
    const staff = await made();
    await staff.byHand({ oidc: { clientSecret: "by hand" } });
    const rotated = { oidc: { ...oidc, ...given } };
    expect(staff.diff(rotated)).toMatchObject({ changes: true, replaces: [] });
    const after = await staff.updated(rotated);
    expect(await patches()).toEqual([
      { method: "PATCH", query: "updateMask=oidc.client_secret", body: { oidc: { ...required, clientSecret } } },
    ]);
    expect(after.outs["oidc"]).toEqual(rotated.oidc);
    for (const each of [after, await after.refreshed()]) expect(each.diff().changes).toBe(false);
  });

  test("is not sent when its version is dropped, or is never sent blank by a new one", () => {
    const base = { parentUid, name: "staff", defaultRole: "a1" };
    const change = (olds: object, news: object) => changeOf(identityProvider, { ...base, oidc: olds }, { ...base, oidc: news });
    const { clientSecret: _, ...open } = { ...oidc, pkceEnabled: true };
    expect(change({ ...open, clientSecretVersion: "1" }, open)).toEqual({ body: {}, mask: [] });
    expect(change(open, { ...open, clientSecretVersion: "1" })).toEqual({ body: {}, mask: [] });
  });

  test.each([
    ["missing", { clientSecret: undefined }],
    ["null", { clientSecret: null }],
    ["empty", { clientSecret: "", pkceEnabled: false }],
  ])("that is %s is rejected before anything is sent, with what to do", (_what, given) => {
    expect(reasons(given).join("\n")).toMatch(/oidc\.clientSecret (is required unless|must not be empty)/);
  });

  test.each([
    ["with PKCE", { clientSecret: undefined, pkceEnabled: true }],
    ["while it is unknown", { clientSecret: unknownValue }],
    ["while PKCE is unknown", { clientSecret: undefined, pkceEnabled: unknownValue }],
  ])("is not required %s", (_what, given) => {
    expect(reasons(given)).toEqual([]);
  });

  test("is required with its version", () => {
    expect(reasons({ clientSecret: undefined, pkceEnabled: true, clientSecretVersion: "1" })).toEqual([
      "oidc.clientSecret is required with oidc.clientSecretVersion, whose change sends it again",
    ]);
  });

  test("is cleared when the provider changes to PKCE and the program drops it", async () => {
    const staff = await made();
    const { clientSecret: _, ...open } = { ...oidc, pkceEnabled: true };
    const after = await staff.update({ oidc: open });
    expect(await secretOnPlatform(staff.uid)).toBeFalsy();
    expect(after["oidc"]).toEqual(open);
  });
});

describe("a client secret that is not in state", () => {
  test("after adopt is what the program declares: nothing is sent, nothing differs later, and the user is told", async () => {
    const news = await inputs();
    const { uid } = await fixture.colleague(identityProvider, news, { oidc: { ...oidc, clientSecret: "another" } });
    await fixture.platform.clearRequests();
    const notify = jest.fn();
    const { outs } = await declare(identityProvider, news, fixture.run({ adopt: true, notify }));
    expect(outs["oidc"]).toEqual(oidc);
    expect(await fixture.platform.writes()).toEqual([]);
    expect(notify).toHaveBeenCalledWith(expect.stringContaining("oidc.clientSecret cannot be read"));
    expect(JSON.stringify(notify.mock.calls)).not.toContain(oidc.clientSecret);
    const seen = await refresh(identityProvider, uid, outs, fixture.run());
    expect(diff({ kind: identityProvider, uid, olds: seen?.props ?? {}, news }, fixture.run()).changes).toBe(false);
    // A new version sends it, for whoever is not sure.
    const versioned = { ...news, oidc: { ...oidc, clientSecretVersion: "1" } };
    await update({ kind: identityProvider, uid, olds: outs, news: versioned }, fixture.run());
    expect(await secretOnPlatform(uid)).toBe(oidc.clientSecret);
  });

  test("after get or import stays out of it, and the first update sends what the program declares, once", async () => {
    const news = await inputs();
    const { uid } = await fixture.colleague(identityProvider, news);
    const { props } = await get(identityProvider, uid, fixture.run());
    expect(props["oidc"]).toEqual({ issuer: oidc.issuer, clientId: oidc.clientId });
    await fixture.platform.clearRequests();
    const outs = await update({ kind: identityProvider, uid, olds: props, news }, fixture.run());
    expect((await patches()).map(({ query }) => query)).toEqual(["updateMask=oidc.client_secret"]);
    expect(diff({ kind: identityProvider, uid, olds: outs, news }, fixture.run()).changes).toBe(false);
  });
});

test("the rule that correlates people with SCIM is immutable: another one replaces the provider, deleted first; the default is none", () => {
  const base = { parentUid, name: "staff", defaultRole: "a1" };
  const of = (correlationRule?: string) => ({ ...base, oidc: { ...oidc, correlationRule } });
  const outcome = (before?: string, after?: string) =>
    diff({ kind: identityProvider, uid: `${parentUid}/1`, olds: of(before), news: of(after) }, fixture.run());
  const [byOid, bySub] = ["CORRELATION_RULE_OID_EQUALS_EXTERNAL_ID", "CORRELATION_RULE_SUB_EQUALS_EXTERNAL_ID"];
  expect(outcome(bySub, byOid)).toEqual({ changes: true, replaces: ["oidc"], deleteBeforeReplace: true });
  for (const same of [bySub, "CORRELATION_RULE_UNSPECIFIED", undefined]) {
    expect(outcome(same, bySub).changes).toBe(false);
    expect(outcome(same).changes).toBe(false);
  }
});

test("a rule that the platform drops silently fails the create", async () => {
  const news = await inputs({ correlationRule: "CORRELATION_RULE_OF_TOMORROW" });
  const error = await expectFailure(declare(identityProvider, news, fixture.run()), "WRONG_OBJECT", "oidc is not what was sent");
  expect(error.message).not.toContain(oidc.clientSecret);
});

test("scopes are a set", () => {
  expect((checked({ additionalScopes: ["b", "a", "b"] }).inputs["oidc"] as Inputs)["additionalScopes"]).toEqual(["a", "b"]);
});

test.each([
  ["an issuer without https", { issuer: "http://login.example" }, "oidc.issuer must be an https URL"],
  ["no client", { clientId: undefined }, "oidc.clientId is required"],
  ["a misspelt member", { clientID: "x" }, 'did you mean "clientId"?'],
])("%s is rejected", (_what, given, reason) => {
  expect(reasons(given).join("\n")).toContain(reason);
});

test("SCIM is shown, and no change of it is a difference", async () => {
  const staff = await made();
  expect(staff.outs["scim"]).toEqual({ enabled: false, endpointUrl: expect.stringContaining(staff.uid) as string });
  await staff.byHand({ scim: { enabled: true } });
  const seen = await staff.refreshed();
  expect(seen.outs["scim"]).toMatchObject({ enabled: true });
  expect(seen.diff().changes).toBe(false);
});

describe.each(["error", "emptyObject"])("where its List is broken (%s)", (identityProvidersList) => {
  beforeEach(() => fixture.platform.settings({ identityProvidersList }));

  test("it is created, read, updated and deleted without it", async () => {
    const staff = await made();
    expect((await staff.refreshed()).outs).toEqual(staff.outs);
    await staff.update({ description: "new" });
    await staff.remove();
    expect(await staff.exists()).toBe(false);
  });

  test("a lost answer is an error that says so: no look-up can find the object", async () => {
    const news = await inputs();
    await fixture.platform.fault({ method: "POST" }, { reset: "after" });
    const error = await expectFailure(
      declare(identityProvider, news, fixture.run({ timing: { attemptMs: 1_000 } })),
      "OUTCOME_UNKNOWN",
    );
    expect(error.message).not.toContain(oidc.clientSecret);
    expect(await fixture.children(identityProvider, news.parentUid)).toHaveLength(1);
  });

  test("one that was deleted is gone only for a caller whose role shows that it would see it", async () => {
    const staff = await made();
    await staff.deletedByHand();
    await expectFailure(staff.refresh(), "NOT_GONE");
    expect(await staff.refresh(fixture.run({ caller: { uid: fixture.platform.identity } }))).toBeUndefined();
  });
});

test("a caller that may read groups but no identity providers drops none", async () => {
  const staff = await made();
  const identity = await fixture.identity();
  const capabilities = ["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLES_LIST", "CAP_IAM_ROLE_BINDINGS_LIST"];
  await fixture.grant(identity, fixture.platform.root, ...capabilities);
  const error = await failureOf(staff.refresh(fixture.run(await fixture.as(identity))));
  expect(["NOT_GONE", "PERMISSION_DENIED"]).toContain(error["code"]);
});

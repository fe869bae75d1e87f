import { refusal, useBench } from "./support";

const bench = useBench();
let provider: string;
beforeEach(async () => {
  const oidc = { issuer: "https://login.example", clientId: "c", pkceEnabled: true };
  const body = { name: bench.name("provider"), defaultRole: await bench.role("viewer"), oidc };
  provider = await bench.make("identityProviders", bench.root, body);
});

const day = 24 * 3600;
const path = () => `/iam/v2/identityProviders/${provider}`;
const scim = async () =>
  (await bench.ok("GET", path(), undefined, await bench.tokenOf(bench.identity)))["scim"] as Record<string, unknown>;
const send = (verb: string, body: object = {}) => bench.api("POST", `${path()}:${verb}`, body);
const generate = (body: object = {}) => send("generateScimToken", body);
const regenerate = async (body: object = {}) => send("regenerateScimToken", { etag: (await scim())["etag"], ...body });
const secondsBetween = (one: unknown, other: unknown) => (Date.parse(String(other)) - Date.parse(String(one))) / 1000;

test("a token is shown once, lives a year by default, and is generated once", async () => {
  const before = await scim();
  expect(before).toMatchObject({ enabled: false, credentialState: "CREDENTIAL_STATE_NOT_ISSUED", tokenExpireTime: null });
  const { body, headers } = await generate();
  expect(body).toMatchObject({ identityProviderUid: provider, endpointUrl: before["endpointUrl"] });
  expect(body["token"]).toMatch(/^\w+_[0-9a-f]{64}$/);
  expect(Math.round(secondsBetween(headers.get("date"), body["expireTime"]) / day)).toBe(365);
  const after = await scim();
  expect(after).toMatchObject({
    credentialState: "CREDENTIAL_STATE_LIVE",
    etag: body["etag"],
    tokenExpireTime: body["expireTime"],
  });
  expect(after["etag"]).not.toBe(before["etag"]);
  expect(JSON.stringify(await bench.ok("GET", path()))).not.toContain(body["token"]);
  expect(await generate()).toMatchObject({
    status: 400,
    body: { code: 9, details: [{}, { violations: [{ subject: provider }] }] },
  });
});

test.each([
  ["both an expiry and none", () => ({ neverExpires: true, expireTime: new Date(Date.now() + day * 1000).toISOString() })],
  ["an expiry in the past", () => ({ expireTime: "2020-01-01T00:00:00Z" })],
  ["an expiry in three years", () => ({ expireTime: new Date(Date.now() + 3 * 365 * day * 1000).toISOString() })],
])("%s is rejected", async (_what, body) => {
  expect(await generate(body())).toMatchObject(refusal.invalid);
});

test("a token without an expiry", async () => {
  expect(await generate({ neverExpires: true })).toMatchObject({ status: 200, body: { expireTime: null } });
  expect(await scim()).toMatchObject({ credentialState: "CREDENTIAL_STATE_LIVE", tokenExpireTime: null });
});

test("a regenerated token overlaps with the former one, an hour by default", async () => {
  expect(await regenerate()).toMatchObject(refusal.notFound);
  await generate();
  const { body, headers } = await regenerate();
  expect(body).toMatchObject({ requestedOverlap: "3600s" });
  expect(Math.round(secondsBetween(headers.get("date"), body["previousTokenExpireTime"]) / 60)).toBe(60);
  expect(await scim()).toMatchObject({
    credentialState: "CREDENTIAL_STATE_ROTATING",
    previousTokenExpireTime: body["previousTokenExpireTime"],
  });
  await bench.settings({ clockOffsetSeconds: 2 * 3600 });
  expect(await scim()).toMatchObject({ credentialState: "CREDENTIAL_STATE_LIVE", previousTokenExpireTime: null });
});

test("without an overlap the former token ends at once", async () => {
  await generate();
  expect((await regenerate({ overlap: "0s" })).body).toMatchObject({ requestedOverlap: "0s", previousTokenExpireTime: null });
  expect(await scim()).toMatchObject({ credentialState: "CREDENTIAL_STATE_LIVE" });
});

test.each([["86401s"], ["-1s"], ["1h"]])("an overlap of %s is rejected", async (overlap) => {
  await generate();
  expect(await regenerate({ overlap })).toMatchObject(refusal.invalid);
});

test("a token that has expired can be regenerated, not generated", async () => {
  await generate({ expireTime: new Date(Date.now() + day * 1000).toISOString() });
  await bench.settings({ apiTokenLifetimeSeconds: 10 * day, clockOffsetSeconds: 2 * day });
  const token = await bench.tokenOf(bench.identity);
  expect(await scim()).toMatchObject({ credentialState: "CREDENTIAL_STATE_EXPIRED" });
  const again = (verb: string, body: object) => bench.api("POST", `${path()}:${verb}`, body, token);
  expect(await again("generateScimToken", {})).toMatchObject({ body: { code: 9 } });
  const { body } = await again("regenerateScimToken", { etag: (await scim())["etag"] });
  expect(body).toMatchObject({ previousTokenExpireTime: null });
});

test("a revoked token leaves the switch, and makes room for another", async () => {
  await generate();
  expect(await send("revokeScimToken")).toMatchObject({ status: 200, body: { identityProviderUid: provider, enabled: false } });
  expect(await scim()).toMatchObject({ credentialState: "CREDENTIAL_STATE_REVOKED", tokenExpireTime: null });
  expect(await generate()).toMatchObject({ status: 200 });
});

describe("an etag", () => {
  test.each(["regenerateScimToken", "setScimEnabled"])("is required by %s, and must be the last one", async (verb) => {
    const { etag } = (await generate()).body;
    expect(await send(verb)).toMatchObject(refusal.invalid);
    await send("setScimEnabled", { enabled: false, etag });
    expect(await send(verb, { etag })).toMatchObject({ status: 409, body: { code: 10 } });
  });
});

test("SCIM is enabled where two identities are bound as owners", async () => {
  const enable = async (enabled: boolean) => send("setScimEnabled", { enabled, etag: (await scim())["etag"] });
  expect(await enable(true)).toMatchObject(refusal.blocked);
  const binding = await bench.bind(bench.root, await bench.someone(bench.name("second owner")), await bench.role("owner"));
  expect(await enable(true)).toMatchObject({ status: 200, body: { enabled: true } });
  expect(await scim()).toMatchObject({ enabled: true });
  await bench.ok("DELETE", `/iam/v2/roleBindings/${binding}`);
  expect(await enable(false)).toMatchObject({ status: 200, body: { enabled: false } });
});

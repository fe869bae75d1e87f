import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type KeyLike, type JWTPayload } from "jose";
import { refusal, useBench } from "./support";
import { type HttpDouble, startServer } from "../support/http-double";

const bench = useBench();

async function identityWith(relationship: Record<string, unknown>): Promise<string> {
  const created = await bench.adminReply("POST", "objects/identities", { parent: bench.root, name: "assumed", ...relationship });
  expect(created.status).toBe(200);
  return String(created.body["uid"]);
}

function exchange(token: string, identity: string) {
  return bench.exchange(token, { aud: bench.baseUrl, identity });
}

describe("a fitting token", () => {
  test("is exchanged for an API token that works for an hour", async () => {
    const reply = await exchange(await bench.oidcTokenInFile(), bench.identity);
    expect(reply).toMatchObject({ status: 200, body: { refreshToken: "", token: expect.any(String) as unknown } });
    const life = Date.parse(String(reply.body["expiry"])) - Date.parse(reply.headers.get("date") ?? "");
    expect(Math.abs(life - 3_600_000)).toBeLessThanOrEqual(60_000);
    expect(await bench.api("GET", "/iam/v2beta1/groups", undefined, String(reply.body["token"]))).toMatchObject({ status: 200 });
  });

  test("may come with parameters in a form", async () => {
    const body = new URLSearchParams({ aud: bench.baseUrl, identity: bench.identity });
    const headers = { authorization: `Bearer ${await bench.oidcTokenInFile()}` };
    const reply = await fetch(`${bench.emulator.authUrl}/sts/exchange`, { method: "POST", headers, body });
    expect(reply.status).toBe(200);
  });

  test("moves lastSeenTime of the identity and nothing else", async () => {
    const path = `/iam/v2beta1/identities/${bench.identity}`;
    const before = await bench.ok("GET", path);
    await bench.settings({ clockOffsetSeconds: 60 });
    await exchange(await bench.oidcTokenInFile(), bench.identity);
    await bench.settings({ clockOffsetSeconds: 0 });
    const after = await bench.ok("GET", path);
    expect(Date.parse(String(after["lastSeenTime"]))).toBeGreaterThan(Date.parse(String(before["lastSeenTime"])));
    expect(after).toEqual({ ...before, lastSeenTime: after["lastSeenTime"] });
  });

  test("finds its identity when none is named", async () => {
    const reply = await bench.exchange(await bench.oidcTokenInFile(), { aud: bench.baseUrl });
    expect(reply.status).toBe(200);
  });

  test("for another audience is not a token for the API", async () => {
    const reply = await bench.exchange(await bench.oidcTokenInFile(), {
      aud: "registry.example",
      identity: bench.identity,
    });
    expect(reply.status).toBe(200);
    expect(await bench.api("GET", "/iam/v2beta1/groups", undefined, String(reply.body["token"]))).toMatchObject(
      refusal.unauthenticated,
    );
  });
});

describe("claim matches", () => {
  const subject = "repo:acme/app:main";
  const match = (rest: Record<string, unknown>) => ({ claimMatch: { issuer: bench.issuer, ...rest } });

  test.each([
    ["an exact subject", { subject }, {}, 200],
    ["another subject", { subject: "other" }, {}, 403],
    ["a pattern with a flag that only RE2 has", { subjectPattern: "(?i)REPO:acme/.*" }, {}, 200],
    ["a subject pattern", { subjectPattern: "repo:acme/.*" }, {}, 200],
    ["a pattern that fits a part only", { subjectPattern: "repo:acme" }, {}, 403],
    ["an alternative that fits a part only", { subjectPattern: "x|repo:acme/app:main" }, {}, 200],
    ["exact claims", { subject, claims: { ref: "main" } }, { claims: { ref: "main" } }, 200],
    ["another claim value", { subject, claims: { ref: "main" } }, { claims: { ref: "dev" } }, 403],
    ["a missing claim", { subject, claims: { ref: "main" } }, {}, 403],
    ["a claim pattern", { subject, claimPatterns: { ref: "ma.n" } }, { claims: { ref: "main" } }, 200],
    ["a claim pattern that does not fit", { subject, claimPatterns: { ref: "ma" } }, { claims: { ref: "main" } }, 403],
    ["a claim that is not a string", { subject, claims: { run: "5" } }, { claims: { run: 5 } }, 200],
    ["an audience of its own", { subject, audience: "mine" }, { audience: ["x", "mine"] }, 200],
    ["the audience of the service instead of its own", { subject, audience: "mine" }, {}, 401],
    ["an audience pattern", { subject, audiencePattern: "m.ne" }, { audience: "mine" }, 200],
    ["an audience that is not expected", { subject }, { audience: "elsewhere" }, 401],
  ])("%s", async (_what, rest, token, status) => {
    const identity = await identityWith(match(rest));
    const reply = await exchange(await bench.oidcToken({ subject, ...token }), identity);
    expect(reply).toMatchObject({ status, body: status === 200 ? {} : { code: status === 401 ? 16 : 7 } });
  });

  test("the audience that is expected by default is the host of the service, not its address", async () => {
    const identity = await identityWith(match({ subject }));
    const token = await bench.oidcToken({ subject, audience: bench.emulator.authUrl });
    expect(await exchange(token, identity)).toMatchObject(refusal.unauthenticated);
  });

  test("an issuer pattern fits the whole issuer", async () => {
    const token = await bench.oidcToken({ subject });
    const fits = await identityWith({ claimMatch: { issuerPattern: "http://127\\.0\\.0\\.1:\\d+/issuer", subject } });
    const misfits = await identityWith({ claimMatch: { issuerPattern: "http://127", subject } });
    expect([(await exchange(token, fits)).status, (await exchange(token, misfits)).status]).toEqual([200, 403]);
  });

  test("the refusal says what differs", async () => {
    const identity = await identityWith(match({ subject: "wanted" }));
    const { body } = await exchange(await bench.oidcToken({ subject: "given" }), identity);
    expect(body["message"]).toMatch(/given.*wanted/);
  });

  test("with no identity named, none or several that fit are an error", async () => {
    const token = await bench.oidcToken({ subject: "several" });
    const parameters = { aud: bench.baseUrl };
    expect(await bench.exchange(token, parameters)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining("no identity") as unknown },
    });
    await identityWith(match({ subject: "several" }));
    expect(await bench.exchange(token, parameters)).toMatchObject({ status: 200 });
    await identityWith(match({ subjectPattern: "sever.*" }));
    expect(await bench.exchange(token, parameters)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining("2 identities") as unknown },
    });
  });
});

describe("refusals", () => {
  test("no token", async () => {
    const reply = await fetch(`${bench.emulator.authUrl}/sts/exchange?aud=x`);
    expect(reply.status).toBe(401);
    expect(reply.headers.get("www-authenticate")).toMatch(/token/);
  });

  test("no audience, and an audience in a JSON body, which is ignored", async () => {
    const token = await bench.oidcTokenInFile();
    expect(await bench.exchange(token, { identity: bench.identity })).toMatchObject(refusal.invalid);
    const reply = await fetch(`${bench.emulator.authUrl}/sts/exchange`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ aud: bench.baseUrl }),
    });
    expect(reply.status).toBe(400);
  });

  const owner = () => ({ iss: bench.issuer, sub: "organization-admin", aud: new URL(bench.emulator.authUrl).host });
  test.each<[string, () => string | Promise<string>]>([
    ["garbage", () => "garbage"],
    ["an expired token", () => bench.oidcToken({ subject: "organization-admin", expiresInSeconds: -10 })],
    ["an unsigned token", () => new UnsecuredJWT({ ...owner(), exp: 4e9 }).encode()],
    ["a token signed with another key", async () => sign(await generateKeyPair("ES256"), owner())],
    ["an API token", () => bench.tokenOf(bench.identity)],
  ])("%s", async (_what, make) => {
    const reply = await exchange(await make(), bench.identity);
    expect([401, 403]).toContain(reply.status);
    expect(reply.body["token"]).toBeUndefined();
  });

  test("an identity that does not exist", async () => {
    expect(await exchange(await bench.oidcTokenInFile(), `${bench.root}/absent`)).toMatchObject(refusal.denied);
  });

  test("an identity that no OIDC token can assume", async () => {
    const identity = await identityWith({ awsIdentity: { awsAccount: "123456789012" } });
    expect(await exchange(await bench.oidcTokenInFile(), identity)).toMatchObject(refusal.denied);
  });
});

async function sign({ privateKey }: { privateKey: KeyLike }, claims: JWTPayload): Promise<string> {
  const audience = new URL(bench.emulator.authUrl).host;
  return new SignJWT({ aud: audience, ...claims })
    .setProtectedHeader({ alg: "ES256", kid: "k" })
    .setExpirationTime("1h")
    .sign(privateKey);
}

describe("another issuer", () => {
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  let server: HttpDouble;
  let issuer: string;

  beforeEach(async () => {
    keys = await generateKeyPair("ES256");
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: "k", alg: "ES256" };
    server = await startServer(({ path }) => {
      const isDiscovery = path.endsWith("/openid-configuration");
      return { body: isDiscovery ? { issuer, jwks_uri: `${issuer}/keys` } : { keys: [jwk] } };
    });
    issuer = server.url;
  });

  test("is asked for its keys over HTTP, and its tokens verified with them", async () => {
    const identity = await identityWith({ claimMatch: { issuer, subject: "s" } });
    expect(await exchange(await sign(keys, { iss: issuer, sub: "s" }), identity)).toMatchObject({ status: 200 });
    expect(server.seen.map(({ path }) => path)).toEqual(["/.well-known/openid-configuration", "/keys"]);
    const forged = await sign(await generateKeyPair("ES256"), { iss: issuer, sub: "s" });
    expect(await exchange(forged, identity)).toMatchObject(refusal.unauthenticated);
  });

  test("is not asked when no identity trusts it", async () => {
    await exchange(await sign(keys, { iss: issuer, sub: "s" }), bench.identity);
    await bench.exchange(await sign(keys, { iss: issuer, sub: "s" }), { aud: bench.baseUrl });
    expect(server.seen).toEqual([]);
  });

  test("that cannot be reached is a refusal that names it, and is tried again later", async () => {
    const identity = await identityWith({ claimMatch: { issuer, subject: "s" } });
    const token = await sign(keys, { iss: issuer, sub: "s" });
    await server.close();
    expect(await exchange(token, identity)).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining(issuer) as unknown },
    });
    await server.listen();
    expect(await exchange(token, identity)).toMatchObject({ status: 200 });
  });

  test("that speaks plain http from another machine is rejected unasked", async () => {
    const identity = await identityWith({ claimMatch: { issuer: "http://issuer.example", subject: "s" } });
    const reply = await exchange(await sign(keys, { iss: "http://issuer.example", sub: "s" }), identity);
    expect(reply).toMatchObject({ status: 401, body: { message: expect.stringContaining("https") as unknown } });
  });

  test("may be replaced by static keys", async () => {
    const issuerKeys = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: "k", alg: "ES256" }] });
    const identity = await identityWith({ staticKeys: { issuer: "https://offline.example", subject: "s", issuerKeys } });
    expect(await exchange(await sign(keys, { iss: "https://offline.example", sub: "s" }), identity)).toMatchObject({
      status: 200,
    });
  });

  test("static keys stop working after a year, which the platform fills in", async () => {
    const issuerKeys = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: "k", alg: "ES256" }] });
    const keysOf = { issuer: "https://aging.example", subject: "s", issuerKeys };
    const created = await bench.ok("POST", `/iam/v2/identities/${bench.root}`, { name: "aging", staticKeys: keysOf });
    const { createTime, staticKeys } = created;
    const identity = String(created["uid"]);
    const { expirationTime } = staticKeys as { expirationTime: string };
    expect(Date.parse(expirationTime) - Date.parse(String(createTime))).toBe(365 * 24 * 3600 * 1000);
    const late = { staticKeys: { expirationTime: new Date(Date.parse(expirationTime) + 1000).toISOString() } };
    expect(await bench.api("PATCH", `/iam/v2/identities/${identity}`, late)).toMatchObject(refusal.invalid);

    const past = { staticKeys: { expirationTime: new Date(Date.now() - 1000).toISOString() } };
    await bench.ok("PATCH", `/iam/v2/identities/${identity}`, past);
    const token = await sign(keys, { iss: "https://aging.example", sub: "s" });
    expect(await exchange(token, identity)).toMatchObject(refusal.denied);
  });
});

test("the issuer publishes its discovery document and only public keys", async () => {
  const { issuer } = bench.emulator;
  const discovery = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as {
    issuer: string;
    jwks_uri: string;
  };
  expect(discovery.issuer).toBe(issuer);
  const { keys } = (await (await fetch(discovery.jwks_uri)).json()) as { keys: Record<string, unknown>[] };
  expect(keys).toHaveLength(1);
  expect(keys[0]).not.toHaveProperty("d");
});

describe("API tokens", () => {
  const get = (token: string) => bench.api("GET", "/iam/v2beta1/groups", undefined, token);

  test.each<[string, () => string | Promise<string>]>([
    ["none", () => ""],
    ["garbage", () => "garbage"],
    ["an expired one", () => bench.tokenOf(bench.identity, -1)],
    ["an OIDC token", () => bench.oidcTokenInFile()],
    ["one with a broken signature", async () => (await bench.tokenOf(bench.identity)).replace(/.{8}$/, "AAAAAAAA")],
  ])("%s: 401, code 16, and the message in WWW-Authenticate", async (_what, make) => {
    const reply = await get(await make());
    expect(reply).toMatchObject(refusal.unauthenticated);
    expect(reply.headers.get("www-authenticate")).toBe(reply.body["message"]);
  });

  test("one that expires while it is in use is rejected from then on", async () => {
    await bench.settings({ apiTokenLifetimeSeconds: 30 });
    const token = await bench.tokenOf(bench.identity);
    expect((await get(token)).status).toBe(200);
    await bench.settings({ clockOffsetSeconds: 31 });
    expect((await get(token)).status).toBe(401);
  });
});

import { isDeepStrictEqual } from "node:util";
import { accessFrom } from "../../access/effective";
import type { OrganizationCopy } from "../../copy";
import { kindNames } from "../../inventory/kinds";
import { readInventory } from "../../inventory/platform";
import { snapshotOf } from "../../inventory/snapshot-of";
import { platformSnapshot } from "../../inventory/platform-snapshot";
import { call, TestPlatform } from "../support/test-platform";
import { callCopy, clientOf, copyOf, exchangeAt } from "./support";

describe.each(["minimal", "sample", "large"] as const)("a copy of the organisation %s", (seed) => {
  const platform = TestPlatform.forFile({ seed });
  let copy: OrganizationCopy;
  beforeAll(async () => {
    copy = await copyOf(platform);
  });
  afterAll(() => copy.close());

  test("shows every object as the platform does", async () => {
    expect(copy.inexact).toEqual([]);
    const { objects } = await readInventory(await clientOf(platform), platform.root);
    const copied = new Map(copy.before.map((object) => [`${object.kind} ${object.uid}`, object]));
    const different = objects.all.filter((object) => {
      const { row: _, ...other } = copied.get(`${object.kind} ${object.uid}`) ?? {};
      const { row: __, ...one } = object;
      return !isDeepStrictEqual(one, other);
    });
    expect(different).toEqual([]);
    expect(isDeepStrictEqual(copy.now(), copy.before)).toBe(true);
  });

  test("has the same access", async () => {
    const inventory = await readInventory(await clientOf(platform), platform.root);
    const access = (snapshot: Parameters<typeof accessFrom>[0]) => accessFrom(snapshot, platform.root);
    const expected = access(platformSnapshot(inventory, Date.now()));
    expect(isDeepStrictEqual(access(snapshotOf(copy.before, copy.inexact)), expected)).toBe(true);
  });

  test("has every built-in role, with its uid", async () => {
    const inRoot = (await platform.objects("roles")).filter(({ uid }) => !uid.includes("/"));
    const copied = copy.before.filter(({ kind, uid }) => kind === kindNames.role && !uid.includes("/"));
    expect(copied.map(({ uid }) => uid).sort()).toEqual(inRoot.map(({ uid }) => uid).sort());
  });

  test("has no secret", async () => {
    const providers = await platform.objects("identityProviders");
    const invites = await platform.objects("groupInvites");
    const secrets = [
      ...providers.map(({ oidc }) => (oidc as { clientSecret?: string }).clientSecret),
      ...invites.map(({ code }) => code),
    ];
    const known = secrets.filter((secret) => typeof secret === "string" && secret !== "");
    expect(known.length).toBeGreaterThan(1);
    const text = JSON.stringify([copy.before, copy.inexact]);
    expect(known.filter((secret) => text.includes(String(secret)))).toEqual([]);
  });
});

describe("a copy", () => {
  const platform = TestPlatform.forFile({ seed: "sample" });
  const person = { issuer: "https://login.acme.example", subject: "nina@acme.example" };
  const lookUp = `/iam/v2/identities:lookupIdentity?${new URLSearchParams(person).toString()}`;
  let copy: OrganizationCopy;
  beforeAll(async () => {
    copy = await copyOf(platform);
  });
  afterAll(() => copy.close());

  test("gives its token only, for every identity that it holds, without a proof", async () => {
    const zoe = (await platform.named("identities", "zoe")).uid;
    const aud = platform.baseUrl;
    expect(await exchangeAt(copy.origin, copy.token, { aud, identity: zoe })).toMatchObject({ status: 200 });
    expect(await exchangeAt(copy.origin, copy.token, { aud })).toMatchObject({ status: 200 });
    expect(await exchangeAt(copy.origin, copy.token, { aud, identity: "f".repeat(40) })).toMatchObject({ status: 403 });
    const { token: own } = await platform.admin("POST", "oidc-tokens", { subject: "organization-admin" });
    expect(await exchangeAt(copy.origin, String(own), { aud, identity: zoe })).toMatchObject({ status: 401 });
    expect(await exchangeAt(platform.baseUrl, copy.token, { aud, identity: platform.identity })).toMatchObject({ status: 401 });
  });

  test("takes changes, which the platform does not get, and tells every request with its body and status", async () => {
    const body = { name: "rehearsed" };
    const made = await callCopy(copy, platform, "POST", `/iam/v2/groups/${platform.root}`, { body });
    expect(made).toMatchObject({ status: 200 });
    expect(await callCopy(copy, platform, "POST", `/iam/v2/groups/${platform.root}`, { body })).toMatchObject({ status: 409 });
    expect(copy.now().filter(({ name }) => name === "rehearsed")).toMatchObject([{ path: "acme.example/rehearsed" }]);
    expect(copy.before.some(({ name }) => name === "rehearsed")).toBe(false);
    expect((await platform.objects("groups")).some(({ name }) => name === "rehearsed")).toBe(false);
    const calls = copy.requests().filter(({ method }) => method === "POST");
    expect(calls.slice(-2)).toMatchObject([
      { path: `/iam/v2/groups/${platform.root}`, body, status: 200 },
      { path: `/iam/v2/groups/${platform.root}`, body, status: 409 },
    ]);
    expect(JSON.stringify(copy.requests())).not.toContain(copy.token);
  });

  test("asks the platform for a person that it does not know, but for nobody without a token", async () => {
    await platform.admin("DELETE", "requests");
    expect(await call("GET", copy.origin + lookUp)).toMatchObject({ status: 401 });
    expect((await platform.requests()).filter(({ path }) => path.endsWith(":lookupIdentity"))).toEqual([]);
    const { body } = await callCopy(copy, platform, "GET", lookUp);
    expect(body["uid"]).toBe(await (await clientOf(platform)).lookUpIdentity(person.issuer, person.subject));
    const bound = { body: { identityUid: body["uid"], roleUid: await platform.role("viewer") } };
    expect(await callCopy(copy, platform, "POST", `/iam/v2/roleBindings/${platform.root}`, bound)).toMatchObject({ status: 200 });
  });

  test("asks the platform for a README", async () => {
    const { uid } = await platform.named("repos", "web-server");
    const { body } = await callCopy(copy, platform, "GET", `/registry/v2/repos/${uid}/readme`);
    expect(body["content"]).toMatch(/^# web-server/);
  });

  test("names an answer that it makes up", async () => {
    const unasked = await copyOf(platform);
    await platform.admin("POST", "faults", { match: { path: ":lookupIdentity" }, times: 0, fault: { status: 403, code: 7 } });
    expect(unasked.inexact).toEqual([]);
    expect(await callCopy(unasked, platform, "GET", lookUp)).toMatchObject({ status: 403 });
    expect(unasked.inexact).toMatchObject([{ what: expect.stringContaining(person.subject) as string }]);
    await platform.admin("DELETE", "faults");
    await unasked.close();
  });

  test("has no admin API, and listens on this machine only", async () => {
    expect(await call("GET", `${copy.origin}/admin/objects`)).toMatchObject({ status: 404 });
    expect(copy.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test("of one organisation does not contain another, but one of both does", async () => {
    const other = await platform.create("groups", "", { name: "other.example" });
    await platform.create("groups", other.uid, { name: "secret" });
    const owner = { identityUid: platform.identity, roleUid: await platform.role("owner") };
    await platform.create("roleBindings", other.uid, owner);
    const one = await copyOf(platform);
    expect(one.before.some(({ uid }) => uid.startsWith(other.uid))).toBe(false);
    const both = await copyOf(platform, { organizations: [platform.root, other.uid] });
    expect(both.before.filter(({ uid }) => uid.startsWith(other.uid))).toHaveLength(3);
    await Promise.all([one.close(), both.close()]);
  });

  test("names what its reader may not list", async () => {
    const reader = await platform.create("identities", platform.root, {
      name: "reader",
      claimMatch: { issuer: "https://issuer.example.com", subject: "reader" },
    });
    const capabilities = ["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLES_LIST", "CAP_IAM_ROLE_BINDINGS_LIST"];
    const role = await platform.create("roles", platform.root, { name: "reads access", capabilities });
    await platform.create("roleBindings", platform.root, { identityUid: reader.uid, roleUid: role.uid });
    const partial = await copyOf(platform, { reader: reader.uid });
    const named = partial.inexact.flatMap(({ kinds = [] }) => kinds);
    for (const kind of [
      "iam:Identity",
      "iam:IdentityProvider",
      "events:Subscription",
      "registry:Repo",
      "vulnerabilities:Advisory",
    ])
      expect(named).toContain(kind);
    expect(named).not.toContain(kindNames.roleBinding);
    expect(partial.inexact.filter(({ reason }) => reason.includes("in another way"))).toEqual([]);
    // Bound identities exist in the copy although their reader could not list them.
    const aud = platform.baseUrl;
    expect(await exchangeAt(partial.origin, partial.token, { aud, identity: platform.identity })).toMatchObject({ status: 200 });
    await partial.close();
  });
});

test("a copy takes the tokens for the audience of the platform, which may differ from its address", async () => {
  const platform = await TestPlatform.start();
  const [audience, addresses] = ["https://audience.example", { baseUrl: platform.baseUrl, authUrl: platform.emulator.authUrl }];
  const copy = await copyOf(platform, { standsInFor: { ...addresses, audience } });
  try {
    const read = async (aud: string) => {
      const { body } = await exchangeAt(copy.origin, copy.token, { aud, identity: platform.identity });
      const authorization = `Bearer ${String(body["token"])}`;
      return (await call("GET", `${copy.origin}/iam/v2beta1/groups`, undefined, { authorization })).status;
    };
    expect([await read(audience), await read(platform.baseUrl)]).toEqual([200, 401]);
  } finally {
    await copy.close();
    await platform.close();
  }
});

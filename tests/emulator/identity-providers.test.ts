import { column, invalidFields, refusal, useBench } from "./support";

const bench = useBench();
let viewer: string;
beforeAll(async () => {
  viewer = await bench.role("viewer");
});

const path = "/iam/v2/identityProviders";
const oidc = { issuer: "https://login.example", clientId: "client", clientSecret: "secret" };
const body = (more: object = {}) => ({ name: bench.name("provider"), defaultRole: viewer, oidc, ...more });
const create = (more: object = {}) => bench.ok("POST", `${path}/${bench.root}`, body(more));
const stored = async (uid: unknown) => (await bench.objects("identityProviders")).find((each) => each.uid === uid);

test("a client secret is kept and never answered", async () => {
  const created = await create({ oidc: { ...oidc, additionalScopes: ["groups"], groupsClaim: "groups" } });
  const shown = {
    issuer: oidc.issuer,
    clientId: "client",
    clientSecret: "",
    additionalScopes: ["groups"],
    groupsClaim: "groups",
    correlationRule: "CORRELATION_RULE_UNSPECIFIED",
    pkceEnabled: false,
  };
  const uid = String(created["uid"]);
  const changed = await bench.ok("PATCH", `${path}/${uid}?updateMask=oidc.client_secret`, { oidc: { clientSecret: "new" } });
  const { identityProviders } = await bench.ok("GET", `${path}?name=${String(created["name"])}`);
  for (const answer of [created, changed, await bench.ok("GET", `${path}/${uid}`), ...(identityProviders as object[])])
    expect(answer).toMatchObject({ uid, oidc: shown });
  expect(await stored(uid)).toMatchObject({ oidc: { clientSecret: "new" } });
});

test("a change that leaves the secret out keeps it; an empty one clears it, which only PKCE allows", async () => {
  const { uid } = await create();
  const patch = (change: object, query = "") => bench.api("PATCH", `${path}/${String(uid)}${query}`, change);
  await patch({ oidc: { issuer: "https://other.example" } });
  expect(await stored(uid)).toMatchObject({ oidc: { issuer: "https://other.example", clientSecret: "secret" } });
  const refusal = invalidFields("oidc.client_secret");
  expect(await patch({ oidc: { clientSecret: "" } })).toMatchObject(refusal);
  expect(await patch({ oidc: { issuer: "https://i.example", clientId: "c" } }, "?updateMask=oidc")).toMatchObject(refusal);
  expect(await patch({ oidc: { clientSecret: "", pkceEnabled: true } })).toMatchObject({ status: 200 });
});

test.each([
  ["no configuration", { oidc: undefined }, ["oidc"]],
  ["no issuer and client", { oidc: { clientSecret: "s" } }, ["oidc.issuer", "oidc.client_id"]],
  ["neither secret nor PKCE", { oidc: { issuer: "i", clientId: "c" } }, ["oidc.client_secret"]],
  ["no default role", { defaultRole: undefined }, ["default_role"]],
  ["a default role that does not exist", { defaultRole: "absent" }, ["default_role"]],
  ["an upper-case name", { name: "Acme" }, ["name"]],
  ["a description of two lines", { description: "a\nb" }, ["description"]],
])("%s is rejected", async (_what, more, fields) => {
  const fieldViolations = fields.map((field) => ({ field }));
  expect(await bench.api("POST", `${path}/${bench.root}`, body(more))).toMatchObject({
    body: { code: 3, details: [{}, { fieldViolations }] },
  });
});

test("the correlation rule is immutable; naming the default one changes nothing", async () => {
  const { uid } = await create();
  const rule = (name: string | null) =>
    bench.api("PATCH", `${path}/${String(uid)}?updateMask=oidc.correlation_rule`, { oidc: { correlationRule: name } });
  expect(await rule("CORRELATION_RULE_SUB_EQUALS_EXTERNAL_ID")).toMatchObject({ status: 200 });
  const refusal = invalidFields("oidc.correlation_rule");
  expect(await rule("CORRELATION_RULE_OID_EQUALS_EXTERNAL_ID")).toMatchObject(refusal);
  expect(await rule(null)).toMatchObject({ status: 200 });
});

test("an unknown correlation rule is dropped silently", async () => {
  expect(await create({ oidc: { ...oidc, correlationRule: "OID" } })).toMatchObject({
    oidc: { correlationRule: "CORRELATION_RULE_UNSPECIFIED" },
  });
});

test("the SCIM status is ignored on write, and missing from lists", async () => {
  const created = await create({ scim: { enabled: true, etag: "mine" } });
  expect(created).toMatchObject({ scim: { enabled: false, credentialState: "CREDENTIAL_STATE_NOT_ISSUED" } });
  const uid = String(created["uid"]);
  const echoed = await bench.ok("PATCH", `${path}/${uid}`, { description: "x", scim: { enabled: true } });
  expect(echoed).toMatchObject({ description: "x", scim: created["scim"] });
  const { identityProviders } = await bench.ok("GET", `${path}?uidp.ids=${uid}`);
  expect(column({ identityProviders }, "identityProviders", "scim")).toEqual([null]);
});

test("the parent is the uid of a group, not its name", async () => {
  const group = await bench.group("named");
  expect((await bench.api("POST", `${path}/named`, body())).status).toBe(404);
  expect((await bench.api("POST", `${path}/${group}`, body())).status).toBe(200);
  expect((await bench.api("POST", path, body())).body).toMatchObject({ code: 3 });
});

test("a default role is not given by those who lack what it grants, and may stay when they change the rest", async () => {
  const capabilities = ["UPDATE", "CREATE", "LIST"].map((verb) => `CAP_IAM_IDENTITY_PROVIDERS_${verb}`);
  const role = await bench.ok("POST", `/iam/v2/roles/${bench.root}`, {
    name: "sign-in administrator",
    capabilities: [...capabilities, "CAP_IAM_ROLE_BINDINGS_CREATE"],
  });
  const person = await bench.someone("administrator");
  await bench.bind(bench.root, person, String(role["uid"]));
  const token = await bench.tokenOf(person);
  expect(await bench.api("POST", `${path}/${bench.root}`, body(), token)).toMatchObject(refusal.denied);
  const { uid } = await create();
  const patch = (change: object) => bench.api("PATCH", `${path}/${String(uid)}`, change, token);
  expect(await patch({ description: "x" })).toMatchObject({ status: 200 });
  expect(await patch({ defaultRole: await bench.role("owner") })).toMatchObject({ status: 403 });
});

test("a List may be shadowed by Get: an error, or an object without values", async () => {
  await bench.settings({ identityProvidersList: "error" });
  expect(await bench.api("GET", `${path}?name=x`)).toMatchObject(refusal.invalid);
  await bench.settings({ identityProvidersList: "emptyObject" });
  const reply = await fetch(`${bench.baseUrl}${path}`, {
    headers: { authorization: `Bearer ${await bench.tokenOf(bench.identity)}` },
  });
  expect(await reply.json()).toMatchObject({ uid: "", name: "", scim: null });
  expect((await bench.api("GET", "/iam/v2/groups")).body).toHaveProperty("groups");
});

describe("external group role mappings", () => {
  const mappings = "/iam/v2/externalGroupRoleMappings";
  let provider: string;
  beforeAll(async () => {
    provider = String((await create())["uid"]);
  });
  const mapping = (more: object = {}) => ({ externalGroupId: "engineers", roleUid: viewer, scope: bench.root, ...more });

  test("belong to a provider, one for each external group, role and scope", async () => {
    const created = await bench.ok("POST", `${mappings}/${provider}`, mapping());
    expect(created).toMatchObject({
      identityProviderUid: provider,
      externalGroupId: "engineers",
      roleUid: viewer,
      scope: bench.root,
    });
    expect(await bench.api("POST", `${mappings}/${provider}`, mapping())).toMatchObject(refusal.exists);
    const other = await bench.ok("POST", `${mappings}/${provider}`, mapping({ externalGroupId: "others" }));
    const second = String((await create())["uid"]);
    await bench.ok("POST", `${mappings}/${second}`, mapping());
    const listed = await bench.ok("GET", `${mappings}?identity_provider_uid=${provider}`);
    expect(column(listed, "externalGroupRoleMappings", "uid")).toEqual([created["uid"], other["uid"]].sort());
    expect(await bench.api("PATCH", `${mappings}/${String(created["uid"])}`, {})).toMatchObject({ status: 501 });
    await bench.ok("DELETE", `${mappings}/${String(created["uid"])}`);
    expect((await bench.api("DELETE", `${mappings}/${String(created["uid"])}`)).status).toBe(404);
  });

  test.each([
    ["no external group", { externalGroupId: "" }, "external_group_id"],
    ["no role", { roleUid: undefined }, "role_uid"],
    ["no scope", { scope: undefined }, "scope"],
    ["a scope below the root group", { scope: "absent/0123456789abcdef" }, "scope"],
  ])("%s is rejected", async (_what, more, field) => {
    expect(await bench.api("POST", `${mappings}/${provider}`, mapping(more))).toMatchObject(invalidFields(field));
  });

  test("a batch deletes those that exist, and none if one belongs elsewhere", async () => {
    const make = async (externalGroupId: string) =>
      String((await bench.ok("POST", `${mappings}/${provider}`, mapping({ externalGroupId })))["uid"]);
    const [one, two] = [await make("one"), await make("two")];
    const absent = `${provider}/0123456789abcdef`;
    const remove = (names: string[]) => bench.api("POST", `${mappings}:batchDelete`, { parent: provider, names });
    expect(await remove([one, `${bench.root}/0123456789abcdef`])).toMatchObject(refusal.invalid);
    expect((await bench.api("GET", `${mappings}/${one}`)).status).toBe(200);
    const { body: deleted } = await remove([one, absent, two, one]);
    expect(deleted["parent"]).toBe(provider);
    expect(column(deleted, "externalGroupRoleMappings", "uid")).toEqual([one, two]);
    expect(await remove([one, two])).toMatchObject({ status: 200, body: { externalGroupRoleMappings: [] } });
    expect(await remove([])).toMatchObject({ status: 400 });
  });

  test("go with their provider and with their role", async () => {
    const role = await bench.ok("POST", `/iam/v2/roles/${bench.root}`, { name: "mapped", capabilities: ["CAP_REPO_LIST"] });
    const fleeting = String((await create())["uid"]);
    const get = async (uid: unknown) => (await bench.api("GET", `${mappings}/${String(uid)}`)).status;
    const [first, second] = [
      await bench.ok("POST", `${mappings}/${fleeting}`, mapping()),
      await bench.ok("POST", `${mappings}/${provider}`, mapping({ roleUid: role["uid"] })),
    ];
    await bench.ok("DELETE", `${path}/${fleeting}`);
    await bench.ok("DELETE", `/iam/v2/roles/${String(role["uid"])}`);
    expect([await get(first["uid"]), await get(second["uid"])]).toEqual([404, 404]);
  });
});

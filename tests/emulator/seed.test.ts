import { Contract } from "../contract/contract";
import { useBench } from "./support";

const bench = useBench();

const lists = new Contract().operations.flatMap((operation) => {
  const [method, path = ""] = operation.split(" ");
  const isList = method === "GET" && /\/v2\/[A-Za-z]+$/.test(path) && !path.endsWith("/ping");
  return isList ? [path] : [];
});

test("the contract has twelve lists", () => {
  expect(lists).toHaveLength(12);
});

test.each(lists)("the seeded organization has an object of every kind, which can be read by uid: %s", async (path) => {
  const rows = await bench.rows(path);
  expect(rows).not.toEqual([]);
  for (const { uid } of rows) expect(await bench.ok("GET", `${path}/${uid}`)).toMatchObject({ uid });
});

test("the seeded organization has accepted terms, and a README", async () => {
  const { organization } = bench.emulator;
  expect(await bench.ok("GET", `/iam/v2/terms/${organization}`)).toMatchObject({ totalCount: "1" });
  const [repo] = await bench.rows("/registry/v2/repos?name=web-server");
  const { content } = await bench.ok("GET", `/registry/v2/repos/${String(repo?.uid)}/readme`);
  expect(content).toMatch(/^# web-server/);
});

test("the seeded invite is still open", async () => {
  const [invite] = await bench.rows("/iam/v2/groupInvites");
  expect(Date.parse(String(invite?.["expirationTime"]))).toBeGreaterThan(Date.now());
});

describe.each([{ seed: "sample" }, { sample: true }] as const)("the sample, by %j", (options) => {
  const sample = useBench(options);

  test("only a new emulator that asks for it has it", async () => {
    expect((await sample.rows("/iam/v2/groups")).map(({ name }) => name).sort()).toEqual([
      "acme.example",
      "backups",
      "operations",
      "warehouse",
    ]);
    expect(await bench.ok("GET", "/iam/v2/groups")).toMatchObject({ totalCount: "1" });
  });

  test.each(["CLAIM_MATCH", "STATIC", "AWS_IDENTITY", "SERVICE_PRINCIPAL"])("it has an identity of the form %s", async (form) => {
    expect(await sample.rows(`/iam/v2/identities?relationship_type=RELATIONSHIP_TYPE_${form}`)).not.toEqual([]);
  });

  test("it has a custom role that is bound, a subscription, an invite for many and a synchronized repository with a README", async () => {
    const { organization } = sample.emulator;
    const roles = (await sample.rows("/iam/v2/roles")).filter(({ uid }) => uid.startsWith(`${organization}/`));
    expect(roles).toMatchObject([{ name: "shelf-reader" }]);
    const bindings = await sample.rows(`/iam/v2/roleBindings?role=${roles[0]?.uid ?? ""}`);
    expect(bindings).toMatchObject([{ identity: { name: "stocktaker" }, group: { name: "warehouse" } }]);
    expect(await sample.rows("/events/v2/subscriptions")).toHaveLength(2);
    expect((await sample.rows("/iam/v2/groupInvites")).map(({ singleUse }) => singleUse).sort()).toEqual([false, true]);
    const [source] = await sample.rows("/registry/v2/repos?name=web-server");
    const [repo] = await sample.rows("/registry/v2/repos?name=warehouse-web");
    expect(repo).toMatchObject({ sync_config: { source: source?.uid } });
    expect((await sample.ok("GET", `/registry/v2/repos/${repo?.uid ?? ""}/readme`))["content"]).toMatch(/^# warehouse-web/);
  });

  test("one of its identity providers is provisioned by SCIM, another is not", async () => {
    const providers = await sample.rows("/iam/v2/identityProviders");
    const states = await Promise.all(
      providers.map(async ({ uid }) => (await sample.ok("GET", `/iam/v2/identityProviders/${uid}`))["scim"]),
    );
    const state = ({ enabled, credentialState }: Record<string, unknown>) => [enabled, credentialState];
    expect(states.map((scim) => state(scim as Record<string, unknown>)).sort()).toEqual([
      [false, "CREDENTIAL_STATE_NOT_ISSUED"],
      [true, "CREDENTIAL_STATE_LIVE"],
    ]);
  });

  test("its invite can be accepted by the admin call", async () => {
    const invites = await sample.objects("groupInvites");
    const code = invites.find(({ singleUse }) => singleUse === false)?.["code"];
    const { uid: identity } = await sample.named("identities", "stocktaker");
    expect(await sample.admin("POST", "invite-acceptances", { code, identity })).toEqual({
      roleBinding: expect.stringContaining("/") as string,
    });
  });

  test.each([
    "iam/v2/groups",
    "iam/v2/identities",
    "iam/v2/identityProviders",
    "iam/v2/accountAssociations",
    "registry/v2/repos",
  ])("the platform accepts each of its objects as it is: %s", async (path) => {
    for (const { uid } of await sample.rows(`/${path}`)) {
      const reply = await sample.api("PATCH", `/${path}/${uid}?updateMask=description`, { description: "Checked" });
      expect([uid, reply.status, reply.body]).toEqual([uid, 200, expect.anything()]);
    }
  });
});

describe("the large organisation", () => {
  const [large, again] = [useBench({ seed: "large" }), useBench({ seed: "large" })];

  test("has about 5,000 objects besides the sample, twice the same names", async () => {
    const [objects, others] = [await large.allObjects(), await again.allObjects()];
    const counts = Object.fromEntries(Object.entries(objects).map(([collection, rows]) => [collection, rows.length]));
    expect(counts).toMatchObject({ groups: 304, identities: 691, roleBindings: 1183, repos: 489, tags: 2450 });
    expect(Object.values(objects).flat().length).toBeGreaterThan(5_000);
    for (const [collection, rows] of Object.entries(objects))
      expect(rows.map(({ name }) => name).sort()).toEqual(others[collection]?.map(({ name }) => name).sort());
  });

  test("the platform accepts its groups and identities as they are", async () => {
    for (const [collection, name] of [
      ["groups", "payments"],
      ["identities", "payments-backend-api-production"],
    ] as const) {
      const { uid } = await large.named(collection, name);
      expect(await large.api("PATCH", `/iam/v2/${collection}/${uid}`, { name, description: "Checked" })).toMatchObject({
        status: 200,
      });
    }
  });
});

import { call } from "../support/test-platform";
import { refusal, useBench } from "./support";

const bench = useBench();

describe("requests", () => {
  test("are logged in order with path, raw query, body and status, and without any token", async () => {
    await bench.adminReply("DELETE", "requests");
    const reply = await bench.api("POST", `/iam/v2beta1/groups/${bench.root}`, { name: "logged" });
    await bench.api("GET", "/iam/v2beta1/groups?name=a%20b");
    await bench.exchange(await bench.oidcTokenInFile(), { identity: "x" });
    await bench.adminReply("GET", "settings");
    const { body, text } = await bench.adminReply("GET", "requests");
    expect(body["requests"]).toMatchObject([
      {
        method: "POST",
        path: `/iam/v2beta1/groups/${bench.root}`,
        query: "",
        body: { name: "logged" },
        status: 200,
        requestId: reply.headers.get("x-request-id"),
      },
      { method: "GET", query: "name=a%20b", body: null, status: 200 },
      { path: "/sts/exchange", status: 400 },
    ]);
    expect(text).not.toMatch(/eyJ/);
    await bench.adminReply("DELETE", "requests");
    expect((await bench.adminReply("GET", "requests")).body).toEqual({ requests: [] });
  });
});

test("objects of every collection are listed in one call, each as in its own", async () => {
  const { collections } = await bench.admin("GET", "objects");
  expect(Object.keys(collections as object)).toHaveLength(12);
  for (const [collection, objects] of Object.entries(collections as object)) {
    expect(objects).not.toEqual([]);
    expect(objects).toEqual(await bench.objects(collection));
  }
});

describe("changes behind the provider's back", () => {
  test("are listed, created, changed and removed without permissions or rules", async () => {
    const created = await bench.create("groups", bench.root, { name: "Against The Rules", verified: true });
    const { uid } = created;
    expect(await bench.ok("GET", `/iam/v2beta1/groups/${uid}`)).toEqual(created);
    expect(await bench.objects("groups")).toContainEqual(created);
    const inside = (await bench.create("groups", uid, { name: "inside" })).uid;
    const { body: changed } = await bench.adminReply("PATCH", `objects/groups/${uid}`, {
      description: "drifted",
      verified: null,
    });
    expect(changed).toMatchObject({ name: "Against The Rules", description: "drifted", verified: false });
    await bench.delete("groups", uid);
    for (const gone of [uid, inside]) expect((await bench.api("GET", `/iam/v2beta1/groups/${gone}`)).status).toBe(404);
  });

  test("a member of a oneof takes the place of the other", async () => {
    const uid = await bench.someone("widened");
    await bench.adminReply("PATCH", `objects/identities/${uid}`, { claimMatch: { subjectPattern: ".*" } });
    expect((await bench.ok("GET", `/iam/v2beta1/identities/${uid}`))["claimMatch"]).toMatchObject({
      issuer: bench.issuer,
      subjectPattern: ".*",
    });
    expect((await bench.ok("GET", `/iam/v2beta1/identities/${uid}`))["claimMatch"]).not.toHaveProperty("subject");
  });

  test("removing an identity removes its bindings", async () => {
    const identity = await bench.someone("removed");
    const binding = await bench.bind(bench.root, identity, await bench.role("viewer"));
    await bench.adminReply("DELETE", `objects/identities/${identity}`);
    expect((await bench.api("GET", `/iam/v2beta1/roleBindings/${binding}`)).status).toBe(404);
  });

  test.each([
    ["GET", "objects?kind=nothing", undefined],
    ["POST", "objects/nothing", {}],
    ["POST", "objects/groups", { parent: "absent", name: "x" }],
    ["POST", "objects/groups", { parent: "", colour: "red" }],
    ["POST", "objects/groups", { parent: 5, name: "x" }],
    ["POST", "objects/groups", "{"],
    ["POST", "objects/groups", "[]"],
    ["PATCH", "objects/groups/absent", { name: "x" }],
    ["PATCH", "objects/groups", { name: "x" }],
    ["DELETE", "objects/groups/absent", undefined],
    ["POST", "oidc-tokens", {}],
    ["POST", "oidc-tokens", { subject: "s", claims: [] }],
    ["POST", "oidc-tokens", { subject: "s", expiresInSeconds: "1" }],
    ["POST", "api-tokens", { expiresInSeconds: "1" }],
    ["POST", "oidc-tokens", { subject: "s", expiresInSeconds: 1e300 }],
    ["POST", "oidc-tokens", { subject: "s", issuedAt: -1e300 }],
    ["POST", "api-tokens", { expiresInSeconds: 1e15 }],
    ["POST", "api-tokens", { expiresInSeconds: -1e15 }],
    ["POST", "api-tokens", { identiy: "a/b" }],
    ["POST", "oidc-tokens", { subject: "s", audiense: "a" }],
    ["POST", "invite-acceptances", { code: "c", identity: "i", emial: "e" }],
    ["POST", "revocations", { identity: "a/b" }],
    ["POST", "revocations/everything", undefined],
    ["POST", "objects/groups?parent=a", { name: "x" }],
    ["POST", "objects/groups", { parent: "", name: 5 }],
    ["POST", "objects/groups", { parent: "", name: "x", kind: "ORG_KIND_OF_TOMORROW" }],
    ["POST", "objects/roleBindings", { parent: "" }],
    ["POST", "faults", { fault: { delayMs: 2 ** 31 } }],
    ["POST", "faults", { fault: { status: 99 } }],
    ["POST", "faults", { fault: { status: 1_000 } }],
    ["DELETE", "faults", { id: "1" }],
    ["GET", "objects?kinds=groups", undefined],
  ])("%s %s %j is a 400 with the reason", async (method, path, body) => {
    expect(await bench.adminReply(method, path, body)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/\w{4}/) as unknown },
    });
  });
});

describe("role bindings", () => {
  test("name every part that is wrong, and nothing is bound", async () => {
    const identity = await bench.someone("to bind");
    const role = await bench.role("viewer");
    const refused = async (body: object, ...problems: RegExp[]) => {
      const reply = await bench.adminReply("POST", "objects/roleBindings", { parent: bench.root, ...body });
      expect(reply.status).toBe(400);
      for (const problem of problems) expect(reply.body["message"]).toMatch(problem);
    };
    const before = (await bench.adminReply("GET", "objects?kind=roleBindings")).body;
    await refused({}, /role binding identityUid: must be a uid/, /role binding roleUid: must be a uid/);
    await refused({ identityUid: "a/b", roleUid: "c" }, /identity a\/b not found/, /role c not found/);
    await refused({ identityUid: identity, roleUid: 7 }, /role binding roleUid: must be a uid/);
    await refused({ identityUid: identity, roleUid: role, role: { name: "owner" } }, /role binding: .*"role"/);
    expect((await bench.adminReply("GET", "objects?kind=roleBindings")).body).toEqual(before);
  });

  test("change to an identity and a role that exist only", async () => {
    const binding = await bench.bind(bench.root, await bench.someone("bound"), await bench.role("viewer"));
    const path = `objects/roleBindings/${binding}`;
    for (const body of [{ roleUid: "c" }, { identityUid: null }, { uid: "a/b" }, { group: { uid: bench.root } }])
      expect((await bench.adminReply("PATCH", path, body)).status).toBe(400);
    expect((await bench.adminReply("PATCH", path, { roleUid: await bench.role("editor") })).body).toMatchObject({
      role: { name: "editor" },
    });
  });
});

describe("settings", () => {
  test.each([
    { colour: "red" },
    { latencyMs: -1 },
    { omitDefaults: "yes" },
    { deleteBody: "none" },
    { omitTotalCount: 1 },
    { timestampDigits: 1 },
    { clockOffsetSeconds: "1" },
    { clockOffsetSeconds: 1e11 },
    { apiTokenLifetimeSeconds: 1e15 },
    { latencyMs: 2 ** 31 },
    { propagationMs: 1e300 },
    { readLagMs: 1e300 },
    { listLagMs: 1e300 },
    { latencyMs: 5, colour: "red" },
  ])("%j is rejected and changes nothing", async (patch) => {
    const before = (await bench.adminReply("GET", "settings")).body;
    expect(await bench.adminReply("PATCH", "settings", patch)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/setting/) as unknown },
    });
    expect((await bench.adminReply("GET", "settings")).body).toEqual(before);
  });

  test("omitDefaults leaves members out that hold their default", async () => {
    await bench.settings({ omitDefaults: true });
    const created = await bench.ok("POST", `/iam/v2beta1/groups/${bench.root}`, { name: "sparse" });
    expect(Object.keys(created).sort()).toEqual(["createTime", "kind", "name", "status", "uid", "updateTime"]);
    expect(await bench.ok("GET", "/iam/v2beta1/groups?name=absent")).toEqual({ totalCount: "0" });
  });

  test("omitTotalCount leaves the total out of lists, and with omitDefaults an empty one is {}", async () => {
    await bench.settings({ omitTotalCount: true });
    expect(await bench.ok("GET", "/iam/v2beta1/groups?name=absent")).toEqual({ groups: [], nextPageToken: "", skipped: 0 });
    await bench.settings({ omitDefaults: true });
    for (const list of ["iam/v2beta1/groups", "iam/v2beta1/identities", "registry/v2beta1/repos"])
      expect((await bench.api("GET", `/${list}?name=absent`)).text).toBe("{}");
  });

  test.each([
    [0, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
    [3, /T\d\d:\d\d:\d\d\.\d{3}Z$/],
    [6, /T\d\d:\d\d:\d\d\.\d{3}000Z$/],
    [9, /T\d\d:\d\d:\d\d\.\d{3}000000Z$/],
  ])("timestampDigits %d is how finely answers tell the time", async (timestampDigits, form) => {
    await bench.settings({ timestampDigits });
    const identity = await bench.ok("GET", `/iam/v2beta1/identities/${await bench.someone(`clock ${timestampDigits}`)}`);
    for (const member of ["createTime", "updateTime", "lastSeenTime"]) expect(identity[member]).toMatch(form);
  });

  test("deleteBody object answers {}", async () => {
    await bench.settings({ deleteBody: "object" });
    const group = await bench.group("removed with braces");
    expect(await bench.api("DELETE", `/iam/v2beta1/groups/${group}`)).toMatchObject({ status: 200, text: "{}" });
  });

  test("latencyMs delays every answer", async () => {
    await bench.settings({ latencyMs: 60 });
    const started = performance.now();
    await bench.api("GET", "/ping/v2/ping");
    expect(performance.now() - started).toBeGreaterThanOrEqual(55);
  });

  test("propagationMs denies creates in a group that is still young by the emulator's clock", async () => {
    await bench.settings({ propagationMs: 60_000 });
    const group = await bench.group("young");
    const create = () => bench.api("POST", `/iam/v2beta1/groups/${group}`, { name: "child" });
    expect(await create()).toMatchObject(refusal.denied);
    await bench.settings({ clockOffsetSeconds: 61 });
    expect(await create()).toMatchObject({ status: 200 });
  });

  test("readLagMs hides a young object from Get, and listLagMs from Lists, by the emulator's clock", async () => {
    const group = await bench.group("lagging");
    const get = async () => (await bench.api("GET", `/iam/v2beta1/groups/${group}`)).status;
    const list = async () => {
      const { body } = await bench.api("GET", `/iam/v2beta1/groups?uidp.ids=${encodeURIComponent(group)}`);
      return [(body as { groups: unknown[] }).groups.length, (body as { totalCount: string }).totalCount];
    };
    await bench.settings({ readLagMs: 60_000, listLagMs: 120_000 });
    expect([await get(), await list()]).toEqual([404, [0, "0"]]);
    await bench.settings({ clockOffsetSeconds: 61 });
    expect([await get(), await list()]).toEqual([200, [0, "0"]]);
    await bench.settings({ clockOffsetSeconds: 121 });
    expect([await get(), await list()]).toEqual([200, [1, "1"]]);
    await bench.settings({ clockOffsetSeconds: 0 });
    expect((await bench.api("PATCH", `/iam/v2beta1/groups/${group}`, { description: "writes see it" })).status).toBe(200);
    expect((await bench.api("DELETE", `/iam/v2beta1/groups/${group}`)).status).toBe(200);
  });

  test("the largest values together leave every call possible", async () => {
    const seconds = 1e10;
    const lags = { propagationMs: seconds * 1000, readLagMs: seconds * 1000, listLagMs: seconds * 1000 };
    for (const clockOffsetSeconds of [-seconds, seconds]) {
      await bench.settings({ clockOffsetSeconds, apiTokenLifetimeSeconds: seconds, ...lags });
      const { token, expiry } = (
        await bench.exchange(await bench.oidcTokenInFile(), { aud: bench.baseUrl, identity: bench.identity })
      ).body;
      expect(Date.parse(String(expiry))).not.toBeNaN();
      expect(await bench.ok("GET", "/iam/v2/groups", undefined, String(token))).toMatchObject({
        totalCount: expect.anything() as unknown,
      });
    }
  });

  test("changes of the clock at the same time all succeed", async () => {
    const moves = Array.from({ length: 20 }, () => bench.adminReply("PATCH", "settings", { clockOffsetSeconds: 1 }));
    expect(new Set((await Promise.all(moves)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  test("the OIDC token file follows the clock", async () => {
    await bench.settings({ clockOffsetSeconds: 30 * 86_400 });
    const reply = await bench.exchange(await bench.oidcTokenInFile(), {
      aud: bench.baseUrl,
      identity: bench.identity,
    });
    expect(reply.status).toBe(200);
  });
});

test("an unknown call lists the known ones", async () => {
  expect(await bench.adminReply("GET", "nothing")).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining("POST faults") as unknown },
  });
});

test("web pages are rejected", async () => {
  expect((await call("GET", `${bench.emulator.adminUrl}/settings`, undefined, { origin: "https://page.example" })).status).toBe(
    403,
  );
});

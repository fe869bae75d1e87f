import { refusal, useBench } from "./support";

const bench = useBench();
let viewer: string;
beforeAll(async () => {
  viewer = await bench.role("viewer");
});

const path = "/iam/v2/groupInvites";
const create = (more: object = {}, group = bench.root) =>
  bench.ok("POST", `${path}/${group}`, { roleUid: viewer, ttl: "3600s", ...more });
const accept = (code: unknown, identity: string, email?: string) =>
  bench.adminReply("POST", "invite-acceptances", { code, identity, email });
const owner = () => bench.tokenOf(bench.identity);

test("the code is in the answer to the create only, and the ttl in none", async () => {
  const created = await create({ email: "someone@acme.example" });
  expect(created).toMatchObject({
    roleUid: viewer,
    role: { uid: viewer, name: "viewer", capabilities: expect.arrayContaining(["CAP_REPO_LIST"]) as unknown },
    email: "someone@acme.example",
    ttl: null,
    singleUse: false,
  });
  expect(created["code"]).toMatch(/^[\w-]{20,}$/);
  const uid = String(created["uid"]);
  const { groupInvites } = await bench.ok("GET", `${path}?key_id=${String(created["keyId"])}`);
  expect(groupInvites).toEqual([{ ...created, code: "" }]);
  expect(await bench.ok("GET", `${path}/${uid}`)).toEqual({ ...created, code: "" });
  expect(Date.parse(String(created["expirationTime"])) - Date.parse(String(created["createTime"]))).toBe(3_600_000);
});

test("lists show the newest first, by default", async () => {
  const group = await bench.group("ordered");
  const uids: unknown[] = [];
  for (const clockOffsetSeconds of [1, 2, 3]) {
    await bench.settings({ clockOffsetSeconds });
    uids.push((await create({}, group))["uid"]);
  }
  const list = (query: string) => bench.column("uid", `${path}?uidp.children_of=${group}${query}`);
  expect(await list("&order_by=created_at")).toEqual(uids);
  expect(await list("")).toEqual(uids.reverse());
  const { nextPageToken } = await bench.ok("GET", `${path}?uidp.children_of=${group}&page_size=2`);
  expect(await list(`&page_size=2&page_token=${String(nextPageToken)}`)).toEqual(uids.slice(2));
});

test.each([
  ["no ttl", { ttl: undefined }],
  ["a ttl of nothing", { ttl: "0s" }],
  ["a ttl in hours", { ttl: "1h" }],
  ["a ttl that is a number", { ttl: 3600 }],
  ["a ttl longer than any duration", { ttl: "99999999999999s" }],
  ["a ttl that ends after the last date", { ttl: "315576000000s" }],
  ["no role", { roleUid: undefined }],
  ["a role that does not exist", { roleUid: "absent" }],
])("%s is rejected", async (_what, more) => {
  expect(await bench.api("POST", `${path}/${bench.root}`, { roleUid: viewer, ttl: "3600s", ...more })).toMatchObject(
    refusal.invalid,
  );
});

test("there is no update, and a second delete finds nothing", async () => {
  const { uid } = await create();
  expect((await bench.api("PATCH", `${path}/${String(uid)}`, { singleUse: true })).status).toBe(501);
  await bench.ok("DELETE", `${path}/${String(uid)}`);
  expect((await bench.api("DELETE", `${path}/${String(uid)}`)).status).toBe(404);
});

test("whoever invites holds what the role grants", async () => {
  const capabilities = ["CAP_IAM_GROUP_INVITES_CREATE", "CAP_IAM_ROLE_BINDINGS_CREATE"];
  const role = await bench.ok("POST", `/iam/v2/roles/${bench.root}`, { name: "inviter", capabilities });
  const person = await bench.someone("inviter");
  await bench.bind(bench.root, person, String(role["uid"]));
  const token = await bench.tokenOf(person);
  const invite = (roleUid: unknown) => bench.api("POST", `${path}/${bench.root}`, { roleUid, ttl: "60s" }, token);
  expect(await invite(viewer)).toMatchObject(refusal.denied);
  expect(await invite(role["uid"])).toMatchObject({ status: 200 });
});

test("an invite outlives its role, which is then unset", async () => {
  const role = await bench.ok("POST", `/iam/v2/roles/${bench.root}`, { name: "passing", capabilities: ["CAP_REPO_LIST"] });
  const { uid, code } = await create({ roleUid: role["uid"] });
  await bench.ok("DELETE", `/iam/v2/roles/${String(role["uid"])}`);
  expect(await bench.ok("GET", `${path}/${String(uid)}`)).toMatchObject({ role: null, roleUid: role["uid"] });
  expect(await accept(code, bench.identity)).toMatchObject({ status: 400 });
});

describe("accepting", () => {
  test("binds the identity to the role, once; an invite for a single use is gone then", async () => {
    const group = await bench.group("joining");
    const person = await bench.someone("newcomer");
    const [lasting, single] = [await create({}, group), await create({ singleUse: true }, group)];
    const { body } = await accept(lasting["code"], person);
    expect(await bench.ok("GET", `/iam/v2/roleBindings/${String(body["roleBinding"])}`)).toMatchObject({
      identity: { uid: person },
      role: { uid: viewer },
      group: { uid: group },
    });
    expect((await accept(single["code"], person)).body).toEqual(body);
    expect((await bench.api("GET", `${path}/${String(lasting["uid"])}`)).status).toBe(200);
    expect((await bench.api("GET", `${path}/${String(single["uid"])}`)).status).toBe(404);
    expect((await accept(single["code"], person)).status).toBe(400);
    expect((await bench.api("GET", `/iam/v2/groups/${group}`, undefined, await bench.tokenOf(person))).status).toBe(200);
  });

  test("takes the address that was invited", async () => {
    const { code } = await create({ email: "right@acme.example" });
    const person = await bench.someone("addressed");
    expect((await accept(code, person)).status).toBe(400);
    expect((await accept(code, person, "wrong@acme.example")).status).toBe(400);
    expect((await accept(code, person, "right@acme.example")).status).toBe(200);
  });

  test("takes a known code and identity", async () => {
    const { code } = await create();
    expect((await accept("absent", bench.identity)).status).toBe(400);
    expect((await accept(code, "absent")).status).toBe(400);
  });
});

describe("an invite that has expired", () => {
  const expire: [string, (uid: unknown) => Promise<unknown>][] = [
    ["by the clock", () => bench.settings({ clockOffsetSeconds: 3601 })],
    [
      "by an admin call",
      (uid) => bench.adminReply("PATCH", `objects/groupInvites/${String(uid)}`, { expirationTime: "2026-01-01T00:00:00Z" }),
    ],
  ];
  test.each(expire)("%s is kept or removed, and cannot be accepted", async (_how, end) => {
    const { uid, code } = await create();
    await end(uid);
    const get = async () => (await bench.api("GET", `${path}/${String(uid)}`, undefined, await owner())).status;
    expect(await get()).toBe(200);
    const { body } = await accept(code, bench.identity);
    expect(body["message"]).toMatch(/expired/);
    await bench.settings({ expiredInvites: "removed" });
    expect(await get()).toBe(404);
  });
});

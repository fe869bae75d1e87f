import { CreatedButFailed } from "../../../provider/resources/creating/created-but-failed";
import type { Kind } from "../../../provider/kinds/kind";
import { declare, failureOf, group, identity, kinds, ResourceFixture, sentOf, roleBinding } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();

// Without a creation time, an answer does not prove that this create made the object.
const timedKinds = kinds.filter(([, { fields }]) => "createTime" in fields);

test.each(timedKinds)("a %s that the platform makes under another parent is an error that keeps its uid", async (_noun, kind) => {
  const [parent, other] = [await fixture.place(kind), await fixture.place(kind)];
  const inputs = await fixture.inputs(kind, parent);
  const strayUid = `${other}/0123456789abcdef`;
  await fixture.platform.fault(
    { method: "POST", path: kind.collection.segment },
    { rewrite: { uid: strayUid, group: { uid: other }, [kind.parentInput]: other } },
  );
  const error = await failureOf(declare(kind, inputs, fixture.run()));
  expect(error).toBeInstanceOf(CreatedButFailed);
  expect(error).toMatchObject({ uid: strayUid, state: { [kind.parentInput]: other } });
  expect(error.message).toContain(strayUid);
  expect(error.message).toContain(parent);
});

test.each([
  ["identity", { identity: { uid: "0123456789abcdef/stranger", name: "stranger" } }, "identityUid"],
  ["role", { role: { uid: "0000000000000000000000000000000000000000", name: "owner" } }, "roleUid"],
  ["no identity", { identity: null }, "identityUid"],
])("a binding answered with %s of another is an error that keeps its uid", async (_what, rewrite, field) => {
  const parent = await fixture.parent();
  const inputs = await fixture.inputs(roleBinding, parent);
  for (const method of ["POST", "GET"]) await fixture.platform.fault({ method, path: "roleBindings" }, { rewrite }, { times: 0 });
  const error = await failureOf(declare(roleBinding, inputs, fixture.run()));
  const [made] = await fixture.children(roleBinding, parent);
  expect(error).toBeInstanceOf(CreatedButFailed);
  expect(error["uid"]).toBe(made?.uid);
  expect(error.message).toContain(field);
});

test.each([
  ["group", group],
  ["identity", identity],
])("a %s answered with another name is an error that keeps its uid", async (_noun, kind) => {
  const parent = await fixture.parent();
  const inputs = await fixture.inputs(kind, parent);
  const rewrite = { name: "someone else's" };
  const uids = new RegExp(`${kind.collection.segment}/${parent}(/|$)`).source;
  await fixture.platform.fault({ method: "POST", path: kind.collection.segment }, { rewrite });
  await fixture.platform.fault({ method: "GET", path: `${uids}.+` }, { rewrite }, { times: 0 });
  const error = await failureOf(declare(kind, inputs, fixture.run()));
  expect(error).toBeInstanceOf(CreatedButFailed);
  expect(error["uid"]).toBe((await fixture.children(kind, parent))[0]?.uid);
});

const wider = { claimMatch: { issuer: "https://issuer.example", subjectPattern: ".*" } };

test.each([
  ["description", group, { description: "as the platform likes" }],
  ["claimMatch", identity, wider],
])("a %s that the platform makes otherwise than it was sent is an error that keeps its uid", async (field, kind, rewrite) => {
  const parent = await fixture.parent();
  for (const method of ["POST", "GET"])
    await fixture.platform.fault({ method, path: kind.collection.segment }, { rewrite }, { times: 0 });
  const error = await failureOf(declare(kind, await fixture.inputs(kind, parent), fixture.run()));
  expect(error).toBeInstanceOf(CreatedButFailed);
  expect(error).toMatchObject({ uid: (await fixture.children(kind, parent))[0]?.uid, state: rewrite });
  expect(error.message).toContain(field);
  expect(error.message).not.toContain("as declared");
});

test.each<[string, Kind, object]>([
  ["a claim match and a description", identity, { claimMatch: null, description: "" }],
  ["a name", group, { name: "" }],
  ["an identity", roleBinding, { identity: null }],
])("an answer that leaves %s out is completed by reading the object", async (_what, kind, rewrite) => {
  const inputs = await fixture.inputs(kind, await fixture.place(kind));
  await fixture.platform.fault({ method: "POST", path: kind.collection.segment }, { rewrite });
  expect((await declare(kind, inputs, fixture.run())).outs).toMatchObject(inputs);
});

test.each(kinds)("a %s is made in an empty place of a platform whose empty List is {}", async (_noun, kind) => {
  await fixture.platform.settings({ omitDefaults: true, omitTotalCount: true });
  const inputs = await fixture.inputs(kind, await fixture.place(kind));
  expect((await declare(kind, inputs, fixture.run())).outs).toMatchObject(inputs);
});

test.each(kinds)("a %s is sent as it is declared, without its parent and adopt, and comes back with it", async (_noun, kind) => {
  const parent = await fixture.place(kind);
  const inputs = await fixture.inputs(kind, parent);
  await fixture.platform.clearRequests();
  const { id, outs } = await declare(kind, { ...inputs, adopt: false }, fixture.run());
  const { [kind.parentInput]: _, ...fields } = inputs;
  expect(await fixture.platform.writes()).toMatchObject([
    {
      method: "POST",
      path: `/${kind.collection.area}/v2beta1/${kind.collection.segment}/${parent}`,
      body: sentOf(kind, fields),
    },
  ]);
  expect(outs).toMatchObject(inputs);
  if ("createTime" in kind.fields) expect(outs["createTime"]).toMatch(/^\d{4}-/);
  expect((await fixture.children(kind, parent)).map((row) => row.uid)).toEqual([id]);
});

test("state of a binding names identity, group and role, and holds no more of them", async () => {
  const { outs } = await declare(roleBinding, await fixture.inputs(roleBinding, await fixture.parent()), fixture.run());
  expect(Object.keys(outs).sort()).toEqual(["createTime", "group", "identity", "identityUid", "parentUid", "role", "roleUid"]);
  expect(outs["role"]).toEqual({ name: "viewer" });
  expect(Object.keys(outs["identity"] as object)).toEqual(["name"]);
});

test("a rejection by the platform keeps its message, and names the object", async () => {
  const parent = await fixture.parent();
  await fixture.platform.fault({ method: "POST" }, { status: 400, code: 3, message: "Invalid argument: no such thing" });
  const error = await failureOf(declare(group, { parentUid: parent, name: "refused" }, fixture.run()));
  expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
  expect(error.message).toContain(`create group "refused" under ${parent}`);
  expect(error.message).toContain("Invalid argument: no such thing");
});

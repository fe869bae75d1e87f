import { CreatedButFailed } from "../../../provider/resources/creating/created-but-failed";
import type { Kind } from "../../../provider/schema/kind";
import { declare, expectFailure, group, identity, kinds, ResourceFixture } from "../../support/resource-fixture";
import { roleBinding, sentOf, timedKinds } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();

// Without a creation time, an answer does not prove that this create made the object.
test.each(timedKinds)("a %s that the platform makes under another parent is an error that keeps its uid", async (_noun, kind) => {
  const [parent, other] = [await fixture.place(kind), await fixture.place(kind)];
  const inputs = await fixture.inputs(kind, parent);
  const uid = `${other}/0123456789abcdef`;
  await fixture.platform.fault(
    { method: "POST", path: kind.collection.segment },
    { rewrite: { uid, group: { uid: other }, [kind.parentInput]: other } },
  );
  const error = await expectFailure(declare(kind, inputs, fixture.run()), "WRONG_OBJECT", uid, parent);
  expect(error).toBeInstanceOf(CreatedButFailed);
  expect(error).toMatchObject({ uid, state: { [kind.parentInput]: other } });
});

const stranger = { identity: { uid: "0123456789abcdef/stranger", name: "stranger" } };
const owner = { role: { uid: "0000000000000000000000000000000000000000", name: "owner" } };
const wider = { claimMatch: { issuer: "https://issuer.example", subjectPattern: ".*" } };

test.each<[string, Kind, object, string]>([
  ["a binding answered with another identity", roleBinding, stranger, "identityUid"],
  ["a binding answered with another role", roleBinding, owner, "roleUid"],
  ["a binding answered with no identity", roleBinding, { identity: null }, "identityUid"],
  ["a group answered with another name", group, { name: "someone else's" }, "name"],
  ["an identity answered with another name", identity, { name: "someone else's" }, "name"],
  ["a group answered with another description", group, { description: "as the platform likes" }, "description"],
  ["an identity answered with another claim match", identity, wider, "claimMatch"],
])("%s than was sent is an error that keeps its uid", async (_what, kind, rewrite, field) => {
  const parent = await fixture.parent();
  const inputs = await fixture.inputs(kind, parent);
  const { segment } = kind.collection;
  await fixture.platform.fault({ method: "POST", path: segment }, { rewrite }, { times: 0 });
  await fixture.platform.fault({ method: "GET", path: `${segment}/${parent}/` }, { rewrite }, { times: 0 });
  const error = await expectFailure(declare(kind, inputs, fixture.run()), "WRONG_OBJECT", field);
  expect(error).toBeInstanceOf(CreatedButFailed);
  expect(await fixture.uids(kind, parent)).toEqual([error["uid"]]);
  if (field === "description" || field === "claimMatch") expect(error).toMatchObject({ state: rewrite });
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
  const path = `/${kind.collection.area}/v2beta1/${kind.collection.segment}/${parent}`;
  expect(await fixture.platform.writes()).toMatchObject([{ method: "POST", path, body: sentOf(kind, fields) }]);
  expect(outs).toMatchObject(inputs);
  if ("createTime" in kind.fields) expect(outs["createTime"]).toMatch(/^\d{4}-/);
  expect(await fixture.uids(kind, parent)).toEqual([id]);
});

test("state of a binding names identity, group and role, and holds no more of them", async () => {
  const { outs } = await fixture.made(roleBinding);
  expect(Object.keys(outs).sort()).toEqual([
    "createTime",
    "group",
    "identity",
    "identityUid",
    "login",
    "parentUid",
    "role",
    "roleUid",
  ]);
  expect(outs["role"]).toEqual({ name: "viewer" });
  expect(Object.keys(outs["identity"] as object)).toEqual(["name"]);
});

test("a rejection by the platform keeps its message, and names the object", async () => {
  const parentUid = await fixture.parent();
  await fixture.platform.fault({ method: "POST" }, { status: 400, code: 3, message: "no such thing" });
  const creating = declare(group, { parentUid, name: "refused" }, fixture.run());
  await expectFailure(creating, "INVALID_ARGUMENT", `create group "refused" under ${parentUid}`, "no such thing");
});

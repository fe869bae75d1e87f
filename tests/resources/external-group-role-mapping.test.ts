import { check } from "../../provider/resources/object/check";
import { remove } from "../../provider/resources/object/delete";
import { refresh } from "../../provider/resources/object/read";
import { declare, expectFailure, externalGroupRoleMapping, identityProvider, ResourceFixture } from "../support/resource-fixture";

const fixture = ResourceFixture.forFile();

const kind = externalGroupRoleMapping;

test.each([
  ["externalGroupId", "others"],
  ["roleUid", "b2"],
  ["scope", "c/3"],
  ["identityProviderUid", "a/b/c"],
])("another %s replaces it, the new one first: it is another mapping", async (name, value) => {
  const made = await fixture.made(kind);
  expect(made.diff({ [name]: value })).toEqual({ changes: true, replaces: [name], deleteBeforeReplace: false });
});

test("a mapping to another role by hand is drift", async () => {
  const made = await fixture.made(kind);
  await made.byHand({ roleUid: await fixture.platform.role("owner") });
  expect((await made.refreshed()).diff().replaces).toEqual(["roleUid"]);
});

test("its identity provider is read from the answer, or from its uid where the answer omits it", async () => {
  const { inputs, uid: id } = await fixture.made(kind);
  await fixture.platform.fault({ method: "GET", path: `${id}$` }, { rewrite: { identityProviderUid: null } });
  expect((await refresh(kind, id, {}, fixture.run()))?.inputs).toEqual(inputs);
});

test("an answer that names another identity provider than its uid is rejected", async () => {
  const { uid: id } = await fixture.made(kind);
  await fixture.platform.fault({ method: "GET", path: `${id}$` }, { rewrite: { identityProviderUid: "a/b" } }, { times: 0 });
  await expectFailure(refresh(kind, id, {}, fixture.run()), "UNEXPECTED_ANSWER", "names an identity provider that it is not in");
});

test("the parent is an identity provider: the uid of a group is not found, and nothing is sent", async () => {
  const inputs = await fixture.inputs(kind, await fixture.parent());
  await expectFailure(declare(kind, inputs, fixture.run()), "NOT_FOUND", "parent identity provider");
  expect(await fixture.asked("POST")).toEqual([]);
});

test("one that went with its identity provider is gone", async () => {
  const made = await fixture.made(kind);
  await fixture.platform.delete("identityProviders", made.place);
  expect(await made.refresh()).toBeUndefined();
  await made.remove();
});

test("every argument is required, and each failure names its own", () => {
  const { failures } = check({ kind, olds: {}, news: {} }, fixture.run());
  expect(failures.map(({ property }) => property).sort()).toEqual(["externalGroupId", "identityProviderUid", "roleUid", "scope"]);
});

test("an identity provider that mappings block is not deleted, and the error names them", async () => {
  const { uid, place } = await fixture.made(kind);
  await fixture.platform.fault({ method: "DELETE" }, { status: 400, code: 9, message: "in use" }, { times: 0 });
  const run = fixture.run({ timing: { budgetMs: 1_500 } });
  await expectFailure(
    remove(identityProvider, place, { parentUid: "a", name: "x" }, run),
    "FAILED_PRECONDITION",
    `blocked by external group role mapping (${uid})`,
  );
});

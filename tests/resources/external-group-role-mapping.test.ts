import { check } from "../../provider/resources/object/check";
import { remove } from "../../provider/resources/object/delete";
import { diff } from "../../provider/resources/object/diff";
import { refresh } from "../../provider/resources/object/read";
import { declare, expectFailure, externalGroupRoleMapping, identityProvider } from "../support/resource-fixture";
import { ResourceFixture } from "../support/resource-fixture";

const fixture = ResourceFixture.forFile();

const kind = externalGroupRoleMapping;

/** A mapping that another run made. */
async function existing() {
  const inputs = await fixture.inputs(kind, await fixture.place(kind));
  const { id, outs } = await declare(kind, inputs, fixture.run());
  await fixture.platform.clearRequests();
  return { inputs, id, outs };
}

test.each([
  ["externalGroupId", "others"],
  ["roleUid", "b2"],
  ["scope", "c/3"],
  ["identityProviderUid", "a/b/c"],
])("another %s replaces it, the new one first: it is another mapping", async (name, value) => {
  const { inputs, id, outs } = await existing();
  expect(diff({ kind, uid: id, olds: outs, news: { ...inputs, [name]: value } }, fixture.run())).toEqual({
    changes: true,
    replaces: [name],
    deleteBeforeReplace: false,
  });
});

test("a mapping to another role by hand is drift", async () => {
  const { inputs, id, outs } = await existing();
  await fixture.platform.change(kind.collection.segment, id, { roleUid: await fixture.platform.role("owner") });
  const seen = await refresh(kind, id, outs, fixture.run());
  expect(diff({ kind, uid: id, olds: seen?.props ?? {}, news: inputs }, fixture.run()).replaces).toEqual(["roleUid"]);
});

test("its identity provider is read from the answer, or from its uid where the answer omits it", async () => {
  const { inputs, id } = await existing();
  await fixture.platform.fault({ method: "GET", path: `${id}$` }, { rewrite: { identityProviderUid: null } });
  expect((await refresh(kind, id, {}, fixture.run()))?.inputs).toEqual(inputs);
});

test("an answer that names another identity provider than its uid is rejected", async () => {
  const { id } = await existing();
  await fixture.platform.fault({ method: "GET", path: `${id}$` }, { rewrite: { identityProviderUid: "a/b" } }, { times: 0 });
  await expectFailure(refresh(kind, id, {}, fixture.run()), "UNEXPECTED_ANSWER", "names an identity provider that it is not in");
});

test("the parent is an identity provider: the uid of a group is not found, and nothing is sent", async () => {
  const inputs = await fixture.inputs(kind, await fixture.parent());
  await expectFailure(declare(kind, inputs, fixture.run()), "NOT_FOUND", "parent identity provider");
  expect(await fixture.asked("POST")).toEqual([]);
});

test("one that went with its identity provider is gone", async () => {
  const { inputs, id, outs } = await existing();
  await fixture.platform.delete("identityProviders", String(inputs["identityProviderUid"]));
  expect(await refresh(kind, id, outs, fixture.run())).toBeUndefined();
  await remove(kind, id, outs, fixture.run());
});

test("every argument is required, and each failure names its own", () => {
  const { failures } = check(kind, {}, {}, fixture.run());
  expect(failures.map(({ property }) => property).sort()).toEqual(["externalGroupId", "identityProviderUid", "roleUid", "scope"]);
});

test("an identity provider that mappings block is not deleted, and the error names them", async () => {
  const { inputs, id } = await existing();
  const provider = String(inputs["identityProviderUid"]);
  await fixture.platform.fault({ method: "DELETE" }, { status: 400, code: 9, message: "in use" }, { times: 0 });
  const run = fixture.run({ timing: { budgetMs: 1_500 } });
  await expectFailure(
    remove(identityProvider, provider, { parentUid: "a", name: "x" }, run),
    "FAILED_PRECONDITION",
    `blocked by external group role mapping (${id})`,
  );
});

import { create } from "../../../provider/resources/creating/create";
import { update } from "../../../provider/resources/object/update";
import { accountAssociation, expectFailure, group, identity, ResourceFixture, roleBinding } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile({ propagationMs: 10_000 });

const claimMatch = { issuer: "https://issuer.example", subject: "someone" };

test("a create under a group of this run waits until the group has propagated", async () => {
  await fixture.platform.settings({ propagationMs: 1_500 });
  const run = fixture.run();
  const parent = await create(group, { parentUid: fixture.platform.root, name: fixture.name() }, run);
  const child = await create(group, { parentUid: parent.id, name: fixture.name() }, run);
  expect(child.id.startsWith(`${parent.id}/`)).toBe(true);
  const answers = (await fixture.platform.writes()).map((request) => request.status);
  expect(answers.slice(0, 2)).toEqual([200, 403]);
  expect(answers.filter((status) => status === 200)).toHaveLength(2);
});

test("the wait is bounded, and then the platform's message is reported", async () => {
  const run = fixture.run({ timing: { propagationMs: 100 } });
  const parent = await create(group, { parentUid: fixture.platform.root, name: fixture.name() }, run);
  const denied = { status: 403, code: 7, message: "not yours" };
  await fixture.platform.fault({ method: "POST" }, denied, { times: 0 });
  const creating = create(identity, { parentUid: parent.id, name: fixture.name(), claimMatch }, run);
  await expectFailure(creating, "PERMISSION_DENIED", "not yours");
});

test("about objects that existed before, a 403 is final at once", async () => {
  const run = fixture.run();
  const parentUid = await fixture.parent();
  await fixture.platform.fault({ method: "POST" }, { status: 403, code: 7, message: "not yours" }, { times: 0 });
  await fixture.platform.clearRequests();
  await expectFailure(create(group, { parentUid, name: fixture.name() }, run), "PERMISSION_DENIED");
  expect(await fixture.platform.writes()).toHaveLength(1);
});

test("a binding waits for an identity of this run, with one fresh token", async () => {
  const run = fixture.run();
  const parentUid = await fixture.parent();
  const { id } = await create(identity, { parentUid, name: fixture.name(), claimMatch }, run);
  const renewed = jest.spyOn(run.client, "renewToken");
  const missing = { status: 404, code: 5, message: "no such identity" };
  await fixture.platform.fault({ method: "POST", path: "/roleBindings/" }, missing, { times: 2 });
  const binding = await create(roleBinding, { parentUid, identityUid: id, roleUid: fixture.viewer }, run);
  expect(binding.id.startsWith(`${parentUid}/`)).toBe(true);
  expect(renewed).toHaveBeenCalledTimes(1);
});

test("a binding that changes to an identity of this run waits for it too, with one fresh token", async () => {
  const parentUid = await fixture.parent();
  const olds = { parentUid, identityUid: await fixture.identity(), roleUid: fixture.viewer };
  const binding = await create(roleBinding, olds, fixture.run());
  const run = fixture.run();
  const { id: identityUid } = await create(identity, { parentUid, name: fixture.name(), claimMatch }, run);
  const renewed = jest.spyOn(run.client, "renewToken");
  await fixture.platform.fault({ method: "PATCH" }, { status: 404, code: 5, message: "no such identity" }, { times: 2 });
  expect(
    await update({ kind: roleBinding, uid: binding.id, olds: binding.outs, news: { ...olds, identityUid } }, run),
  ).toMatchObject({ identityUid });
  expect(renewed).toHaveBeenCalledTimes(1);
});

test("an update that names nothing of this run fails at once", async () => {
  const made = await fixture.made(group);
  await fixture.platform.fault({ method: "PATCH" }, { status: 403, code: 7, message: "not yours" }, { times: 0 });
  await expectFailure(made.update({ name: fixture.name() }), "PERMISSION_DENIED");
  expect(await fixture.platform.writes()).toHaveLength(1);
});

test("an object that names an identity of this run deep in a message waits for it", async () => {
  const run = fixture.run();
  const parentUid = await fixture.parent();
  const service = { servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" };
  const { id } = await create(identity, { parentUid, name: fixture.name(), ...service }, run);
  const denied = { status: 403, code: 7, message: "not yet" };
  await fixture.platform.fault({ method: "POST", path: "/accountAssociations/" }, denied, { times: 2 });
  const serviceBindings = { ingester: id };
  const { outs } = await create(accountAssociation, { parentUid, name: fixture.name(), chainguard: { serviceBindings } }, run);
  expect(outs).toMatchObject({ chainguard: { serviceBindings } });
});

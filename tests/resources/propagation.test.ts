import { create } from "../../provider/resources/creating/create";
import { group, identity, Lab, roleBinding } from "./lab";

let lab: Lab;

beforeAll(async () => {
  lab = await Lab.start();
});

beforeEach(() => lab.reset());

afterAll(() => lab.close());

const claimMatch = { issuer: "https://issuer.example", subject: "someone" };

test("a create under a group that this run made waits until the platform knows the group", async () => {
  await lab.platform.settings({ propagationMs: 1_500 });
  const run = lab.run();
  const parent = await create(group, { parentUid: lab.platform.root, name: lab.name() }, run);
  const child = await create(group, { parentUid: parent.id, name: lab.name() }, run);
  expect(child.id.startsWith(`${parent.id}/`)).toBe(true);
  const answers = (await lab.platform.writes()).map((request) => request.status);
  expect(answers.slice(0, 2)).toEqual([200, 403]);
  expect(answers.filter((status) => status === 200)).toHaveLength(2);
});

test("the wait is bounded, and the platform's own words end it", async () => {
  const run = lab.run({ timing: { propagationMs: 100 } });
  const parent = await create(group, { parentUid: lab.platform.root, name: lab.name() }, run);
  const denied = { status: 403, code: 7, message: "not yours" };
  await lab.platform.fault({ method: "POST" }, denied, { times: 0 });
  await expect(create(identity, { parentUid: parent.id, name: lab.name(), claimMatch }, run)).rejects.toMatchObject({
    code: "PERMISSION_DENIED",
    message: expect.stringContaining("not yours") as string,
  });
});

test("about objects that were there before, a 403 is final at once", async () => {
  const run = lab.run();
  const parentUid = await lab.parent();
  await lab.platform.fault({ method: "POST" }, { status: 403, code: 7, message: "not yours" }, { times: 0 });
  await lab.platform.clearRequests();
  await expect(create(group, { parentUid, name: lab.name() }, run)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  expect(await lab.platform.writes()).toHaveLength(1);
});

test("a binding waits for the identity that this run made, with one fresh token", async () => {
  const run = lab.run();
  const parentUid = await lab.parent();
  const { id } = await create(identity, { parentUid, name: lab.name(), claimMatch }, run);
  const renewed = jest.spyOn(run.client, "renewToken");
  await lab.platform.fault(
    { method: "POST", path: "/roleBindings/" },
    { status: 404, code: 5, message: "no such identity" },
    { times: 2 },
  );
  const binding = await create(roleBinding, { parentUid, identityUid: id, roleUid: lab.viewer }, run);
  expect(binding.id.startsWith(`${parentUid}/`)).toBe(true);
  expect(renewed).toHaveBeenCalledTimes(1);
});

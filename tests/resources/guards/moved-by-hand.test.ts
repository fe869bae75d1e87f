import { remove } from "../../../provider/resources/delete";
import { update } from "../../../provider/resources/update";
import { type ExpectRefused, ownAccess, type RoleUids, type Runner } from "../../support/own-access";
import { ResourceFixture, roleBinding } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();
let roleUids: RoleUids;
let runner: () => Promise<Runner>;
let expectRefused: ExpectRefused;

beforeAll(async () => {
  ({ roleUids, runner, expectRefused } = await ownAccess(fixture));
});

describe("a binding that was moved to the caller by hand, which the state does not know", () => {
  const moved = async () => {
    const { place, uid, bind, run } = await runner();
    const other = await bind(place, "owner", await fixture.identity());
    await fixture.platform.change("roleBindings", other.uid, { identityUid: uid });
    return { place, uid, bind, run, other };
  };

  test("is rejected", async () => {
    const { run, other } = await moved();
    await expectRefused(remove(roleBinding, other.uid, other.state, await run()), other.uid);
  });

  test("is rejected if it gets a weaker role, or another identity", async () => {
    const { run, other } = await moved();
    for (const change of [{ roleUid: roleUids.viewer }, { identityUid: await fixture.identity() }])
      await expectRefused(update(roleBinding, other.uid, other.state, { ...other.state, ...change }, await run()), other.uid);
  });

  test("is deleted where another binding gives as much", async () => {
    const { bind, run, other } = await moved();
    await bind(fixture.platform.root, "owner");
    await remove(roleBinding, other.uid, other.state, await run());
    expect((await fixture.platform.objects("roleBindings")).map(({ uid }) => uid)).not.toContain(other.uid);
  });

  test("is found by one List in a run, however many bindings it deletes; without a caller by none", async () => {
    const { place, uid, bind, run } = await runner();
    await bind(place, "owner");
    const others = await Promise.all([1, 2, 3].map(async () => bind(place, "viewer", await fixture.identity())));
    const lists = async () =>
      (await fixture.platform.requests()).filter(({ query }) => new URLSearchParams(query).get("identity") === uid).length;
    const first = await run();
    await fixture.platform.clearRequests();
    for (const other of others.slice(1)) await remove(roleBinding, other.uid, other.state, first);
    expect(await lists()).toBe(1);
    await fixture.platform.clearRequests();
    const [last] = others;
    const unknown = await run({ caller: undefined });
    await remove(roleBinding, last?.uid ?? "", last?.state ?? {}, unknown);
    expect(await lists()).toBe(0);
  });
});

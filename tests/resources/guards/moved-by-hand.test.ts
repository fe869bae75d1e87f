import { OwnAccess } from "../../support/own-access";
import { ResourceFixture } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();
const own = OwnAccess.forFile(fixture);

describe("a binding that was moved to the caller by hand, which the state does not know", () => {
  const moved = async () => {
    const runner = await own.runner();
    const other = await runner.bind(runner.place, "owner", await fixture.identity());
    await other.byHand({ identityUid: runner.uid });
    return { ...runner, other };
  };

  test("is rejected, also if it gets a weaker role, or another identity", async () => {
    const { run, other } = await moved();
    await own.expectRefused(other.remove(await run()), other.uid);
    for (const change of [{ roleUid: own.roleUids.viewer }, { identityUid: await fixture.identity() }])
      await own.expectRefused(other.update(change, await run()), other.uid);
  });

  test("is deleted where another binding gives as much", async () => {
    const { bind, run, other } = await moved();
    await bind(fixture.platform.root, "owner");
    await other.remove(await run());
    expect(await other.exists()).toBe(false);
  });

  test("is found by one List in a run, however many bindings it deletes; without a caller by none", async () => {
    const { place, uid, bind, run } = await own.runner();
    await bind(place, "owner");
    const others = await Promise.all([1, 2, 3].map(async () => bind(place, "viewer", await fixture.identity())));
    const lists = async () =>
      (await fixture.platform.requests()).filter(({ query }) => new URLSearchParams(query).get("identity") === uid).length;
    const [known, unknown] = [await run(), await run({ caller: undefined })];
    await fixture.platform.clearRequests();
    for (const other of others.slice(1)) await other.remove(known);
    expect(await lists()).toBe(1);
    await fixture.platform.clearRequests();
    await others[0]?.remove(unknown);
    expect(await lists()).toBe(0);
  });
});

import { setImmediate as turn } from "node:timers/promises";
import { remove } from "../../../provider/resources/delete";
import { ownAccess, type Runner } from "../../support/own-access";
import { group, ResourceFixture, roleBinding } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();
let runner: () => Promise<Runner>;

beforeAll(async () => {
  ({ runner } = await ownAccess(fixture));
});

test("a deletion of own access does not wait for that of a group which contains such access", async () => {
  const { place, bind, run } = await runner();
  const own = await bind(place, "owner");
  const outer = await fixture.colleague(group, { parentUid: place, name: fixture.name("outer") });
  const inner = await fixture.colleague(group, { parentUid: outer.uid, name: fixture.name("inner") });
  await bind(outer.uid, "owner");
  const deep = await bind(inner.uid, "owner");
  const one = await run({ allowSelfLockout: true, timing: { attemptMs: 20_000, budgetMs: 20_000, propagationMs: 30 } });
  const ownDeletion = { begun: undefined as Promise<unknown> | undefined, isOver: false };
  fixture.proxy.interfere = async ({ method, path }, forward) => {
    if (method === "DELETE" && path.includes(deep.uid) && ownDeletion.begun === undefined) {
      ownDeletion.begun = remove(roleBinding, own.uid, own.state, one)
        .catch(() => undefined)
        .finally(() => (ownDeletion.isOver = true));
      while (!ownDeletion.isOver && !one.deletions.has(roleBinding.collection, own.uid)) await turn();
    }
    return forward();
  };
  await remove(group, outer.uid, { parentUid: place, name: outer["name"], forceDestroy: true }, one).catch(() => undefined);
  await ownDeletion.begun;
  expect(ownDeletion.isOver).toBe(true);
  const uids = (await fixture.platform.objects("roleBindings")).map(({ uid }) => uid);
  expect(uids).not.toContain(own.uid);
});

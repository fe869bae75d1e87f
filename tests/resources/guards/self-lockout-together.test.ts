import type { Inputs } from "../../../provider/kinds/kind";
import { role } from "../../../provider/kinds/role";
import { remove } from "../../../provider/resources/delete";
import { update } from "../../../provider/resources/update";
import { type ExpectRefused, ownAccess, type RoleUids, type Runner } from "../../support/own-access";
import { expectFailure, ResourceFixture, roleBinding } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();
let roleUids: RoleUids;
let runner: () => Promise<Runner>;
let expectRefused: ExpectRefused;

beforeAll(async () => {
  ({ roleUids, runner, expectRefused } = await ownAccess(fixture));
});

describe("changes of one run that are under way together", () => {
  const capabilities = ["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLES_LIST", "CAP_IAM_ROLES_UPDATE", "CAP_IAM_ROLE_BINDINGS_LIST"];

  const custom = async (parentUid: string) => {
    const inputs = { parentUid, name: fixture.name("role"), capabilities };
    return { inputs, uid: (await fixture.platform.create("roles", parentUid, { name: inputs.name, capabilities })).uid };
  };
  const weaker = ({ inputs }: { inputs: Inputs }) => ({ ...inputs, capabilities: capabilities.slice(0, 1) });

  /** Lets no PATCH pass until `count` updates are decided. */
  const gate = (count: number) => {
    let decided = 0;
    let open: () => void;
    const opened = new Promise<void>((resolve) => (open = resolve));
    fixture.proxy.interfere = async ({ method }) => {
      if (method === "PATCH") {
        if (++decided === count) open();
        await opened;
      }
      return undefined;
    };
    return (work: Promise<unknown>) =>
      work.catch((error: unknown) => {
        if (++decided === count) open();
        throw error;
      });
  };

  test("of two roles that cover for each other one stays as it is, however they are weakened", async () => {
    for (const isAtOnce of [true, false]) {
      const { place, bind, run } = await runner();
      const both = [await custom(place), await custom(place)];
      for (const { uid } of both) await bind(place, { uid });
      const one = await run();
      const updates = both.map((each) => () => update(role, each.uid, each.inputs, weaker(each), one));
      const outcomes: PromiseSettledResult<unknown>[] = [];
      if (isAtOnce) {
        const decided = gate(2);
        outcomes.push(...(await Promise.allSettled(updates.map((start) => decided(start())))));
      } else for (const start of updates) outcomes.push(...(await Promise.allSettled([start()])));
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const now = (await fixture.platform.objects("roles")).filter(({ uid }) => both.some((each) => each.uid === uid));
      expect(now.map((row) => (row["capabilities"] as string[]).length).sort()).toEqual([1, capabilities.length]);
    }
  });

  test("a role that is being weakened covers for no binding", async () => {
    const { place, bind, run } = await runner();
    const [covering, other] = [await custom(place), await custom(place)];
    await bind(place, { uid: covering.uid });
    const own = await bind(place, { uid: other.uid });
    const one = await run();
    expect((await one.selfLockout.beforeUpdate(role, covering.uid, covering.inputs, weaker(covering))).endsOwnAccess).toBe(false);
    await expectRefused(remove(roleBinding, own.uid, own.state, one), "CAP_IAM_ROLES_UPDATE");
  });

  test("a role that a binding of the caller is being given is not weakened", async () => {
    const { place, bind, run } = await runner();
    const [old, next] = [await custom(place), await custom(place)];
    const own = await bind(place, { uid: old.uid });
    const one = await run();
    await one.selfLockout.beforeUpdate(roleBinding, own.uid, own.state, { ...own.state, roleUid: next.uid });
    await expectRefused(update(role, next.uid, next.inputs, weaker(next), one), "CAP_IAM_ROLES_UPDATE");
  });

  test("a role whose update the platform rejects covers for others again", async () => {
    const { place, bind, run } = await runner();
    const both = [await custom(place), await custom(place)];
    for (const { uid } of both) await bind(place, { uid });
    const [failing, other] = both as [(typeof both)[0], (typeof both)[0]];
    await fixture.platform.fault({ method: "PATCH", path: failing.uid }, { status: 400, code: 3, message: "not now" });
    const one = await run();
    await expectFailure(update(role, failing.uid, failing.inputs, weaker(failing), one), "INVALID_ARGUMENT");
    await update(role, other.uid, other.inputs, weaker(other), one);
  });

  test("a binding that this run has given a stronger role covers for the one that is deleted after it", async () => {
    const { place, bind, run } = await runner();
    const [raised, old] = [await bind(place, "viewer"), await bind(place, "owner")];
    const owner = (await fixture.platform.objects("roles")).find(({ name }) => name === "owner");
    const same = { name: fixture.name("role"), capabilities: owner?.["capabilities"] };
    const { uid: roleUid } = await fixture.platform.create("roles", place, same);
    const one = await run();
    await update(roleBinding, raised.uid, raised.state, { ...raised.state, roleUid }, one);
    await remove(roleBinding, old.uid, old.state, one);
    expect((await fixture.platform.objects("roleBindings")).map(({ uid }) => uid)).not.toContain(old.uid);
  });

  test("a binding covers for others with no more than it gives before and after its update", async () => {
    const { place, bind, run } = await runner();
    const [raised, old] = [await bind(place, "viewer"), await bind(place, "editor")];
    const one = await run();
    await one.selfLockout.beforeUpdate(roleBinding, raised.uid, raised.state, { ...raised.state, roleUid: roleUids.editor });
    await expectRefused(remove(roleBinding, old.uid, old.state, one));
    const [lowered, second] = [await bind(place, "owner"), await bind(place, "owner")];
    await one.selfLockout.beforeUpdate(roleBinding, lowered.uid, lowered.state, { ...lowered.state, roleUid: roleUids.viewer });
    await expectRefused(remove(roleBinding, second.uid, second.state, one));
  });
});

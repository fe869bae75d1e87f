import { setImmediate as turn } from "node:timers/promises";
import { isDelete, isPatch, on } from "../../support/interference";
import { begin, deletionIn, OwnAccess, updateOf } from "../../support/own-access";
import { expectFailure, group, type Resource, ResourceFixture } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();
const own = OwnAccess.forFile(fixture);

describe("changes of one run that are under way together", () => {
  const capabilities = ["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLES_LIST", "CAP_IAM_ROLES_UPDATE", "CAP_IAM_ROLE_BINDINGS_LIST"];
  const weaker = { capabilities: capabilities.slice(0, 1) };

  /** A runner, two equal roles in its group, and its binding to each. */
  async function twoRoles() {
    const runner = await own.runner();
    const roles = [await runner.role(capabilities), await runner.role(capabilities)] as const;
    const bind = ({ uid }: Resource) => runner.bind(runner.place, uid);
    return { ...runner, roles, bindings: [await bind(roles[0]), await bind(roles[1])] as const };
  }

  /** Lets no PATCH pass until `count` updates are decided. */
  const gate = (count: number) => {
    let decided = 0;
    const opened = Promise.withResolvers<undefined>();
    const decide = () => {
      if (++decided === count) opened.resolve(undefined);
    };
    fixture.proxy.interfere = on(isPatch, async () => {
      decide();
      return opened.promise;
    });
    return (work: Promise<unknown>) =>
      work.catch((error: unknown) => {
        decide();
        throw error;
      });
  };

  test.each([true, false])(
    "of two roles that cover for each other one stays as it is, weakened at once: %s",
    async (isAtOnce) => {
      const { roles, run } = await twoRoles();
      const one = await run();
      const outcomes: PromiseSettledResult<unknown>[] = [];
      if (isAtOnce) {
        const decided = gate(2);
        outcomes.push(...(await Promise.allSettled(roles.map((each) => decided(each.update(weaker, one))))));
      } else for (const each of roles) outcomes.push(...(await Promise.allSettled([each.update(weaker, one)])));
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const now = await Promise.all(roles.map((each) => each.stored()));
      expect(now.map((row) => (row?.["capabilities"] as string[]).length).sort()).toEqual([1, capabilities.length]);
    },
  );

  test("a role that is being weakened covers for no binding", async () => {
    const { roles, bindings, run } = await twoRoles();
    const one = await run();
    expect(await begin(one, updateOf(roles[0], weaker))).toBe(false);
    await own.expectRefused(bindings[1].remove(one), "CAP_IAM_ROLES_UPDATE");
  });

  test("a role that a binding of the caller is being given is not weakened", async () => {
    const { place, role, bind, run } = await own.runner();
    const [old, next] = [await role(capabilities), await role(capabilities)];
    const binding = await bind(place, old.uid);
    const one = await run();
    await begin(one, updateOf(binding, { roleUid: next.uid }));
    await own.expectRefused(next.update(weaker, one), "CAP_IAM_ROLES_UPDATE");
  });

  test("a role whose update the platform rejects covers for others again", async () => {
    const { roles, run } = await twoRoles();
    const [failing, other] = roles;
    await fixture.platform.fault({ method: "PATCH", path: failing.uid }, { status: 400, code: 3, message: "not now" });
    const one = await run();
    await expectFailure(failing.update(weaker, one), "INVALID_ARGUMENT");
    await other.update(weaker, one);
  });

  test("a binding that this run has given a stronger role covers for the one that is deleted after it", async () => {
    const { place, role, bind, run } = await own.runner();
    const [raised, old] = [await bind(place, "viewer"), await bind(place, "owner")];
    const one = await run();
    await raised.update({ roleUid: (await role(own.owned)).uid }, one);
    await old.remove(one);
    expect(await old.exists()).toBe(false);
  });

  test.each([
    ["raised", "viewer", "editor", "editor"],
    ["lowered", "owner", "viewer", "owner"],
  ] as const)("a binding that is being %s covers for no other", async (...[, from, to, of]) => {
    const { place, bind, run } = await own.runner();
    const [changing, other] = [await bind(place, from), await bind(place, of)];
    const one = await run();
    await begin(one, updateOf(changing, { roleUid: own.roleUids[to] }));
    await own.expectRefused(other.remove(one));
  });
});

test("a change that was rejected, or not sent, leaves what others count on", async () => {
  const { place, bind, run } = await own.runner();
  const [one, other] = [await bind(place, "owner"), await bind(place, "owner")];
  const mine = await run();
  const change = deletionIn(one);
  await begin(mine, change);
  mine.guards.ownAccess.after(change, "rejected");
  await other.remove(mine);
  await own.expectRefused(one.remove(mine));
});

test("two processes do not know what the other one has begun: each may take what the other counts on", async () => {
  const { place, bind, run } = await own.runner();
  const [one, other] = [await bind(place, "owner"), await bind(place, "owner")];
  expect(await begin(await run(), deletionIn(one))).toBe(false);
  expect(await begin(await run(), deletionIn(other))).toBe(false);
});

test("a deletion of own access does not wait for that of a group which contains such access", async () => {
  const { place, bind, run } = await own.runner();
  const mine = await bind(place, "owner");
  const outer = await fixture.theirs(group, { parentUid: place, forceDestroy: true });
  const inner = await fixture.theirs(group, { parentUid: outer.uid });
  await bind(outer.uid, "owner");
  const deep = await bind(inner.uid, "owner");
  const one = await run({ allowSelfLockout: true });
  const deletion = { begun: undefined as Promise<unknown> | undefined, isOver: false };
  fixture.proxy.interfere = on(isDelete, async (forward, { path }) => {
    if (path.includes(deep.uid) && deletion.begun === undefined) {
      deletion.begun = mine
        .remove(one)
        .catch(() => undefined)
        .finally(() => (deletion.isOver = true));
      while (!deletion.isOver && !one.ledger.deletions.has(mine.kind.collection, mine.uid)) await turn();
    }
    return forward();
  });
  await outer.remove(one).catch(() => undefined);
  await deletion.begun;
  expect([deletion.isOver, await mine.exists()]).toEqual([true, false]);
});

test("identity, role and binding of the caller, deleted at once, do not wait for each other in a circle", async () => {
  await fixture.platform.settings({ tokenGrants: "snapshot" });
  const { place, me, role, bind, run } = await own.runner();
  const custom = await role(own.owned);
  const all = [me, custom, await bind(place, custom.uid)];
  const one = await run({ allowSelfLockout: true });
  await Promise.all(all.map((each) => each.remove(one)));
  for (const each of all) expect(await each.exists()).toBe(false);
});

test.each(["first", "last"])(
  "what the deletion of a role waits for goes before other bindings, which the caller needs for that: requested %s",
  async (order) => {
    const { place, role, bind, run } = await own.runner();
    const strong = await bind(place, (await role(own.owned.filter((each) => each !== "CAP_REPO_DELETE"))).uid);
    const weakRole = await role(["CAP_REPO_DELETE", "CAP_IAM_GROUPS_LIST"]);
    const weak = await bind(place, weakRole.uid);
    const all = [weakRole, ...(order === "last" ? [strong, weak] : [weak, strong])];
    const one = await run({ allowSelfLockout: true });
    await Promise.all(all.map((each) => each.remove(one)));
    for (const each of all) expect(await each.exists()).toBe(false);
  },
);

import type { Inputs, Kind } from "../../../provider/schema/kind";
import { create } from "../../../provider/resources/creating/create";
import type { Interference } from "../../support/fault-proxy";
import { instead, isListOf, isPost, listOf, on, refusal } from "../../support/interference";
import { checked, declare, expectFailure, failureOf, group, identity } from "../../support/resource-fixture";
import { keyedKinds, ResourceFixture, timedKinds } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile({ attemptMs: 1_500 });

/** Loses the answer of the first POST, after `before`, and applies it or not. */
const lost = (before: () => Promise<unknown>, isApplied = false): Interference =>
  on(
    isPost,
    async (forward) => {
      await before();
      if (isApplied) await forward();
      return "reset" as const;
    },
    { count: 1 },
  );

const old = { createTime: "2020-01-01T00:00:00.000Z" };
const wanted = async () => ({ parentUid: await fixture.parent(), name: "wanted", description: "as declared" });

// Kinds without a creation time: tests/resources/registry.test.ts and group-invite.test.ts.
const timed = timedKinds.filter((row) => keyedKinds.includes(row));

test.each(timed)(
  "in doubt about a %s, adopt takes the one equal object, once the lost request can no longer be applied",
  async (_noun, kind) => {
    const inputs = await fixture.inputs(kind, await fixture.place(kind));
    let uid = "";
    fixture.proxy.interfere = lost(async () => ({ uid } = await fixture.colleague(kind, inputs, old)));
    const start = fixture.clock.now();
    const { id } = await declare(kind, { ...inputs, adopt: true }, fixture.run({ timing: { attemptMs: 1_000 } }));
    expect(fixture.clock.now() - start).toBeGreaterThanOrEqual(1_000);
    expect([[id], await fixture.uids(kind, inputs[kind.parentInput])]).toEqual([[uid], [uid]]);
  },
);

test.each(timed.filter(([, kind]) => !kind.sharesUid))(
  "in doubt about a %s, two objects stay an error that names both, and does not advise to set adopt",
  async (_noun, kind) => {
    const inputs = await fixture.inputs(kind, await fixture.place(kind));
    await fixture.platform.settings({ duplicateNames: true });
    fixture.proxy.interfere = lost(() => fixture.colleague(kind, inputs, old), true);
    const { message } = await expectFailure(declare(kind, { ...inputs, adopt: true }, fixture.run()), "OUTCOME_UNKNOWN");
    const both = await fixture.uids(kind, inputs[kind.parentInput]);
    expect(both).toHaveLength(2);
    for (const uid of both) expect(message).toContain(uid);
    expect(message).not.toContain("set `adopt");
  },
);

describe("when the second attempt answers ALREADY_EXISTS", () => {
  /** Hides the colleague's object from Lists until the second POST, which meets it. */
  const meetsLater = (fields: object, inputs: Inputs): Interference => {
    let posts = 0;
    return async (asked, forward) => {
      if (isPost(asked) && ++posts === 1) {
        await fixture.colleague(group, inputs, fields);
        return "reset";
      }
      const answer = await forward();
      return isListOf(group)(asked) && posts === 1 && answer.body.includes('"wanted"') ? listOf(group) : answer;
    };
  };

  test("adopt takes the equal object", async () => {
    const inputs = await wanted();
    fixture.proxy.interfere = meetsLater(old, inputs);
    const { id } = await declare(group, { ...inputs, adopt: true }, fixture.run());
    expect(await fixture.uids(group, inputs.parentUid)).toEqual([id]);
  });

  test("adopt rejects one that differs, showing the difference, and does not advise to set adopt", async () => {
    const inputs = await wanted();
    fixture.proxy.interfere = meetsLater({ ...old, description: "theirs" }, inputs);
    const creating = declare(group, { ...inputs, adopt: true }, fixture.run());
    const error = await expectFailure(creating, "OUTCOME_UNKNOWN", 'description "theirs"');
    expect(error.message).not.toContain("set `adopt");
  });

  test("without adopt the error names the object and the setting", async () => {
    const inputs = await wanted();
    fixture.proxy.interfere = meetsLater(old, inputs);
    const error = await expectFailure(declare(group, inputs, fixture.run()), "OUTCOME_UNKNOWN", "set `adopt: true`");
    expect(error.message).toContain((await fixture.uids(group, inputs.parentUid))[0]);
  });
});

test("an object that appears before a POST that is not in doubt is never taken, however new and equal it is", async () => {
  const inputs = await wanted();
  fixture.proxy.interfere = on(isPost, async (forward) => {
    await fixture.colleague(group, inputs);
    return forward();
  });
  await expectFailure(declare(group, inputs, fixture.run()), "KEY_TAKEN");
});

describe("a kind without a natural key", () => {
  const keyless: Kind = { ...group, naturalKey: [], lookup: () => ({}) };
  beforeEach(() => fixture.platform.settings({ duplicateNames: true }));

  test("is created as often as it is declared, beside equal objects of others", async () => {
    const { uid, inputs, place } = await fixture.theirs(group);
    const run = fixture.run({ adopt: true });
    const ids = [await declare(keyless, inputs, run), await declare(keyless, inputs, run)].map(({ id }) => id);
    expect(await fixture.uids(group, place)).toEqual([uid, ...ids].sort());
  });

  test.each([true, false])("is created once when its answer is lost, applied: %p", async (isApplied) => {
    const { uid, inputs, place } = await fixture.theirs(group);
    await fixture.platform.change("groups", uid, old);
    fixture.proxy.interfere = lost(() => Promise.resolve(), isApplied);
    const { id } = await declare(keyless, inputs, fixture.run());
    expect(await fixture.uids(group, place)).toEqual([uid, id].sort());
  });

  test("under a name instead of a uid is rejected", async () => {
    await expectFailure(declare(keyless, { parentUid: "platform", name: "x" }, fixture.run()), "NOT_FOUND");
    expect(await fixture.asked("POST")).toEqual([]);
  });
});

describe("one deadline bounds a create", () => {
  const timing = { attemptMs: 2_000, budgetMs: 3_000, propagationMs: 100_000, firstDelayMs: 500, longestDelayMs: 500 };

  test("while it looks up the key: nothing is sent", async () => {
    const inputs = await wanted();
    fixture.proxy.interfere = on(isListOf(group), instead("silence"));
    const error = await failureOf(declare(group, inputs, fixture.run({ timing: { ...timing, attemptMs: 60_000 } })));
    expect(["NOT_CONNECTED", "TIMEOUT"]).toContain(error["code"]);
    expect(await fixture.asked("POST")).toEqual([]);
  });

  test("while answer after answer is lost, and says that the object may exist", async () => {
    const inputs = await wanted();
    fixture.proxy.interfere = on(isPost, instead("silence"));
    await expectFailure(declare(group, inputs, fixture.run({ timing })), "OUTCOME_UNKNOWN");
  });

  test("while objects of this run propagate", async () => {
    const run = fixture.run({ timing });
    const { id } = await declare(group, await wanted(), run);
    fixture.proxy.interfere = on(isPost, instead(refusal(403, 7)));
    await failureOf(declare(group, { parentUid: id, name: "child" }, run));
  });
});

test.each<[string, Kind]>(keyedKinds)(
  "the user sees that a %s was adopted, and nothing created or replaced",
  async (_noun, kind) => {
    const { uid, inputs } = await fixture.theirs(kind);
    const { run, told } = fixture.told({ adopt: true });
    await declare(kind, inputs, run);
    expect(told).toEqual([expect.stringMatching(new RegExp(`${uid}.*nothing was created or replaced`))]);
  },
);

test("the user sees nothing about an object that was created", async () => {
  const { run, told } = fixture.told();
  await declare(group, await wanted(), run);
  expect(told).toEqual([]);
});

describe("a key that is taken", () => {
  const keyOf = ({ parentUid, name }: Inputs) => JSON.stringify(["groups", parentUid, name]);

  test.each([
    // A replacement that the provider did not ask for.
    ["the object of a resource that the engine replaces names deleteBeforeReplace", {}, "set `deleteBeforeReplace: true`"],
    ["a move from there that may have failed half-way names adopt", { parentUid: "elsewhere" }, "set `adopt: true`"],
  ])("by %s first", async (_what, moved, wayOut) => {
    const { uid, inputs } = await fixture.theirs(group);
    const run = fixture.run();
    checked({ kind: group, olds: {}, news: inputs }, run);
    run.ledger.declarations.check(keyOf(inputs), { old: keyOf({ ...inputs, ...moved }) });
    run.ledger.declarations.check(keyOf(inputs), { old: null });
    const { message } = await expectFailure(declare(group, inputs, run), "KEY_TAKEN", uid, wayOut);
    expect(message.includes("deleteBeforeReplace")).toBe(wayOut.includes("deleteBeforeReplace"));
  });

  test("by another resource of the program says so", async () => {
    const theirs = await fixture.theirs(group);
    const run = fixture.run();
    theirs.declared(run);
    await expectFailure(declare(group, theirs.inputs, run), "KEY_TAKEN", "of this program both declare");
    // A resource of another provider, whose check is elsewhere.
    await expectFailure(create(group, theirs.inputs, run), "KEY_TAKEN", theirs.uid, "Another resource");
  });

  test.each([false, true])(
    "by a resource that is renamed in the same run says to do it in two updates, adopt: %s",
    async (adopt) => {
      const theirs = await fixture.theirs(group);
      const run = fixture.run({ adopt });
      const renamed = { name: fixture.name("renamed") };
      theirs.declared(run, renamed);
      const { message } = await expectFailure(declare(group, theirs.inputs, run), "KEY_TAKEN", "in two updates");
      expect(message).not.toContain("Remove one");
      // Once it is renamed, nothing is in the way.
      await theirs.update(renamed, run);
      expect((await declare(group, theirs.inputs, fixture.run())).id).not.toBe(theirs.uid);
    },
  );

  test("is that of an object by its collection and its uid: one of another collection with the same uid is deleted", async () => {
    const theirs = await fixture.theirs(identity);
    const held = { parentUid: theirs.place, name: "held" };
    const run = fixture.run();
    checked({ kind: group, olds: {}, news: held }, run);
    run.ledger.claim(group, theirs.uid, { key: keyOf(held) });
    expect([run.ledger.has(group, theirs.uid), run.ledger.has(identity, theirs.uid)]).toEqual([true, false]);
    await theirs.remove(run);
    expect(await theirs.exists()).toBe(false);
  });
});

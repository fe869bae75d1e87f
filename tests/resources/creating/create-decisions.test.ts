import { PendingCreates } from "../../../provider/resources/creating/pending-creates";
import type { Inputs, Kind } from "../../../provider/kinds/kind";
import { check } from "../../../provider/resources/check";
import { diff } from "../../../provider/resources/diff";
import { remove } from "../../../provider/resources/delete";
import { update } from "../../../provider/resources/update";
import type { Answer, Interference } from "../../support/fault-proxy";
import { declare, failureOf, group, identity, keyedKinds, ResourceFixture } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile({ attemptMs: 1_500 });

const emptyList: Answer = {
  status: 200,
  headers: { "content-type": "application/json" },
  body: '{"groups":[],"identities":[],"roleBindings":[],"nextPageToken":"","totalCount":"0"}',
};

/** Loses the answer of the first POST, after `before`, and applies it or not. */
function lost(before: () => Promise<unknown>, isApplied = false): Interference {
  let isFirst = true;
  return async ({ method }, forward) => {
    if (method !== "POST" || !isFirst) return forward();
    isFirst = false;
    await before();
    if (isApplied) await forward();
    return "reset";
  };
}

const old = { createTime: "2020-01-01T00:00:00.000Z" };

// Kinds without a creation time: tests/resources/registry.test.ts and group-invite.test.ts.
const timedKinds = keyedKinds.filter(([, { fields }]) => "createTime" in fields);

describe.each(timedKinds)("in doubt about a %s, with adopt", (_noun, kind) => {
  const inputs = async (): Promise<Inputs> => fixture.inputs(kind, await fixture.place(kind));

  test("the one equal object of another owner is adopted, once the lost request can no longer be applied", async () => {
    const wanted = await inputs();
    let uid = "";
    fixture.proxy.interfere = lost(async () => ({ uid } = await fixture.colleague(kind, wanted, old)));
    const start = fixture.clock.now();
    const { id } = await declare(kind, { ...wanted, adopt: true }, fixture.run({ timing: { attemptMs: 1_000 } }));
    expect(id).toBe(uid);
    expect(fixture.clock.now() - start).toBeGreaterThanOrEqual(1_000);
    expect(await fixture.children(kind, String(wanted[kind.parentInput]))).toHaveLength(1);
  });
});

describe.each(timedKinds.filter(([, kind]) => !kind.sharesUid))("in doubt about a %s, with adopt", (_noun, kind) => {
  test("two objects stay an error that names both, and does not advise to set adopt", async () => {
    const wanted = await fixture.inputs(kind, await fixture.place(kind));
    await fixture.platform.settings({ duplicateNames: true });
    fixture.proxy.interfere = lost(() => fixture.colleague(kind, wanted, old), true);
    const error = await failureOf(declare(kind, { ...wanted, adopt: true }, fixture.run()));
    expect(error).toMatchObject({ code: "OUTCOME_UNKNOWN" });
    const rows = await fixture.children(kind, String(wanted[kind.parentInput]));
    expect(rows).toHaveLength(2);
    for (const { uid } of rows) expect(error.message).toContain(uid);
    expect(error.message).not.toContain("set `adopt");
  });
});

describe("when the second attempt answers ALREADY_EXISTS", () => {
  /** Hides the colleague's object from Lists until the second POST, which meets it. */
  const meetsLater = (fields: object, wanted: Inputs): Interference => {
    let posts = 0;
    return async ({ method, path }, forward) => {
      if (method === "POST" && ++posts === 1) {
        await fixture.colleague(group, wanted, fields);
        return "reset";
      }
      return method === "GET" && path.endsWith("/groups") && posts === 1 ? hidden(await forward()) : forward();
    };
  };
  const hidden = (answer: Answer): Answer => (answer.body.includes('"wanted"') ? emptyList : answer);
  const inputs = async () => ({ parentUid: await fixture.parent(), name: "wanted", description: "as declared" });

  test("adopt takes the equal object", async () => {
    const wanted = await inputs();
    fixture.proxy.interfere = meetsLater(old, wanted);
    const { id } = await declare(group, { ...wanted, adopt: true }, fixture.run());
    expect((await fixture.children(group, wanted.parentUid)).map(({ uid }) => uid)).toEqual([id]);
  });

  test("adopt rejects one that differs, showing the difference, and does not advise to set adopt", async () => {
    const wanted = await inputs();
    fixture.proxy.interfere = meetsLater({ ...old, description: "theirs" }, wanted);
    const error = await failureOf(declare(group, { ...wanted, adopt: true }, fixture.run()));
    expect(error).toMatchObject({ code: "OUTCOME_UNKNOWN" });
    expect(error.message).toContain('description "theirs"');
    expect(error.message).not.toContain("set `adopt");
  });

  test("without adopt the error names the object and the setting", async () => {
    const wanted = await inputs();
    fixture.proxy.interfere = meetsLater(old, wanted);
    const error = await failureOf(declare(group, wanted, fixture.run()));
    const [theirs] = await fixture.children(group, wanted.parentUid);
    expect(error).toMatchObject({ code: "OUTCOME_UNKNOWN" });
    expect(error.message).toContain(theirs?.uid);
    expect(error.message).toContain("set `adopt: true`");
  });
});

test("an object that appears before a POST that is not in doubt is never taken, however new and equal it is", async () => {
  const wanted = await fixture.inputs(group, await fixture.parent());
  fixture.proxy.interfere = async ({ method }, forward) => {
    if (method === "POST") await fixture.colleague(group, wanted);
    return forward();
  };
  expect(await failureOf(declare(group, wanted, fixture.run()))).toMatchObject({ code: "KEY_TAKEN" });
});

describe("a kind without a natural key", () => {
  const keyless: Kind = { ...group, naturalKey: [], lookup: () => ({}) };
  const inputs = async () => ({ parentUid: await fixture.parent(), name: "same", description: "as declared" });
  beforeEach(() => fixture.platform.settings({ duplicateNames: true }));

  test("is created as often as it is declared, beside equal objects of others", async () => {
    const wanted = await inputs();
    const theirs = (await fixture.colleague(group, wanted)).uid;
    const run = fixture.run({ adopt: true });
    const ids = [await declare(keyless, wanted, run), await declare(keyless, wanted, run)].map(({ id }) => id);
    expect((await fixture.children(group, wanted.parentUid)).map(({ uid }) => uid).sort()).toEqual([theirs, ...ids].sort());
  });

  test.each([true, false])("is created once when its answer is lost, applied: %p", async (isApplied) => {
    const wanted = await inputs();
    const { uid: theirs } = await fixture.colleague(group, wanted, old);
    fixture.proxy.interfere = lost(() => Promise.resolve(), isApplied);
    const { id } = await declare(keyless, wanted, fixture.run());
    expect((await fixture.children(group, wanted.parentUid)).map(({ uid }) => uid).sort()).toEqual([theirs, id].sort());
  });

  test("under a name instead of a uid is rejected", async () => {
    expect(await failureOf(declare(keyless, { parentUid: "platform", name: "x" }, fixture.run()))).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await fixture.asked("POST")).toEqual([]);
  });
});

describe("one deadline bounds a create", () => {
  const timing = { attemptMs: 2_000, budgetMs: 3_000, propagationMs: 100_000, firstDelayMs: 500, longestDelayMs: 500 };

  test("while it looks up the key: nothing is sent", async () => {
    const parentUid = await fixture.parent();
    fixture.proxy.interfere = ({ path }, forward) => (path.endsWith("/groups") ? "silence" : forward());
    const run = fixture.run({ timing: { ...timing, attemptMs: 60_000 } });
    const error = await failureOf(declare(group, { parentUid, name: "slow" }, run));
    expect(["NOT_CONNECTED", "TIMEOUT"]).toContain(error["code"]);
    expect(await fixture.asked("POST")).toEqual([]);
  });

  test("while answer after answer is lost, and says that the object may exist", async () => {
    const parentUid = await fixture.parent();
    fixture.proxy.interfere = ({ method }, forward) => (method === "POST" ? "silence" : forward());
    const error = await failureOf(declare(group, { parentUid, name: "slow" }, fixture.run({ timing })));
    expect(error).toMatchObject({ code: "OUTCOME_UNKNOWN" });
  });

  test("while objects of this run propagate", async () => {
    const run = fixture.run({ timing });
    const { id } = await declare(group, { parentUid: await fixture.parent(), name: "new" }, run);
    fixture.proxy.interfere = ({ method }, forward) =>
      method === "POST" ? { ...emptyList, status: 403, body: '{"code":7,"message":"not yet"}' } : forward();
    await failureOf(declare(group, { parentUid: id, name: "child" }, run));
  });
});

describe("the user sees", () => {
  test.each<[string, Kind]>(keyedKinds)("that a %s was adopted, and nothing created or replaced", async (_noun, kind) => {
    const inputs = await fixture.inputs(kind, await fixture.place(kind));
    const { uid } = await fixture.colleague(kind, inputs);
    const notify = jest.fn();
    await declare(kind, inputs, fixture.run({ adopt: true, notify }));
    expect(notify).toHaveBeenCalledTimes(1);
    expect(notify).toHaveBeenCalledWith(expect.stringMatching(new RegExp(`${uid}.*nothing was created or replaced`)));
  });

  test("nothing about an object that was created", async () => {
    const notify = jest.fn();
    await declare(
      group,
      await fixture.inputs(group, await fixture.parent()),
      fixture.run({ notify, pendingCreates: new PendingCreates() }),
    );
    expect(notify).not.toHaveBeenCalled();
  });
});

describe("a key that is taken", () => {
  test("by the object of a resource that the engine replaces names deleteBeforeReplace first", async () => {
    const inputs = await fixture.inputs(group, await fixture.parent());
    const { uid } = await fixture.colleague(group, inputs);
    const run = fixture.run();
    // A replacement that the provider did not ask for.
    check(group, {}, inputs, run);
    run.declarations.checked(keyOfGroup(inputs), keyOfGroup(inputs));
    run.declarations.checked(keyOfGroup(inputs), null);
    const error = await failureOf(declare(group, inputs, run));
    expect(error.message).toContain(uid);
    expect(error.message).toContain("probably its own old object: set `deleteBeforeReplace: true`");
  });

  test("where the engine moves the resource names adopt: a move from there may have failed half-way", async () => {
    const inputs = await fixture.inputs(group, await fixture.parent());
    await fixture.colleague(group, inputs);
    const run = fixture.run();
    check(group, {}, inputs, run);
    run.declarations.checked(keyOfGroup(inputs), keyOfGroup({ ...inputs, parentUid: fixture.platform.root }));
    run.declarations.checked(keyOfGroup(inputs), null);
    const { message } = await failureOf(declare(group, inputs, run));
    expect(message).toMatch(/moved it away from here and failed .* set `adopt: true`/);
    expect(message).not.toContain("deleteBeforeReplace");
  });

  test("by another resource of the program says so", async () => {
    const inputs = await fixture.inputs(group, await fixture.parent());
    const { uid } = await fixture.colleague(group, inputs);
    const run = fixture.run();
    check(group, {}, inputs, run);
    diff(group, uid, inputs, inputs, run);
    expect((await failureOf(declare(group, inputs, run))).message).toContain("Another resource of this program manages it");
  });

  test.each([false, true])("by a resource that is renamed in the same run says to run again, adopt: %s", async (adopt) => {
    const inputs = await fixture.inputs(group, await fixture.parent());
    const { uid } = await fixture.colleague(group, inputs);
    const run = fixture.run({ adopt });
    const renamed = { ...inputs, name: fixture.name("renamed") };
    check(group, {}, renamed, run);
    diff(group, uid, inputs, renamed, run);
    const { message } = await failureOf(declare(group, inputs, run));
    expect(message).toContain("gives up this name");
    expect(message).toContain("Run again");
    expect(message).not.toContain("Remove one of the two");
    // Once it is renamed, nothing is in the way.
    await update(group, uid, inputs, renamed, run);
    expect((await declare(group, inputs, fixture.run())).id).not.toBe(uid);
  });
});

test("an object is identified by its collection and its uid: one of another collection with the same uid is deleted", async () => {
  const inputs = await fixture.inputs(identity, await fixture.parent());
  const run = fixture.run();
  check(group, {}, { parentUid: inputs["parentUid"], name: "held" }, run);
  const { uid } = await fixture.colleague(identity, inputs);
  run.claim(group, uid, keyOfGroup({ parentUid: inputs["parentUid"], name: "held" }));
  expect([run.holds(group, uid), run.holds(identity, uid)]).toEqual([true, false]);
  await remove(identity, uid, inputs, run);
  expect(await fixture.children(identity, String(inputs["parentUid"]))).toEqual([]);
});

function keyOfGroup({ parentUid, name }: Inputs): string {
  return JSON.stringify(["groups", parentUid, name]);
}

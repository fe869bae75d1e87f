import { PlatformClient } from "../../../provider/client/client";
import { monotonicClock } from "../../../provider/client/clock";
import { PlatformError } from "../../../provider/client/errors";
import { interruptedBy } from "../../../provider/client/interruption";
import { newRun } from "../../../provider/resources/run/new-run";
import type { Kind } from "../../../provider/schema/kind";
import { create } from "../../../provider/resources/creating/create";
import { isPost, on, refusal } from "../../support/interference";
import { declare, expectFailure, group, identity } from "../../support/resource-fixture";
import { keyedKinds, kinds, ResourceFixture } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();

describe("the parent", () => {
  const child = async () => ({ parentUid: await fixture.parent(), name: "child" });

  test.each(kinds)("of a %s by the end of its uid is refused", async (_noun, kind) => {
    const tail = (await fixture.place(kind)).split("/").at(-1) ?? "";
    await expectFailure(create(kind, await fixture.inputs(kind, tail), fixture.run()), "NOT_FOUND");
    expect(await fixture.asked("POST")).toEqual([]);
  });

  test("is rejected with the right uid if the platform resolved a name or a partial uid", async () => {
    const uid = await fixture.parent();
    const body = JSON.stringify({ uid });
    await fixture.platform.fault({ method: "GET", path: "/groups/platform$" }, { status: 200, body });
    await expectFailure(declare(group, { parentUid: "platform", name: "g" }, fixture.run()), "WRONG_OBJECT", uid);
    expect(await fixture.asked("POST")).toEqual([]);
  });

  test("is read once and its children listed once for all creates of a kind", async () => {
    const { parentUid } = await child();
    const run = fixture.run();
    await fixture.platform.clearRequests();
    await Promise.all(Array.from({ length: 20 }, (_, index) => declare(group, { parentUid, name: `g${index}` }, run)));
    await declare(group, { parentUid, name: "later" }, run);
    expect(await fixture.asked("GET")).toEqual([`/iam/v2beta1/groups/${parentUid}`, "/iam/v2beta1/groups"]);
    expect(await fixture.asked("POST")).toHaveLength(21);
  });

  test("that this run created is neither read nor listed", async () => {
    const run = fixture.run();
    const { id } = await declare(group, await child(), run);
    await fixture.platform.clearRequests();
    const made: Record<string, string> = { groups: id };
    for (const [, kind] of kinds) {
      const inputs = await fixture.inputs(kind, made[kind.parents.segment] ?? "");
      made[kind.collection.segment] ??= (await declare(kind, inputs, run)).id;
    }
    expect(await fixture.asked("GET")).toEqual([]);
  });

  test("that was adopted is listed: it may contain objects of others", async () => {
    const run = fixture.run({ adopt: true });
    const team = await fixture.theirs(group);
    expect((await declare(group, team.inputs, run)).id).toBe(team.uid);
    const inside = await fixture.theirs(group, { parentUid: team.uid });
    expect((await declare(group, inside.inputs, run)).id).toBe(inside.uid);
  });

  test("and its List are skipped where they may not be read, after one request for all", async () => {
    const { parentUid } = await child();
    await fixture.platform.fault({ method: "GET" }, { status: 403, code: 7 }, { times: 0 });
    const run = fixture.run();
    await fixture.platform.clearRequests();
    for (const name of ["a", "b", "c"]) await declare(group, { parentUid, name }, run);
    expect(await fixture.asked("GET")).toHaveLength(2);
    expect(await fixture.children(group, parentUid)).toHaveLength(3);
  });

  test("that cannot be read for another reason stops the create", async () => {
    const inputs = await child();
    await fixture.platform.fault({ method: "GET", path: inputs.parentUid }, { status: 500, code: 13 }, { times: 0 });
    await expectFailure(declare(group, inputs, fixture.run()), "INTERNAL");
    expect(await fixture.asked("POST")).toEqual([]);
  });

  test("that is deleted before the POST is reported as not found", async () => {
    const inputs = await child();
    fixture.proxy.interfere = on(isPost, async (forward) => {
      await fixture.platform.delete("groups", inputs.parentUid);
      return forward();
    });
    await expectFailure(declare(group, inputs, fixture.run()), "NOT_FOUND", "the parent, or");
  });
});

describe("a natural key that is taken", () => {
  /** A parent of which this run has the List. */
  async function listed(options = {}) {
    const [parentUid, run] = [await fixture.parent(), fixture.run(options)];
    return { parentUid, run, declare: (name: string) => declare(group, { parentUid, name }, run) };
  }

  test.each(keyedKinds)("by a %s is an error that names its uid and the three ways on", async (_noun, kind) => {
    const { uid, inputs } = await fixture.theirs(kind);
    await expectFailure(declare(kind, inputs, fixture.run()), "KEY_TAKEN", uid, "aliases", "another name", "adopt: true");
    expect(await fixture.asked("POST")).toEqual([]);
  });

  test("in an old List is looked up again, and is free if it was released", async () => {
    const all = await listed();
    const gone = await fixture.theirs(group, { parentUid: all.parentUid, name: "gone" });
    const renamed = await fixture.theirs(group, { parentUid: all.parentUid, name: "renamed" });
    await all.declare("first");
    await gone.deletedByHand();
    await renamed.byHand({ name: "elsewhere" });
    for (const name of ["gone", "renamed"]) await all.declare(name);
    const names = (await fixture.children(group, all.parentUid)).map((row) => row.name);
    expect(names.sort()).toEqual(["elsewhere", "first", "gone", "renamed"]);
  });

  test.each([false, true])("by another caller after the List is an error that names the uid, or adopted: %s", async (adopt) => {
    const all = await listed({ adopt });
    await all.declare("first");
    const { uid } = await fixture.theirs(group, { parentUid: all.parentUid, name: "quick", description: undefined });
    if (adopt) expect((await all.declare("quick")).id).toBe(uid);
    else await expectFailure(all.declare("quick"), "KEY_TAKEN", uid);
  });

  test("where no List may be read keeps the platform's message", async () => {
    const { inputs, place } = await fixture.theirs(group, { name: "quick", description: undefined });
    await fixture.platform.fault({ method: "GET" }, { status: 403, code: 7 }, { times: 0 });
    await expectFailure(declare(group, inputs, fixture.run()), "ALREADY_EXISTS", `group "quick" under ${place}`);
  });

  test.each(keyedKinds)("by another %s of the same program is refused, whatever adopt says", async (_noun, kind) => {
    const [inputs, run] = [await fixture.inputs(kind, await fixture.place(kind)), fixture.run({ adopt: true })];
    await declare(kind, inputs, run);
    await expectFailure(create(kind, inputs, run), "KEY_TAKEN", "of this program both declare");
    expect(await fixture.asked("POST")).toHaveLength(1);
  });

  test("two at the same time create one object", async () => {
    const all = await listed();
    const settled = await Promise.allSettled([all.declare("twin"), all.declare("twin")]);
    expect(settled.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await fixture.children(group, all.parentUid)).toHaveLength(1);
  });

  test("keys of different kinds and parents do not collide", async () => {
    const [one, two, run] = [await fixture.parent(), await fixture.parent(), fixture.run()];
    const claimMatch = { issuer: "https://issuer.example", subject: "s" };
    for (const parentUid of [one, two]) await declare(group, { parentUid, name: "same" }, run);
    await declare(identity, { parentUid: one, name: "same", claimMatch }, run);
    expect(await fixture.asked("POST")).toHaveLength(3);
  });
});

describe("adopt", () => {
  describe.each<[string, object, object]>([
    ["of the resource", { adopt: true }, {}],
    ["of the run", {}, { adopt: true }],
  ])("%s", (_whose, more, options) => {
    test.each(keyedKinds)("takes over the equal %s without writing", async (_noun, kind) => {
      const { uid, inputs } = await fixture.theirs(kind);
      expect(await declare(kind, { ...inputs, ...more }, fixture.run(options))).toMatchObject({ id: uid, outs: inputs });
      expect(await fixture.platform.writes()).toEqual([]);
    });
  });

  test("false on a resource overrides that of the run", async () => {
    const { inputs } = await fixture.theirs(group);
    await expectFailure(declare(group, { ...inputs, adopt: false }, fixture.run({ adopt: true })), "KEY_TAKEN");
  });

  const issuer = "https://issuer.example";
  test.each<[string, Kind, object, string]>([
    ["another description", group, { description: "theirs" }, "theirs"],
    ["no description", group, { description: "" }, "description nothing"],
    ["a wider claim match", identity, { claimMatch: { issuer, subjectPattern: ".*" } }, "subjectPattern"],
    ["an audience in the claim match", identity, { claimMatch: { issuer, subject: "s", audience: "a" } }, "audience"],
  ])(
    "rejects one with %s, showing the platform's values and not the program's, which may be secret",
    async (_what, kind, fields, shown) => {
      const inputs = await fixture.inputs(kind, await fixture.place(kind));
      const { uid } = await fixture.colleague(kind, inputs, fields);
      const error = await expectFailure(declare(kind, { ...inputs, adopt: true }, fixture.run()), "KEY_TAKEN", uid, shown);
      expect(error.message).not.toContain("as declared");
      expect(await fixture.platform.writes()).toEqual([]);
    },
  );

  test("rejects a choice between several", async () => {
    const { uid, inputs } = await fixture.theirs(group);
    const other = await fixture.colleague(group, inputs);
    await expectFailure(declare(group, { ...inputs, adopt: true }, fixture.run()), "AMBIGUOUS", uid, other.uid);
  });

  test("creates what does not exist yet", async () => {
    const inputs = { parentUid: await fixture.parent(), name: "new" };
    const { id } = await declare(group, { ...inputs, adopt: true }, fixture.run());
    expect(await fixture.uids(group, inputs.parentUid)).toEqual([id]);
  });
});

test.each([
  ["a 429, before the next attempt", 429, 8],
  ["a 401, while it waits for another token", 401, 16],
  ["a 403 under a group of this run, while it waits for a fresh token", 403, 7],
])("a create that a time limit ends after %s: nothing was created", async (_when, status, code) => {
  const ending = new AbortController();
  const passes = () => {
    ending.abort(new PlatformError("CALLER_ABORTED", "The time limit has passed."));
    return new Promise<never>(() => undefined);
  };
  const token = await fixture.platform.apiToken();
  let isRejected = false;
  const tokens = { token: () => (isRejected ? passes() : Promise.resolve(token)), forget: () => true, renew: passes };
  const clock = status === 429 ? { ...monotonicClock, sleep: passes } : fixture.clock;
  const run = newRun(new PlatformClient({ baseUrl: fixture.proxy.baseUrl, apiVersion: "v2beta1", tokens, clock }));
  const parent = await create(group, { parentUid: fixture.platform.root, name: fixture.name() }, run);
  fixture.proxy.interfere = on(isPost, () => {
    isRejected = status === 401;
    return refusal(status, code);
  });
  const limited = { waits: ending.signal, sent: ending.signal };
  const creating = () => create(group, { parentUid: parent.id, name: fixture.name() }, run);
  await expectFailure(interruptedBy(limited, creating), "NOT_CONNECTED", "not accepted in time", "Nothing was created.");
});

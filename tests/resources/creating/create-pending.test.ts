import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Inputs, naturalKeyOf, type Kind } from "../../../provider/kinds/kind";
import { PendingCreates, type PendingCreatesOptions } from "../../../provider/resources/creating/pending-creates";
import { check } from "../../../provider/resources/check";
import { diff } from "../../../provider/resources/diff";
import { declare, failureOf, group, keyedKinds, ResourceFixture, subscription, tag } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile({ attemptMs: 1_500 });
let folder: string;

/** Ids of the process that was killed, and of the one that runs now. */
const [killedPid, ownPid] = [1, 2];

/** What one process notes and finds: the one that runs now, unless `options` say otherwise. */
const journal = (options: PendingCreatesOptions = {}) =>
  new PendingCreates({ folder, pid: ownPid, isAlive: () => false, closesWithEngine: true, ...options });
const killed = (options: PendingCreatesOptions = {}) => journal({ pid: killedPid, ...options });
/** A run of this moment. */
const nextRun = (options: PendingCreatesOptions = {}, more = {}) => fixture.run({ pendingCreates: journal(options), ...more });
const keyFor = (kind: Kind, inputs: Inputs) => naturalKeyOf(kind, inputs) ?? "";
const isKnown = (kind: Kind, inputs: Inputs) => journal().find(keyFor(kind, inputs), 10_000) !== undefined;

beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), "pending-")), "creates");
});
afterEach(async () => {
  await rm(path.dirname(folder), { recursive: true, force: true });
});

/** Notes a create of `inputs` as a process does that is killed right after it was sent. */
function noteSent(kind: Kind, inputs: Inputs, forMs = 10_000, by = killed()): void {
  by.sent(keyFor(kind, inputs), forMs, { kind: kind.collection.segment, serverTime: Date.now() - 1_000 });
}

// A killed run of other kinds: tests/resources/group-invite.test.ts. Without a creation time, only an answered create is evidence.
const timedKinds = keyedKinds.filter(([, { fields }]) => "createTime" in fields);

describe.each(timedKinds)("a create of a %s that a killed run left behind", (_, kind) => {
  test("is taken back by the next run when it was sent and applied, without a write", async () => {
    const inputs = await fixture.inputs(kind, await fixture.place(kind));
    noteSent(kind, inputs);
    const { uid } = await fixture.colleague(kind, inputs);
    const { id, outs } = await declare(kind, inputs, nextRun());
    expect(id).toBe(uid);
    expect(outs).toMatchObject(inputs);
    expect(await fixture.platform.writes()).toEqual([]);
  });

  test("is taken back by the next run when it was answered and the state was not saved", async () => {
    const inputs = await fixture.inputs(kind, await fixture.place(kind));
    const { id: made } = await declare(kind, inputs, fixture.run({ pendingCreates: killed() }));
    expect((await declare(kind, inputs, nextRun())).id).toBe(made);
    // The next run is killed too.
    expect((await declare(kind, inputs, nextRun({ pid: 3 }))).id).toBe(made);
  });

  test("and that is applied after the next run has listed is found by that run, which creates no duplicate", async () => {
    await fixture.platform.settings({ duplicateNames: true });
    const parent = await fixture.place(kind);
    const inputs = await fixture.inputs(kind, parent);
    noteSent(kind, inputs);
    const creating = declare(kind, inputs, nextRun({}, { timing: { attemptMs: 10_000 } }));
    while (!(await fixture.asked("GET")).some((asked) => asked.includes(`/${kind.collection.segment}`)));
    const { uid } = await fixture.colleague(kind, inputs);
    expect((await creating).id).toBe(uid);
    expect((await fixture.children(kind, parent)).map((child) => child.uid)).toEqual([uid]);
  });

  test("and that is never applied is waited for no longer than a call may take", async () => {
    const parent = await fixture.place(kind);
    const inputs = await fixture.inputs(kind, parent);
    noteSent(kind, inputs, 3_600_000);
    const start = fixture.clock.now();
    const { id } = await declare(kind, inputs, nextRun());
    expect(fixture.clock.now() - start).toBeGreaterThanOrEqual(400);
    expect((await fixture.children(kind, parent)).map((child) => child.uid)).toEqual([id]);
  });
});

describe("an object that a killed run did not provably create needs adopt", () => {
  const inputsOf = async () => fixture.inputs(group, await fixture.parent());

  /** The next run refuses the object that a colleague made with `fields`, and adopts it where `adopt` is set and nothing differs. */
  async function expectRefused(inputs: Inputs, fields: object = {}, options: PendingCreatesOptions = {}): Promise<void> {
    const { uid } = await fixture.colleague(group, inputs, fields);
    const error = await failureOf(declare(group, inputs, nextRun(options)));
    expect(error).toMatchObject({ code: "KEY_TAKEN" });
    expect(error.message).toContain(uid);
    expect(await fixture.platform.writes()).toEqual([]);
  }

  test.each([
    ["is older than the send", { createTime: new Date(Date.now() - 60_000).toISOString() }],
    ["is younger than the send can have made it", { createTime: new Date(Date.now() + 60_000).toISOString() }],
    ["differs in a field", { description: "somebody else's" }],
  ])("because it %s", async (_why, fields) => {
    const inputs = await inputsOf();
    noteSent(group, inputs);
    await expectRefused(inputs, fields);
  });

  test("because the platform's clock was unknown when it was sent", async () => {
    const inputs = await inputsOf();
    killed().sent(keyFor(group, inputs), 10_000, { kind: group.collection.segment });
    await expectRefused(inputs);
  });

  test("because the process that sent it still runs", async () => {
    const inputs = await inputsOf();
    noteSent(group, inputs);
    await expectRefused(inputs, {}, { isAlive: (pid) => pid === killedPid });
  });

  test("because another program on this machine sent it", async () => {
    const inputs = await inputsOf();
    noteSent(group, inputs, 10_000, killed({ program: "/somewhere/else" }));
    await expectRefused(inputs);
  });

  test.each([
    ["another stack of the program", { stack: "another" }],
    ["the program, on another platform,", { platform: "https://another.example" }],
  ])("because %s sent it", async (_who, options) => {
    const inputs = await inputsOf();
    noteSent(group, inputs, 10_000, killed(options));
    await expectRefused(inputs, {}, { stack: "this", platform: "https://this.example" });
  });

  test("because the platform answered with another uid", async () => {
    const inputs = await inputsOf();
    killed().made(keyFor(group, inputs), "another/object");
    await expectRefused(inputs);
  });

  test("because the note is incomplete", async () => {
    const inputs = await inputsOf();
    noteSent(group, inputs);
    const [name = ""] = await readdir(folder);
    await writeFile(path.join(folder, name), '{"program":"0');
    await expectRefused(inputs);
  });

  test("because there are two", async () => {
    const inputs = await inputsOf();
    noteSent(group, inputs);
    await fixture.colleague(group, inputs);
    await expectRefused(inputs);
  });

  test("because another resource of the program holds it", async () => {
    const inputs = await inputsOf();
    noteSent(group, inputs);
    const { uid } = await fixture.colleague(group, inputs);
    const run = nextRun();
    expect(check(group, {}, inputs, run).failures).toEqual([]);
    diff(group, uid, inputs, inputs, run);
    expect(await failureOf(declare(group, inputs, run))).toMatchObject({ code: "KEY_TAKEN" });
  });

  test("and with adopt it is taken", async () => {
    const inputs = await inputsOf();
    const { uid } = await fixture.colleague(group, inputs, { createTime: new Date(Date.now() - 60_000).toISOString() });
    noteSent(group, inputs);
    expect((await declare(group, { ...inputs, adopt: true }, nextRun())).id).toBe(uid);
    expect(isKnown(group, inputs)).toBe(false);
  });
});

describe("a note", () => {
  test("exists while a create is in flight, and until the engine exits normally", async () => {
    const inputs = await fixture.inputs(group, await fixture.parent());
    let duringTheCall = false;
    fixture.proxy.interfere = (request, forward) => {
      if (request.method === "POST") duringTheCall = isKnown(group, inputs);
      return forward();
    };
    const own = journal();
    await declare(group, inputs, fixture.run({ pendingCreates: own }));
    expect([duringTheCall, isKnown(group, inputs)]).toEqual([true, true]);
    own.close();
    expect(await readdir(folder)).toEqual([]);
  });

  test("is removed with the answer where the end of the engine cannot be seen", async () => {
    const inputs = await fixture.inputs(group, await fixture.parent());
    await declare(group, inputs, nextRun({ closesWithEngine: false }));
    expect(await readdir(folder)).toEqual([]);
  });

  test("of one platform outlives what happens to the same natural key on another", async () => {
    const inputs = await fixture.inputs(group, await fixture.parent());
    killed({ platform: "https://another.example" }).made(keyFor(group, inputs), "an/object");
    nextRun().pendingCreates.isInState(keyFor(group, inputs), "an/object");
    await declare(group, inputs, nextRun({ closesWithEngine: false }));
    expect(await readdir(folder)).toHaveLength(1);
  });

  test("is gone once the state knows the object", async () => {
    const inputs = await fixture.inputs(group, await fixture.parent());
    const { id } = await declare(group, inputs, fixture.run({ pendingCreates: killed() }));
    nextRun().pendingCreates.isInState(keyFor(group, inputs), "another/object");
    expect(isKnown(group, inputs)).toBe(true);
    nextRun().pendingCreates.isInState(keyFor(group, inputs), id);
    expect(isKnown(group, inputs)).toBe(false);
  });

  test("of a create that the platform rejected is removed; one whose outcome stayed unknown outlives the engine", async () => {
    const rejected = await fixture.inputs(group, await fixture.parent());
    await fixture.platform.fault({ method: "POST" }, { status: 400 });
    const own = journal();
    await failureOf(declare(group, rejected, fixture.run({ pendingCreates: own })));
    expect(isKnown(group, rejected)).toBe(false);

    const unknown = await fixture.inputs(group, await fixture.parent());
    await fixture.platform.fault({ method: "POST" }, { reset: "before" });
    // The look-ups fail too.
    await fixture.platform.fault({ method: "GET", query: "name=" }, { status: 500 }, { times: 0 });
    expect((await failureOf(declare(group, unknown, fixture.run({ pendingCreates: own }))))["code"]).toBe("OUTCOME_UNKNOWN");
    own.close();
    expect(isKnown(group, unknown)).toBe(true);
  });

  test("of a killed run stays when the next run fails before it sends anything", async () => {
    const inputs = await fixture.inputs(group, await fixture.parent());
    noteSent(group, inputs);
    await fixture.colleague(group, inputs, { description: "somebody else's" });
    await failureOf(declare(group, inputs, nextRun()));
    expect(isKnown(group, inputs)).toBe(true);
  });

  test("that is older than a day is removed", async () => {
    const inputs = await fixture.inputs(group, await fixture.parent());
    killed().made(keyFor(group, inputs), "an/object");
    const [name = ""] = await readdir(folder);
    const yesterday = Date.now() / 1_000 - 90_000;
    await utimes(path.join(folder, name), yesterday, yesterday);
    journal().isInState(keyFor(group, await fixture.inputs(group, await fixture.parent())), "any");
    expect(await readdir(folder)).toEqual([]);
  });

  test("reveals nothing about the object", async () => {
    const inputs = { ...(await fixture.inputs(group, await fixture.parent())), name: "acquisition of initech" };
    noteSent(group, inputs);
    killed().made(keyFor(group, { ...inputs, name: "second" }), "root/0123456789abcdef");
    for (const name of await readdir(folder)) {
      expect(name).toMatch(/^[0-9a-f]{64}$/);
      const text = await readFile(path.join(folder, name), "utf8");
      expect(text).not.toMatch(/initech|root|described|declared|\//);
    }
  });

  test("that cannot be written prevents no create", async () => {
    await writeFile(folder, "a file where the folder should be");
    const inputs = await fixture.inputs(group, await fixture.parent());
    await expect(declare(group, inputs, nextRun())).resolves.toHaveProperty("id");
  });
});

test("credentials that may not list wait too", async () => {
  const parent = await fixture.parent();
  const inputs = await fixture.inputs(group, parent);
  noteSent(group, inputs);
  await fixture.platform.fault({ method: "GET", path: "/groups$" }, { status: 403 }, { times: 0 });
  const start = fixture.clock.now();
  await declare(group, inputs, nextRun());
  expect(fixture.clock.now() - start).toBeGreaterThanOrEqual(400);
  expect(await fixture.children(group, parent)).toHaveLength(1);
});

describe.each<[string, Kind]>([
  ["do not overwrite a tag", tag],
  ["do not create a second subscription", subscription],
])("credentials that may not list %s", (_, kind) => {
  test.each([
    ["after a killed run", true],
    ["in a first run", false],
  ])("%s", async (_when, wasKilled) => {
    const inputs = await fixture.inputs(kind, await fixture.place(kind));
    if (wasKilled) noteSent(kind, inputs, 0);
    await fixture.colleague(kind, inputs);
    await fixture.platform.fault({ method: "GET", path: `/${kind.collection.segment}$` }, { status: 403, code: 7 }, { times: 0 });
    expect(await failureOf(declare(kind, inputs, nextRun()))).toMatchObject({ code: "PERMISSION_DENIED" });
    expect(await fixture.platform.writes()).toEqual([]);
  });
});

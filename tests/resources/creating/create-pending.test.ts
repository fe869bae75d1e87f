import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Inputs, naturalKeyOf, type Kind } from "../../../provider/schema/kind";
import { isPost, on } from "../../support/interference";
import { notesIn } from "../../support/notes";
import { declare, expectFailure, failureOf, group, keyedKinds, subscription, tag } from "../../support/resource-fixture";
import { ResourceFixture, timedKinds } from "../../support/resource-fixture";
import { scratchFolder } from "../../support/scratch-folder";

const fixture = ResourceFixture.forFile({ attemptMs: 1_500 });
let folder: string;

/** Id of the process that was killed. */
const killedPid = 1_000_000;

type Options = Parameters<typeof notesIn>[1];

/** The notes of a process. */
const journal = (options: Options = {}) => notesIn(folder, options);
const killed = (options: Options = {}) => journal({ pid: killedPid, ...options });
/** A run of this moment. */
const nextRun = (options: Options = {}, more = {}) => fixture.run({ notes: journal(options), ...more });
const keyFor = (kind: Kind, inputs: Inputs) => naturalKeyOf(kind, inputs) ?? "";
const isKnown = (kind: Kind, inputs: Inputs) => journal().find(keyFor(kind, inputs), 10_000) !== undefined;
const inputsOf = async (kind: Kind) => fixture.inputs(kind, await fixture.place(kind));

beforeEach(() => {
  folder = path.join(scratchFolder(), "creates");
});

/** Notes a create of `inputs` as a process does that is killed right after it was sent. */
function noteSent(kind: Kind, inputs: Inputs, forMs = 10_000, by = killed()): void {
  by.creating(keyFor(kind, inputs), { kind: kind.collection.segment, forMs, serverTime: Date.now() - 1_000 });
}

// A killed run of other kinds: tests/resources/group-invite.test.ts. Without a creation time, only an answered create is evidence.
describe.each(timedKinds.filter((row) => keyedKinds.includes(row)))(
  "a create of a %s that a killed run left behind",
  (_, kind) => {
    test("is taken back by the next run when it was sent and applied, without a write", async () => {
      const inputs = await inputsOf(kind);
      noteSent(kind, inputs);
      const { uid } = await fixture.colleague(kind, inputs);
      expect(await declare(kind, inputs, nextRun())).toMatchObject({ id: uid, outs: inputs });
      expect(await fixture.platform.writes()).toEqual([]);
    });

    test("is taken back by the next run when it was answered and the state was not saved", async () => {
      const inputs = await inputsOf(kind);
      const { id: made } = await declare(kind, inputs, fixture.run({ notes: killed() }));
      // The next run is killed too.
      for (let run = 0; run < 2; run++) expect((await declare(kind, inputs, nextRun())).id).toBe(made);
    });

    test("and that is applied after the next run has listed is found by that run, which creates no duplicate", async () => {
      await fixture.platform.settings({ duplicateNames: true });
      const inputs = await inputsOf(kind);
      noteSent(kind, inputs);
      const creating = declare(kind, inputs, nextRun({}, { timing: { attemptMs: 10_000 } }));
      while (!(await fixture.asked("GET")).some((asked) => asked.includes(`/${kind.collection.segment}`)));
      const { uid } = await fixture.colleague(kind, inputs);
      expect([[(await creating).id], await fixture.uids(kind, inputs[kind.parentInput])]).toEqual([[uid], [uid]]);
    });

    test("and that is never applied is waited for no longer than a call may take", async () => {
      const inputs = await inputsOf(kind);
      noteSent(kind, inputs, 3_600_000);
      const start = fixture.clock.now();
      const { id } = await declare(kind, inputs, nextRun());
      expect(fixture.clock.now() - start).toBeGreaterThanOrEqual(400);
      expect(await fixture.uids(kind, inputs[kind.parentInput])).toEqual([id]);
    });
  },
);

describe("an object that a killed run did not provably create needs adopt because", () => {
  const sent =
    (options: Options = {}) =>
    (inputs: Inputs) =>
      noteSent(group, inputs, 10_000, killed(options));
  const cases: [string, (inputs: Inputs) => unknown, object?, Options?][] = [
    ["it is older than the send", sent(), { createTime: new Date(Date.now() - 60_000).toISOString() }],
    ["it is younger than the send can have made it", sent(), { createTime: new Date(Date.now() + 60_000).toISOString() }],
    ["it differs in a field", sent(), { description: "somebody else's" }],
    ["the process that sent it still runs", sent(), {}, { stateOf: (pid) => (pid === killedPid ? "running" : "ended") }],
    ["another program on this machine sent it", sent({ program: "/somewhere/else" })],
    ["another stack of the program sent it", sent({ stack: "another" }), {}, { stack: "this" }],
    [
      "the program sent it to another platform",
      sent({ platform: "https://another.example" }),
      {},
      { platform: "https://this.example" },
    ],
    [
      "the platform's clock was unknown when it was sent",
      (inputs) => killed().creating(keyFor(group, inputs), { kind: group.collection.segment, forMs: 10_000 }),
    ],
    ["the platform answered with another uid", (inputs) => killed().created(keyFor(group, inputs), "another/object")],
    [
      "the note is incomplete",
      async (inputs) => {
        noteSent(group, inputs);
        const [name = ""] = await readdir(folder);
        await writeFile(path.join(folder, name), (await readFile(path.join(folder, name), "utf8")).slice(0, -20));
      },
    ],
    [
      "there are two",
      (inputs) => {
        noteSent(group, inputs);
        return fixture.colleague(group, inputs);
      },
    ],
  ];

  test.each(cases)("%s", async (_why, note, fields = {}, options = {}) => {
    const inputs = await inputsOf(group);
    await note(inputs);
    const { uid } = await fixture.colleague(group, inputs, fields);
    await expectFailure(declare(group, inputs, nextRun(options)), "KEY_TAKEN", uid);
    expect(await fixture.platform.writes()).toEqual([]);
  });

  test("another resource of the program holds it", async () => {
    const theirs = await fixture.theirs(group);
    noteSent(group, theirs.inputs);
    const run = nextRun();
    theirs.declared(run);
    await expectFailure(declare(group, theirs.inputs, run), "KEY_TAKEN");
  });
});

describe("a note", () => {
  test("exists while a create is in flight, and until the engine exits normally", async () => {
    const inputs = await inputsOf(group);
    let duringTheCall = false;
    fixture.proxy.interfere = on(isPost, (forward) => {
      duringTheCall = isKnown(group, inputs);
      return forward();
    });
    const own = journal();
    await declare(group, inputs, fixture.run({ notes: own }));
    expect([duringTheCall, isKnown(group, inputs)]).toEqual([true, true]);
    own.close();
    expect(isKnown(group, inputs)).toBe(false);
  });

  test("is removed with the answer where the end of the engine cannot be seen", async () => {
    const inputs = await inputsOf(group);
    await declare(group, inputs, nextRun({ closesWithEngine: false }));
    expect(isKnown(group, inputs)).toBe(false);
  });

  test("of one platform outlives what happens to the same natural key on another", async () => {
    const inputs = await inputsOf(group);
    const elsewhere = { platform: "https://another.example" };
    killed(elsewhere).created(keyFor(group, inputs), "an/object");
    nextRun().ledger.notes.isInState(keyFor(group, inputs), "an/object");
    await declare(group, inputs, nextRun({ closesWithEngine: false }));
    expect(journal(elsewhere).find(keyFor(group, inputs), 10_000)).toBeDefined();
  });

  test("is gone once the state knows the object", async () => {
    const inputs = await inputsOf(group);
    const { id } = await declare(group, inputs, fixture.run({ notes: killed() }));
    for (const [uid, isKept] of [
      ["another/object", true],
      [id, false],
    ] as const) {
      nextRun().ledger.notes.isInState(keyFor(group, inputs), uid);
      expect(isKnown(group, inputs)).toBe(isKept);
    }
  });

  test("is gone once the object was adopted", async () => {
    const inputs = await inputsOf(group);
    const { uid } = await fixture.colleague(group, inputs, { createTime: new Date(Date.now() - 60_000).toISOString() });
    noteSent(group, inputs);
    expect((await declare(group, { ...inputs, adopt: true }, nextRun())).id).toBe(uid);
    expect(isKnown(group, inputs)).toBe(false);
  });

  test("of a create that the platform rejected is removed; one whose outcome stayed unknown outlives the engine", async () => {
    const [rejected, unknown] = [await inputsOf(group), await inputsOf(group)];
    await fixture.platform.fault({ method: "POST" }, { status: 400 });
    const own = journal();
    await failureOf(declare(group, rejected, fixture.run({ notes: own })));
    expect(isKnown(group, rejected)).toBe(false);

    await fixture.platform.fault({ method: "POST" }, { reset: "before" });
    // The look-ups fail too.
    await fixture.platform.fault({ method: "GET", query: "name=" }, { status: 500 }, { times: 0 });
    await expectFailure(declare(group, unknown, fixture.run({ notes: own })), "OUTCOME_UNKNOWN");
    own.close();
    expect(isKnown(group, unknown)).toBe(true);
  });

  test("of a killed run stays when the next run fails before it sends anything", async () => {
    const inputs = await inputsOf(group);
    noteSent(group, inputs);
    await fixture.colleague(group, inputs, { description: "somebody else's" });
    await failureOf(declare(group, inputs, nextRun()));
    expect(isKnown(group, inputs)).toBe(true);
  });

  test("that is older than a day is removed", async () => {
    killed().created(keyFor(group, await inputsOf(group)), "an/object");
    const [name = ""] = await readdir(folder);
    const yesterday = Date.now() / 1_000 - 90_000;
    await utimes(path.join(folder, name), yesterday, yesterday);
    journal().isInState(keyFor(group, await inputsOf(group)), "any");
    expect(await readdir(folder)).toEqual([]);
  });

  test("reveals nothing about the object", async () => {
    const inputs = { ...(await inputsOf(group)), name: "acquisition of initech" };
    noteSent(group, inputs);
    killed().created(keyFor(group, { ...inputs, name: "second" }), "root/0123456789abcdef");
    for (const name of await readdir(folder)) {
      const text = await readFile(path.join(folder, name), "utf8");
      expect(text).not.toMatch(/initech|root|described|declared|\//);
    }
  });

  test("that cannot be written prevents no create", async () => {
    await writeFile(folder, "a file where the folder should be");
    await expect(declare(group, await inputsOf(group), nextRun())).resolves.toHaveProperty("id");
  });
});

test("credentials that may not list wait too", async () => {
  const inputs = await inputsOf(group);
  noteSent(group, inputs);
  await fixture.platform.fault({ method: "GET", path: "/groups$" }, { status: 403 }, { times: 0 });
  const start = fixture.clock.now();
  await declare(group, inputs, nextRun());
  expect(fixture.clock.now() - start).toBeGreaterThanOrEqual(400);
  expect(await fixture.uids(group, inputs["parentUid"])).toHaveLength(1);
});

test.each<[string, Kind, boolean]>([
  ["do not overwrite a tag after a killed run", tag, true],
  ["do not overwrite a tag in a first run", tag, false],
  ["do not create a second subscription after a killed run", subscription, true],
  ["do not create a second subscription in a first run", subscription, false],
])("credentials that may not list %s", async (_what, kind, wasKilled) => {
  const { inputs } = await fixture.theirs(kind);
  if (wasKilled) noteSent(kind, inputs, 0);
  await fixture.platform.fault({ method: "GET", path: `/${kind.collection.segment}$` }, { status: 403, code: 7 }, { times: 0 });
  await expectFailure(declare(kind, inputs, nextRun()), "PERMISSION_DENIED");
  expect(await fixture.platform.writes()).toEqual([]);
});

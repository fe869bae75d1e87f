import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Fact, Facts } from "../../../provider/resources/ledger/facts";
import { Journal, type JournalOptions } from "../../../provider/resources/ledger/journal";
import { remove } from "../../../provider/resources/object/delete";
import { declare, expectFailure, group, ResourceFixture, roleBinding } from "../../support/resource-fixture";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "facts-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const platform = "https://api.example";
const living = new Set([1, 2, 3]);
const has = (uid: string, collection = "groups"): Fact => ["has", collection, uid];
const files = () => readdirSync(path.join(folder, "journal"));

function processOf(options: Partial<JournalOptions> = {}): Journal {
  const stateOf = (pid: number) => (living.has(pid) ? "running" : "ended");
  return new Journal({ folder: path.join(folder, "journal"), engine: "127.0.0.1:1", pid: 1, start: 0, stateOf, ...options });
}

test("a process knows what another of the same engine told, before and after it started", () => {
  const early = new Facts(platform, processOf({ pid: 1 }));
  early.mustTell(has("a/b"));
  const late = new Facts(platform, processOf({ pid: 2 }));
  late.mustTell(has("a/c"));
  expect([late.mustKnow(has("a/b")), early.mustKnow(has("a/c"))]).toEqual([true, true]);
  early.tell(has("a/e"));
  expect([late.mustKnow(has("a/e")), late.mustKnow(has("a/b"))]).toEqual([true, true]);
  for (const other of [has("a/b", "identities"), has("a"), has("a/d"), ["leaves", "groups", "a/b"] as const])
    expect(late.mustKnow(other)).toBe(false);
});

test("another engine, another platform, and a process that has ended tell nothing: a delete must not be skipped", () => {
  const writer = processOf({ pid: 1 });
  new Facts(platform, writer).mustTell(has("a/b"));
  const asks = (options: Partial<JournalOptions>, address = platform) =>
    new Facts(address, processOf({ pid: 2, ...options })).mustKnow(has("a/b"));
  expect(asks({})).toBe(true);
  expect(asks({ engine: "127.0.0.1:2" })).toBe(false);
  expect(asks({}, "https://other.example")).toBe(false);
  // The same id, used again.
  expect(asks({ pid: 1, start: 1 })).toBe(false);
  const next = processOf({ pid: 1 });
  new Facts(platform, next).mustTell(has("a/b"));
  expect(asks({})).toBe(true);
  next.close();
  expect(asks({})).toBe(false);
  expect(files()).toEqual([]);
  new Facts(platform, processOf({ pid: 1 })).mustTell(has("a/b"));
  expect(asks({ stateOf: () => "ended" })).toBe(false);
  expect(files()).toEqual([]);
});

test("a fault of this package is not taken for a journal that cannot be read", () => {
  new Facts(platform, processOf({ pid: 1 })).tell(has("a/b"));
  const stateOf = () => {
    throw new TypeError("a fault");
  };
  const facts = new Facts(platform, processOf({ pid: 2, stateOf }));
  expect(() => facts.isKnown(has("a/b"))).toThrow(TypeError);
});

test("a run that ended in order tells nothing to the next of its engine, although its notes stay", () => {
  const writer = processOf({ pid: 1 });
  new Facts(platform, writer).mustTell(has("a/b"));
  writer.note("key", { program: "p", mayApplyUntil: 0 });
  writer.close();
  const reader = processOf({ pid: 2 });
  expect(new Facts(platform, reader).mustKnow(has("a/b"))).toBe(false);
  expect(reader.notes("key")).toHaveLength(1);
});

describe("a file of the journal that cannot be read", () => {
  /** A folder in its place. */
  const spoil = (file: string) => {
    rmSync(file, { force: true });
    mkdirSync(file, { recursive: true });
  };
  const named = (options: { engine?: string; pid?: number }) => {
    new Facts(platform, processOf(options)).mustTell(has("a/b"));
    return path.join(folder, "journal", files()[0] ?? "");
  };

  test("of another run hides neither facts nor notes of others", () => {
    spoil(named({ engine: "127.0.0.1:2", pid: 3 }));
    processOf({ pid: 4 }).note("key", { program: "p", mayApplyUntil: 0 });
    const writer = new Facts(platform, processOf({ pid: 1 }));
    writer.mustTell(has("a/c"));
    const reader = processOf({ pid: 2 });
    expect(reader.notes("key")).toHaveLength(1);
    expect(new Facts(platform, reader).mustKnow(has("a/c"))).toBe(true);
    expect(new Facts(platform, reader).mustKnow(has("a/d"))).toBe(false);
  });

  test("of this run may say that another provider has the object", () => {
    spoil(named({ pid: 1 }));
    expect(() => new Facts(platform, processOf({ pid: 2 })).mustKnow(has("a/b"))).toThrow(
      /cannot be read .*It is left unchanged/,
    );
  });

  test("of a process that has ended stays, and stops nothing", () => {
    spoil(named({ pid: 4 }));
    expect(new Facts(platform, processOf({ pid: 2 })).mustKnow(has("a/b"))).toBe(false);
  });
});

test("the facts of a run are over in its process, even where that cannot be written", () => {
  const journal = processOf();
  const facts = new Facts(platform, journal);
  facts.mustTell(has("a/b"));
  const file = path.join(folder, "journal", files()[0] ?? "");
  rmSync(file);
  mkdirSync(file);
  expect(() => {
    journal.endRun();
  }).toThrow();
  expect(journal.has("a/b")).toBe(false);
  expect(new Facts(platform, journal).mustKnow(has("a/b"))).toBe(false);
});

test("a process that serves a second run tells the readers of its first", () => {
  const [journal, reader] = [processOf({ pid: 1 }), new Facts(platform, processOf({ pid: 2 }))];
  const inRun = () => new Facts(platform, journal);
  inRun().mustTell(has("a/b"));
  expect(reader.mustKnow(has("a/b"))).toBe(true);
  journal.endRun();
  inRun().mustTell(has("a/c"));
  expect([reader.mustKnow(has("a/b")), reader.mustKnow(has("a/c"))]).toEqual([false, true]);
});

test("a note proves nothing after a day, and is forgotten whoever wrote it", () => {
  const [writer, reader] = [processOf({ pid: 1 }), processOf({ pid: 2 })];
  for (const key of ["old", "settled", "kept"]) writer.note(key, { program: "p", mayApplyUntil: 0 });
  const file = path.join(folder, "journal", files()[0] ?? "");
  const lines = readFileSync(file, "utf8").split("\n");
  const longAgo = Date.now() - 2 * 86_400_000;
  writeFileSync(file, [lines[0]?.replace(/"at":\d+/, `"at":${longAgo}`), ...lines.slice(1)].join("\n"));
  reader.settle("settled");
  expect(reader.notes().map(({ key }) => key)).toEqual(["kept"]);
});

test("what processes of another host told, which cannot be seen from here, is removed by age alone", () => {
  new Facts(platform, processOf({ pid: 1 })).mustTell(has("a/b"));
  const askElsewhere = () => processOf({ host: "elsewhere", stateOf: () => "ended" }).has("");
  askElsewhere();
  expect(new Facts(platform, processOf({ pid: 2 })).mustKnow(has("a/b"))).toBe(true);
  const [file = ""] = files();
  const longAgo = Date.now() / 1_000 - 2 * 86_400;
  utimesSync(path.join(folder, "journal", file), longAgo, longAgo);
  askElsewhere();
  expect(files()).toEqual([]);
});

test("a create keeps its object in the state where what other processes tell cannot be read", async () => {
  const fixture = await ResourceFixture.start();
  try {
    writeFileSync(path.join(folder, "journal"), "not a folder");
    const parentUid = await fixture.parent();
    const run = fixture.run({ facts: new Facts(platform, processOf()) });
    const { id } = await declare(group, { parentUid, name: "team" }, run);
    expect((await fixture.children(group, parentUid)).map(({ uid }) => uid)).toEqual([id]);
  } finally {
    await fixture.close();
  }
});

test("files hold no name and no uid", () => {
  new Facts(platform, processOf()).mustTell(has("acquisition/of-initech"));
  expect(files()).toEqual([expect.stringMatching(/^[0-9a-f]{64}-[0-9a-f]{64}-1-0$/)]);
  expect(readFileSync(path.join(folder, "journal", files()[0] ?? ""), "utf8")).not.toMatch(/initech|groups|example/);
});

test("what cannot be told must not be taken over; other facts still count here", () => {
  writeFileSync(path.join(folder, "journal"), "a file where the folder should be");
  const facts = new Facts(platform, processOf());
  expect(() => {
    facts.mustTell(has("a/b"));
  }).toThrow(/cannot be written .*It is left unchanged/);
  expect(() => facts.mustKnow(has("a/b"))).toThrow(/cannot be read .*It is left unchanged/);
  facts.tell(has("a/c"));
  expect(facts.mustKnow(has("a/c"))).toBe(true);
  expect(() => {
    facts.mustTell(has("a/c"));
  }).toThrow(/cannot be written/);
});

test("a role binding that one provider deletes while another one claims it stays in state", async () => {
  const fixture = await ResourceFixture.start();
  try {
    const inputs = await fixture.inputs(roleBinding, await fixture.parent());
    const { uid } = await fixture.colleague(roleBinding, inputs);
    const [other, shared] = [new Facts(platform, processOf({ pid: 1 })), processOf({ pid: 2 })];
    const record = shared.record.bind(shared);
    shared.record = (fact) => {
      record(fact);
      // The delete has just said that the binding leaves: the other provider sees that, and gives the binding up.
      other.mustTell(has(uid, roleBinding.collection.segment));
    };
    const deleting = remove(roleBinding, uid, inputs, fixture.run({ facts: new Facts(platform, shared) }));
    await expectFailure(deleting, "FAILED_PRECONDITION");
    expect(await fixture.platform.writes()).toEqual([]);
  } finally {
    await fixture.close();
  }
});

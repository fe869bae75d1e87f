import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Journal } from "../../provider/resources/ledger/journal";
import { FakeClock } from "../support/fake-clock";
import { notesIn } from "../support/notes";
import { declare, expectFailure, failureOf, group, identity, ResourceFixture, role } from "../support/resource-fixture";
import { scratchFolder } from "../support/scratch-folder";

const fixture = ResourceFixture.forFile();
const [first, second, third] = ["first", "second", "third"].map((subject) => ({ issuer: "https://issuer.example", subject }));

let folder: string;
beforeEach(() => {
  folder = path.join(scratchFolder(), "journal");
});

/** The next run on the same machine, which does not sit out its waits. */
function nextRun() {
  const timing = { firstDelayMs: 500, longestDelayMs: 5_000, propagationMs: 30_000 };
  return fixture.run({ clock: new FakeClock(), timing, notes: notesIn(folder) });
}

/** An identity whose update from `first` to `second` was applied, while the run was killed. */
async function killed() {
  const made = await fixture.made(identity, { claimMatch: first });
  const run = fixture.run({ notes: notesIn(folder), timing: { budgetMs: 200, attemptMs: 100 } });
  fixture.proxy.interfere = async ({ method }, forward) => {
    if (method !== "PATCH") return undefined;
    await forward();
    return "reset";
  };
  await failureOf(made.update({ claimMatch: second }, run));
  fixture.proxy.interfere = () => undefined;
  expect((await made.stored())?.["claimMatch"]).toMatchObject(second ?? {});
  return made;
}

describe("after an update without an answer", () => {
  test("the next update of something else is not sent, and the error says who may have changed it and names the refresh", async () => {
    const made = await killed();
    await expectFailure(
      made.update({ claimMatch: third }, nextRun()),
      "CHANGED_MEANWHILE",
      "an interrupted run of this stack",
      "up --refresh --run-program",
    );
    expect((await made.stored())?.["claimMatch"]).toMatchObject(second ?? {});
  });

  test("a run that refreshes makes the object as declared", async () => {
    const made = await killed();
    const run = nextRun();
    expect(await (await made.refreshed(run)).update({ claimMatch: third }, run)).toMatchObject({ claimMatch: third });
    expect((await made.stored())?.["claimMatch"]).toMatchObject(third ?? {});
  });

  test("the next update to the same values is sent", async () => {
    const made = await killed();
    expect(await made.update({ claimMatch: second }, nextRun())).toMatchObject({ claimMatch: second });
  });

  test("nothing of it is on disk", async () => {
    await killed();
    expect(new Journal({ folder }).notes()).toEqual([]);
  });
});

test("after the platform has dropped a part of an update, the error names the refresh, and a run that refreshes goes on", async () => {
  const made = await fixture.made(role);
  const misspelt = [...(made.inputs["capabilities"] as string[]), "CAP_REPO_CREATE", "CAP_REPO_DELETEE"];
  await expectFailure(
    made.update({ capabilities: misspelt }, nextRun()),
    "WRONG_OBJECT",
    "Correct the spelling",
    "up --refresh --run-program",
  );
  const capabilities = misspelt.map((capability) => capability.replace("EE", "E")).sort();
  await expectFailure(made.update({ capabilities }, nextRun()), "CHANGED_MEANWHILE");
  const run = nextRun();
  expect(await (await made.refreshed(run)).update({ capabilities }, run)).toMatchObject({ capabilities });
});

test("a journal that has notes of updates, as earlier versions wrote them, is read: its notes of creates still prove whose an object is", async () => {
  const inputs = await fixture.inputs(group, await fixture.place(group));
  const { id } = await declare(group, inputs, fixture.run({ notes: notesIn(folder) }));
  const [name = ""] = readdirSync(folder);
  const note = { at: Date.now(), program: "p", mayApplyUntil: 0, values: ["0123"] };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), `${JSON.stringify({ key: "update", note })}\n`, { flag: "a" });
  writeFileSync(path.join(folder, `${name}1`), `${JSON.stringify({ key: "update", note })}\n`);
  expect((await declare(group, inputs, nextRun())).id).toBe(id);
});

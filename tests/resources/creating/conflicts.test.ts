import { after, html, instead, isDelete, isPatch, isPost, on, refusal } from "../../support/interference";
import { notesIn } from "../../support/notes";
import { scratchFolder } from "../../support/scratch-folder";
import { declare, expectFailure, group, identity, keyedKinds, kinds, ResourceFixture } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile({ attemptMs: 1_500 });

const aborted = refusal(409, 10, "another change was faster");
const [noun, shownOnce] = ["group invite", "subscription"];
const recoverable = kinds.filter(([name]) => name !== noun && name !== shownOnce);

/** Inputs of a new object of `kind`, in a place where the List shows another one. */
const wantedBeside = async (kind: (typeof kinds)[number][1]) => {
  const place = await fixture.place(kind);
  if (!kind.sharesUid) await fixture.colleague(kind, await fixture.inputs(kind, place));
  return fixture.inputs(kind, place);
};

describe("a create that meets a conflict", () => {
  test.each(recoverable)("is sent again once it provably made no %s", async (_noun, kind) => {
    const inputs = await wantedBeside(kind);
    await fixture.platform.settings({ duplicateNames: true });
    const before = await fixture.uids(kind, inputs[kind.parentInput]);
    fixture.proxy.interfere = on(isPost, instead(aborted), { count: 1 });
    const { id } = await declare(kind, inputs, fixture.run());
    expect(await fixture.uids(kind, inputs[kind.parentInput])).toEqual([...before, id].sort());
  });

  test.each(keyedKinds)("and was applied all the same makes no second %s, and the error names the first", async (_noun, kind) => {
    const inputs = await wantedBeside(kind);
    await fixture.platform.settings({ duplicateNames: true });
    const before = await fixture.uids(kind, inputs[kind.parentInput]);
    fixture.proxy.interfere = on(isPost, after(aborted), { count: 1 });
    const error = await expectFailure(declare(kind, inputs, fixture.run()), "OUTCOME_UNKNOWN", "ABORTED", "adopt: true");
    const made = (await fixture.uids(kind, inputs[kind.parentInput])).filter((uid) => !before.includes(uid));
    expect(made).toHaveLength(1);
    expect(error.message).toContain(made[0]);
    fixture.proxy.interfere = () => undefined;
    expect((await declare(kind, { ...inputs, adopt: true }, fixture.run())).id).toBe(made[0]);
  });

  test.each(kinds.filter(([, { naturalKey }]) => naturalKey.length === 0))(
    "and was applied all the same makes no second %s",
    async (_noun, kind) => {
      const inputs = await wantedBeside(kind);
      const before = await fixture.uids(kind, inputs[kind.parentInput]);
      fixture.proxy.interfere = on(isPost, after(aborted), { count: 1 });
      await expectFailure(declare(kind, inputs, fixture.run()), "OUTCOME_UNKNOWN");
      expect(await fixture.uids(kind, inputs[kind.parentInput])).toHaveLength(before.length + 1);
    },
  );

  test("does not take the equal object of whoever it met, and neither does the next run", async () => {
    const folder = scratchFolder();
    const inputs = await wantedBeside(identity);
    let theirs = "";
    fixture.proxy.interfere = on(isPost, async () => {
      theirs = (await fixture.colleague(identity, inputs)).uid;
      return aborted;
    });
    const first = fixture.run({ notes: notesIn(folder, { pid: 1 }) });
    await expectFailure(declare(identity, inputs, first), "OUTCOME_UNKNOWN", theirs);
    fixture.proxy.interfere = () => undefined;
    const next = fixture.run({ notes: notesIn(folder, { pid: 2 }) });
    await expectFailure(declare(identity, inputs, next), "KEY_TAKEN", theirs);
  });

  test("takes its own object back if the answer to the second attempt is lost", async () => {
    const inputs = await wantedBeside(group);
    await fixture.platform.settings({ duplicateNames: true });
    let posts = 0;
    fixture.proxy.interfere = on(isPost, async (forward) => {
      if (++posts === 1) return aborted;
      await forward();
      return "reset" as const;
    });
    const { id } = await declare(group, inputs, fixture.run());
    expect(posts).toBe(2);
    expect((await fixture.stored(group, id))?.["name"]).toBe(inputs["name"]);
  });

  test("and is answered 409 by a proxy is looked up as one without an answer", async () => {
    const inputs = await wantedBeside(group);
    await fixture.platform.settings({ duplicateNames: true });
    fixture.proxy.interfere = on(isPost, after(html(409)), { count: 1 });
    const { id } = await declare(group, inputs, fixture.run());
    expect(await fixture.uids(group, inputs["parentUid"])).toContain(id);
    expect(await fixture.asked("POST", "/groups/")).toHaveLength(1);
  });

  test("gives up within its budget, with the conflict as the cause", async () => {
    const inputs = await wantedBeside(group);
    fixture.proxy.interfere = on(isPost, instead(aborted));
    const run = fixture.run({ timing: { attemptMs: 1_000, budgetMs: 3_000 } });
    await expectFailure(declare(group, inputs, run), "OUTCOME_UNKNOWN", "another change was faster");
  });
});

describe("an update that meets a conflict", () => {
  test("is sent again", async () => {
    const made = await fixture.made(identity);
    fixture.proxy.interfere = on(isPatch, instead(aborted), { count: 3 });
    await made.update({ description: "new" });
    expect(await made.stored()).toMatchObject({ description: "new" });
  });

  test("is not sent again over what somebody else has changed meanwhile", async () => {
    const made = await fixture.made(identity);
    const evil = { issuer: "https://evil.example", subjectPattern: ".*", subject: null };
    let patches = 0;
    fixture.proxy.interfere = on(isPatch, async () => {
      patches++;
      await made.byHand({ claimMatch: evil });
      return aborted;
    });
    const claimMatch = { issuer: "https://issuer.example", subject: "another" };
    const error = await expectFailure(made.update({ claimMatch }), "CHANGED_MEANWHILE", "evil.example", "not sent again");
    expect(error.message).not.toContain("Nothing was sent");
    expect(patches).toBe(1);
  });
});

test.each(kinds)("the deletion of a %s that meets conflicts is sent again", async (_noun, kind) => {
  const made = await fixture.made(kind);
  fixture.proxy.interfere = on(isDelete, instead(aborted), { count: 3 });
  await made.remove();
  expect(await made.exists()).toBe(false);
});

test("the deletion of a role binding ends with the conflict once its attempts are spent, and the state keeps it", async () => {
  const made = await fixture.made(kinds.find(([name]) => name === "role binding")?.[1] ?? group);
  fixture.proxy.interfere = on(isDelete, instead(aborted));
  await expectFailure(made.remove(), "ABORTED", "another change was faster");
  expect(await made.exists()).toBe(true);
});

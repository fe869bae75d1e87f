import type { Inputs } from "../../../provider/schema/kind";
import type { Answer, Interference } from "../../support/fault-proxy";
import { after, empty, type Fault, html, instead, on, refusal, rewritten } from "../../support/interference";
import { notesIn } from "../../support/notes";
import { declare, group, kinds, ResourceFixture, roleBinding } from "../../support/resource-fixture";
import { scratchFolder } from "../../support/scratch-folder";

const fixture = ResourceFixture.forFile({ attemptMs: 1_500 });

const batchPath = "/roleBindings:batchCreate";

/** Inputs of `count` bindings in one new group. */
async function bindings(count: number): Promise<{ parentUid: string; declared: Inputs[] }> {
  const parentUid = await fixture.parent();
  const declared = await Promise.all(Array.from({ length: count }, () => fixture.inputs(roleBinding, parentUid)));
  await fixture.platform.clearRequests();
  return { parentUid, declared };
}

/** Declares all of `declared` at once, as the engine does. */
function declareAll(declared: Inputs[], run = fixture.run()) {
  return Promise.allSettled(declared.map((inputs) => declare(roleBinding, inputs, run)));
}

/** Each of `declared` is there once, and the outcomes say with which uid. */
async function expectMade(parentUid: string, declared: Inputs[], outcomes: Awaited<ReturnType<typeof declareAll>>) {
  const rows = await fixture.children(roleBinding, parentUid);
  expect(rows).toHaveLength(declared.length);
  for (const [index, inputs] of declared.entries()) {
    const row = rows.find(({ identity }) => (identity as { uid: string }).uid === inputs["identityUid"]);
    expect(outcomes[index]).toMatchObject({ status: "fulfilled", value: { id: row?.uid, outs: inputs } });
  }
}

const posts = async () => (await fixture.asked("POST")).map((path) => (path.endsWith(batchPath) ? "batch" : "single"));

const batches = (fault: Fault) => on(({ path }) => path.endsWith(batchPath), fault);

/** Creates bindings while every batch meets `fault`: each is there once. */
async function expectAllMade(fault: Fault, count = 4): Promise<void> {
  fixture.proxy.interfere = batches(fault);
  const { parentUid, declared } = await bindings(count);
  await expectMade(parentUid, declared, await declareAll(declared));
}

test("role bindings of one group that are created at once take one request", async () => {
  const { parentUid, declared } = await bindings(8);
  await expectMade(parentUid, declared, await declareAll(declared));
  expect(await posts()).toEqual(["batch"]);
});

test("no more than 25 go together", async () => {
  const { parentUid, declared } = await bindings(60);
  await expectMade(parentUid, declared, await declareAll(declared));
  const sizes = (await fixture.platform.requests())
    .filter(({ path }) => path.endsWith(batchPath))
    .map(({ body }) => (body as { requests: unknown[] }).requests.length);
  expect(Math.max(...sizes)).toBe(25);
});

test("a single one is sent without a batch", async () => {
  const { parentUid, declared } = await bindings(1);
  await expectMade(parentUid, declared, await declareAll(declared));
  expect(await posts()).toEqual(["single"]);
});

test("bindings of several groups are not batched together", async () => {
  const [one, other] = [await bindings(3), await bindings(3)];
  const outcomes = await declareAll([...one.declared, ...other.declared]);
  await expectMade(one.parentUid, one.declared, outcomes.slice(0, 3));
  await expectMade(other.parentUid, other.declared, outcomes.slice(3));
  expect(await posts()).toEqual(["batch", "batch"]);
});

test.each(kinds.filter(([, kind]) => kind !== roleBinding && !kind.sharesUid))(
  "a %s is sent individually: the platform accepts no batch of them",
  async (_noun, kind) => {
    const parentUid = await fixture.place(kind);
    const run = fixture.run();
    const declared = await Promise.all(Array.from({ length: 4 }, () => fixture.inputs(kind, parentUid)));
    await fixture.platform.clearRequests();
    await Promise.all(declared.map((inputs) => declare(kind, inputs, run)));
    expect(await posts()).toEqual(["single", "single", "single", "single"]);
  },
);

test("one invalid binding fails by its own name, and the others are created", async () => {
  const { parentUid, declared } = await bindings(4);
  const bad: Inputs = { ...declared[2], identityUid: `${parentUid}/0123456789abcdef` };
  const outcomes = await declareAll([...declared.slice(0, 2), bad, ...declared.slice(3)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(String((outcomes[2] as PromiseRejectedResult).reason)).toContain(String(bad["identityUid"]));
  expect(await fixture.children(roleBinding, parentUid)).toHaveLength(3);
});

test.each([
  ["404 of the platform", refusal(404, 5)],
  ["501", refusal(501, 12)],
  ["404 in HTML", html(404)],
  ["405", html(405)],
])("a platform without batches is asked once, and each is created individually: %s", async (_what, answer) => {
  let asked = 0;
  fixture.proxy.interfere = batches(() => {
    asked += 1;
    return answer;
  });
  const run = fixture.run();
  for (let round = 0; round < 2; round++) {
    const { parentUid, declared } = await bindings(3);
    await expectMade(parentUid, declared, await declareAll(declared, run));
  }
  expect(asked).toBe(1);
});

const rows = (change: (all: unknown[]) => unknown[]) =>
  rewritten(({ roleBindings }) => ({ roleBindings: change(roleBindings as unknown[]) }));

test.each<[string, Fault]>([
  ["is rejected", instead(refusal(400, 3))],
  ["is reset before it is applied", instead("reset")],
  ["is reset after it was applied", after("reset")],
  ["is answered 500 by a server that knows no batches", instead(refusal(500, 13))],
  ["is answered with nothing", instead({ ...empty, body: "{}" })],
  ["is answered without one of them", rows((all) => all.slice(1))],
  ["is answered in another order", rows((all) => all.reverse())],
])("when a batch %s, each is created once and in state", async (_what, fault) => {
  await fixture.theirs(roleBinding);
  await expectAllMade(fault);
});

test("a group that has not propagated yet is waited for", async () => {
  const { declared } = await bindings(3);
  await fixture.platform.settings({ propagationMs: 100 });
  const run = fixture.run();
  const { id } = await declare(group, await fixture.inputs(group, fixture.platform.root), run);
  const moved = declared.map((inputs) => ({ ...inputs, parentUid: id }));
  await expectMade(id, moved, await declareAll(moved, run));
});

describe("a binding that another caller made", () => {
  /** Has a colleague make the first of `declared` right before the batch arrives. */
  const colleagueFirst = (declared: Inputs[]): Interference =>
    batches(async (forward) => {
      await fixture.colleague(roleBinding, declared[0] ?? {});
      return forward();
    });

  test("while a batch was on its way is not taken: the platform rejected the batch", async () => {
    const { parentUid, declared } = await bindings(3);
    fixture.proxy.interfere = colleagueFirst(declared);
    const outcomes = await declareAll(declared);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect(outcomes[0]).toMatchObject({ reason: { code: "KEY_TAKEN" } });
    expect(await fixture.children(roleBinding, parentUid)).toHaveLength(3);
  });

  test("before the request in doubt was sent is not taken, though it is younger than the batch that was rejected", async () => {
    const { declared } = await bindings(2);
    const now = Date.now();
    const clockAt = (answer: Answer, time: number): Answer => ({
      ...answer,
      headers: { ...answer.headers, date: new Date(time).toUTCString() },
    });
    let isRejected = false;
    let singles = 0;
    fixture.proxy.interfere = async ({ method, path }, forward) => {
      if (path.endsWith(batchPath)) {
        isRejected = true;
        return clockAt(refusal(400, 3), now);
      }
      if (method === "POST" && ++singles <= declared.length) {
        const createTime = new Date(now - 30_000).toISOString();
        if (singles === 1) await fixture.colleague(roleBinding, declared[0] ?? {}, { createTime });
        return "reset";
      }
      return clockAt(await forward(), isRejected ? now : now - 60_000);
    };
    const [outcome] = await declareAll(declared);
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "OUTCOME_UNKNOWN" } });
  });

  test("while a batch was on its way is not taken by the next run when this one is killed", async () => {
    const folder = scratchFolder();
    const notes = (pid: number) => notesIn(folder, { pid });
    const { declared } = await bindings(3);
    const looked = Promise.withResolvers<undefined>();
    const passOn = colleagueFirst(declared);
    let isRefused = false;
    fixture.proxy.interfere = async (request, forward) => {
      if (isRefused) {
        looked.resolve(undefined);
        return "silence";
      }
      const answer = await passOn(request, forward);
      isRefused = request.path.endsWith(batchPath);
      return answer;
    };
    const killed = declareAll(declared, fixture.run({ notes: notes(1), timing: { budgetMs: 1_500 } }));
    await looked.promise;
    fixture.proxy.interfere = () => undefined;
    const next = await declareAll(declared.slice(0, 1), fixture.run({ notes: notes(2) }));
    expect(next[0]).toMatchObject({ status: "rejected", reason: { code: "KEY_TAKEN" } });
    await killed;
  });
});

describe("where the platform allows two bindings of one key, none is doubled", () => {
  beforeEach(() => fixture.platform.settings({ duplicateNames: true }));

  test.each([403, 408, 409, 499, 502])("a batch that was applied and then answered %i by a proxy", (status) =>
    expectAllMade(after(html(status)), 3),
  );

  test("a batch whose first half was applied before it was rejected", async () => {
    const { parentUid, declared } = await bindings(4);
    fixture.proxy.interfere = batches(async () => {
      for (const inputs of declared.slice(0, 2)) await fixture.colleague(roleBinding, inputs);
      return refusal(500, 9);
    });
    await expectMade(parentUid, declared, await declareAll(declared));
  });

  test("a batch answered with other roles than were sent is kept in state by its uids", async () => {
    const { parentUid, declared } = await bindings(3);
    const editor = await fixture.platform.role("editor");
    fixture.proxy.interfere = async ({ method, path }, forward) => {
      const answer = await forward();
      if (method === "GET" && !path.includes("/roleBindings/")) return answer;
      return { ...answer, body: answer.body.replaceAll(`"uid":"${fixture.viewer}"`, `"uid":"${editor}"`) };
    };
    const outcomes = await declareAll(declared);
    const kept = outcomes.map((outcome) => ((outcome as PromiseRejectedResult).reason as { uid: string }).uid);
    expect(kept.sort()).toEqual(await fixture.uids(roleBinding, parentUid));
    expect(kept).toHaveLength(3);
  });

  test("a batch that is answered without its rows is never sent again", async () => {
    const { parentUid, declared } = await bindings(3);
    fixture.proxy.interfere = async ({ path }, forward) => {
      const answer = await forward();
      if (path.endsWith(batchPath)) return { ...answer, body: '{"roleBindings":[]}' };
      return path.endsWith("/roleBindings") ? { ...answer, body: '{"roleBindings":[],"totalCount":"0","skipped":0}' } : answer;
    };
    const outcomes = await declareAll(declared);
    expect(outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason as unknown)).toEqual(
      declared.map(() => expect.objectContaining({ code: "OUTCOME_UNKNOWN" }) as unknown),
    );
    expect(await fixture.children(roleBinding, parentUid)).toHaveLength(3);
  });
});

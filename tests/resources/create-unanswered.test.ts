import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { keyOf } from "../../provider/kinds/kind";
import { UnansweredCreates } from "../../provider/resources/creating/pending-creates";
import { declare, failureOf, group, kinds, Lab } from "./lab";

let lab: Lab;
let folder: string;

/** What a process knows of creates that another one left unanswered. */
const unanswered = () => new UnansweredCreates(folder);

beforeAll(async () => {
  lab = await Lab.start();
});
afterAll(() => lab.close());
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), "unanswered-")), "creates");
});
afterEach(async () => {
  await rm(path.dirname(folder), { recursive: true, force: true });
  await lab.reset();
});

describe.each(kinds)("a create of a %s that a killed run left unanswered", (_, kind) => {
  test("and that is applied after the next run has listed is found by that run, which makes no double", async () => {
    await lab.platform.settings({ duplicateNames: true });
    const parent = await lab.parent();
    const inputs = await lab.inputs(kind, parent);
    unanswered().sent(keyOf(kind, inputs) ?? "", 10_000);
    const run = lab.run({ unanswered: unanswered(), timing: { attemptMs: 10_000 } });
    const failure = failureOf(declare(kind, inputs, run));
    while (!(await lab.asked("GET")).some((asked) => asked.endsWith(`/${kind.collection.segment}`)));
    const { uid } = await lab.colleague(kind, inputs);
    expect((await failure).message).toContain(`it exists already, as ${uid}`);
    expect((await lab.children(kind, parent)).map((child) => child.uid)).toEqual([uid]);
    const { id } = await declare(kind, inputs, lab.run({ adopt: true, unanswered: unanswered() }));
    expect(id).toBe(uid);
    expect(await readdir(folder)).toEqual([]);
  });

  test("and that is never applied is waited for no longer than a call may take", async () => {
    const parent = await lab.parent();
    const inputs = await lab.inputs(kind, parent);
    unanswered().sent(keyOf(kind, inputs) ?? "", 3_600_000);
    const start = performance.now();
    const { id } = await declare(kind, inputs, lab.run({ unanswered: unanswered() }));
    expect(performance.now() - start).toBeGreaterThanOrEqual(400);
    expect((await lab.children(kind, parent)).map((child) => child.uid)).toEqual([id]);
    expect(await readdir(folder)).toEqual([]);
  });
});

test("while a create is on its way another process knows of it, and no longer once it is answered", async () => {
  const inputs = await lab.inputs(group, await lab.parent());
  const key = keyOf(group, inputs) ?? "";
  let duringTheCall: number | undefined;
  lab.gateway.interfere = (request, forward) => {
    if (request.method === "POST") duringTheCall = unanswered().timeLeft(key, 10_000);
    return forward();
  };
  await declare(group, inputs, lab.run({ unanswered: unanswered() }));
  expect(duringTheCall).toBeGreaterThan(0);
  expect(unanswered().timeLeft(key, 10_000)).toBeUndefined();
});

test("a create that the platform refused is forgotten, one whose outcome stayed unknown is kept", async () => {
  const refused = await lab.inputs(group, await lab.parent());
  await lab.platform.fault({ method: "POST" }, { status: 400 });
  await failureOf(declare(group, refused, lab.run({ unanswered: unanswered() })));
  expect(unanswered().timeLeft(keyOf(group, refused) ?? "", 10_000)).toBeUndefined();

  const unknown = await lab.inputs(group, await lab.parent());
  await lab.platform.fault({ method: "POST" }, { reset: "before" });
  // The look-ups fail too.
  await lab.platform.fault({ method: "GET", query: "name=" }, { status: 500 }, { times: 0 });
  expect((await failureOf(declare(group, unknown, lab.run({ unanswered: unanswered() }))))["code"]).toBe("OUTCOME_UNKNOWN");
  expect(unanswered().timeLeft(keyOf(group, unknown) ?? "", 10_000)).toBeDefined();
});

test("credentials that may not list wait all the same", async () => {
  const parent = await lab.parent();
  const inputs = await lab.inputs(group, parent);
  unanswered().sent(keyOf(group, inputs) ?? "", 10_000);
  await lab.platform.fault({ method: "GET", path: "/groups$" }, { status: 403 }, { times: 0 });
  const start = performance.now();
  await declare(group, inputs, lab.run({ unanswered: unanswered() }));
  expect(performance.now() - start).toBeGreaterThanOrEqual(400);
  expect(await lab.children(group, parent)).toHaveLength(1);
});

test("nothing of what is created can be read from what is kept", async () => {
  const inputs = { ...(await lab.inputs(group, await lab.parent())), name: "acquisition of initech" };
  unanswered().sent(keyOf(group, inputs) ?? "", 10_000);
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

test("a place that cannot be written keeps no create from being made", async () => {
  await writeFile(folder, "a file where the folder should be");
  const inputs = await lab.inputs(group, await lab.parent());
  await expect(declare(group, inputs, lab.run({ unanswered: unanswered() }))).resolves.toHaveProperty("id");
});

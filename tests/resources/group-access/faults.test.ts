import { PlatformError } from "../../../provider/client/errors";
import { interruptedBy } from "../../../provider/client/interruption";
import { AccessFixture, type AccessStack, type Declared } from "../../support/access-fixture";
import type { Asked, Outcome } from "../../support/fault-proxy";
import { after, type Fault, html, instead, isDelete, isListOf, isPost, on, refusal } from "../../support/interference";
import { expectFailure, failureOf, roleBinding } from "../../support/resource-fixture";

const access = AccessFixture.forFile({ attemptMs: 1_500 });

const faults: [string, Fault][] = [
  ["429", instead({ ...refusal(429, 8), headers: { "content-type": "application/json", "retry-after": "0" } })],
  ["503 before", instead(refusal(503, 14))],
  ["503 after", after(refusal(503, 14))],
  ["500 after", after(refusal(500, 13))],
  ["a reset before", instead("reset")],
  ["a reset after", after("reset")],
  ["HTML after", after(html(200))],
];

const isBatch = ({ path }: Asked) => path.endsWith(":batchCreate");

/** Rejects every write after the first batch. */
function afterOneBatch(): () => number {
  let batches = 0;
  access.fixture.proxy.interfere = (asked) => {
    if (isBatch(asked)) batches++;
    return isPost(asked) && batches > 1 ? refusal(403, 7) : undefined;
  };
  return () => batches;
}

/** Nothing fails any more. */
const calm = () => (access.fixture.proxy.interfere = () => undefined);

/** Each of `count` members as a viewer. */
const viewers = (count: number) => names(count).map((name) => `${name} viewer`);

const names = (count: number) => Array.from({ length: count }, (_, index) => `member-${index}`);

/** Runs `up` until it succeeds; every failed one must leave the state knowing what the platform has. */
async function converge(stack: AccessStack, declared: Declared): Promise<void> {
  for (let runs = 1; ; runs++) {
    try {
      await stack.up(declared, { refresh: runs > 1 });
      return;
    } catch (error) {
      calm();
      if (runs === 3) throw error;
    }
  }
}

async function expectExactly(stack: AccessStack, expected: string[]): Promise<void> {
  expect(await stack.members()).toEqual(expected.sort());
  expect(stack.known).toEqual(expected.sort());
  expect(await stack.refresh()).toBe(false);
}

test.each(faults)("a batch that meets %s: every member is added exactly once", async (_what, fault) => {
  const stack = await access.stack();
  const declared = { access: { viewer: names(30) } };
  await access.inputs(stack.groupUid, declared);
  access.fixture.proxy.interfere = on(isBatch, fault, { count: 1 });
  await converge(stack, declared);
  await expectExactly(stack, viewers(30));
});

test.each(faults)("a removal that meets %s: every member is removed, or stays in state", async (_what, fault) => {
  const stack = await access.brought({ access: { viewer: names(6) } });
  access.fixture.proxy.interfere = on(isDelete, fault, { from: 2, count: 2 });
  await converge(stack, { access: { viewer: names(1) } });
  await expectExactly(stack, ["member-0 viewer"]);
  access.fixture.proxy.interfere = on(isDelete, fault, { count: 1 });
  await stack.destroy().catch(() => {
    // The remaining members are still in state, and the next destroy goes on.
    expect(stack.state).toBeDefined();
    calm();
    return stack.destroy();
  });
  expect(await stack.members()).toEqual([]);
});

test("a batch that is rejected is sent member by member, so that only the wrong one fails", async () => {
  const stack = await access.stack();
  const declared = { access: { viewer: names(4) } };
  await access.inputs(stack.groupUid, declared);
  let singles = 0;
  access.fixture.proxy.interfere = (asked, forward) => {
    if (isBatch(asked)) return refusal(400, 3);
    return asked.method === "POST" && singles++ === 2 ? refusal(400, 3) : forward();
  };
  const { message } = await failureOf(stack.up(declared));
  expect(message).toMatch(/"member-\d" as viewer: .*injected/);
  const members = await stack.members();
  expect(members).toHaveLength(3);
  expect(stack.known).toEqual(members);
  calm();
  await stack.up(declared);
  await expectExactly(stack, viewers(4));
});

test("after a batch that fails no further one is sent; what was added is in state, and the next up goes on", async () => {
  const stack = await access.stack();
  const declared = { access: { viewer: names(60) } };
  await access.inputs(stack.groupUid, declared);
  await access.platform.clearRequests();
  const batches = afterOneBatch();
  await failureOf(stack.up(declared));
  expect(batches()).toBe(2);
  expect(stack.known).toHaveLength(25);
  expect(stack.known).toEqual(await stack.members());
  calm();
  await stack.up(declared);
  await expectExactly(stack, viewers(60));
});

test("nothing is removed while a gain fails, and losses that fail stay in state", async () => {
  const stack = await access.brought({ access: { owner: ["zoe"], viewer: ["max"] } });
  access.fixture.proxy.interfere = on(isPost, instead(refusal(403, 7)));
  await failureOf(stack.up({ access: { owner: ["eve"] } }));
  await expectExactly(stack, ["max viewer", "zoe owner"]);

  access.fixture.proxy.interfere = on(isDelete, instead(refusal(403, 7)), { from: 1 });
  await failureOf(stack.up({ access: { owner: ["eve"] } }));
  const left = await stack.members();
  expect(left).toHaveLength(2);
  expect(left).toContain("eve owner");
  expect(stack.known).toEqual(left);
  calm();
  await stack.up({ access: { owner: ["eve"] } });
  await expectExactly(stack, ["eve owner"]);
});

describe("a preview after a failure, without a refresh,", () => {
  test("names the members that are still to be removed, and the next up removes them", async () => {
    const stack = await access.brought({ access: { owner: ["zoe", "max"] } });
    const declared = { access: { owner: ["eve"] } };
    access.fixture.proxy.interfere = on(isDelete, instead(refusal(403, 7)));
    await failureOf(stack.up(declared));
    calm();
    const { changes, said } = await stack.preview(declared);
    expect(changes).toBe(true);
    expect(said).toMatch(/did not finish.*remove "(max|zoe)" as owner.*"(max|zoe)" as owner/);
    expect(said).not.toContain("eve");
    await stack.up(declared);
    await expectExactly(stack, ["eve owner"]);
    expect(await stack.preview(declared)).toEqual({ changes: false, said: "" });
  });

  test("names the members that are still to be added, and the next up adds them", async () => {
    const stack = await access.stack();
    const declared = { access: { viewer: names(30) } };
    await stack.up({ access: { viewer: ["zoe"] } });
    afterOneBatch();
    await failureOf(stack.up(declared));
    calm();
    const { said } = await stack.preview(declared);
    expect(said).toMatch(/remove "zoe" as viewer.*add "member-\d+" as viewer/);
    await stack.up(declared);
    await expectExactly(stack, viewers(30));
  });

  test("says nothing about what the engine itself shows, nor about members that are exempt now", async () => {
    const stack = await access.brought({ access: { owner: ["zoe"], viewer: ["max"] } });
    expect((await stack.preview({ access: { owner: ["eve"] } })).said).toBe("");
    access.fixture.proxy.interfere = on(isDelete, instead(refusal(403, 7)));
    await failureOf(stack.up({ access: { owner: ["zoe", "eve"] } }));
    calm();
    expect((await stack.preview({ access: { owner: ["zoe", "eve"] }, exempt: { identities: ["max"] } })).said).toBe("");
  });
});

test("a create that adds nobody leaves no state", async () => {
  const stack = await access.stack();
  access.fixture.proxy.interfere = on(isPost, instead(refusal(403, 7)));
  await failureOf(stack.up({ access: { owner: ["zoe"] } }));
  expect(stack.state).toBeUndefined();
});

test.each<[string, Outcome]>([
  ["403", refusal(403, 7)],
  ["404", refusal(404, 5)],
  ["HTML", html(200)],
])("a List that answers %s stops create, update and refresh before anything is written", async (_what, outcome) => {
  const stack = await access.brought({ access: { owner: ["zoe"] } });
  const other = await access.stack();
  await access.person("max");
  await access.platform.clearRequests();
  const { state } = stack;
  access.fixture.proxy.interfere = on(isListOf(roleBinding), instead(outcome));
  await failureOf(stack.refresh());
  await failureOf(stack.up({ access: { owner: ["max"] } }));
  await failureOf(other.up({ access: { owner: ["max"] } }));
  expect(stack.state).toEqual(state);
  expect(other.state).toBeUndefined();
  expect(await access.platform.writes()).toEqual([]);
});

test("after a cancel between gains and losses the state has the gains: the program of before removes them", async () => {
  const stack = await access.brought({ access: { viewer: ["anna"] } });
  await access.person("ben");
  const waits = new AbortController();
  access.fixture.proxy.interfere = async ({ method }, forward) => {
    const answer = await forward();
    if (method === "POST") waits.abort(new PlatformError("CALLER_ABORTED", "The run was cancelled."));
    return answer;
  };
  const up = () => stack.up({ access: { viewer: ["ben"] } });
  await expectFailure(
    interruptedBy({ waits: waits.signal, sent: new AbortController().signal }, up),
    "CALLER_ABORTED",
    "The run was cancelled.",
  );
  expect(await stack.members()).toEqual(["anna viewer", "ben viewer"]);
  await access.fixture.reset();
  await stack.up({ access: { viewer: ["anna"] } });
  expect(await stack.members()).toEqual(["anna viewer"]);
});

test("while this run cannot tell whose credentials it uses, it removes no one: its own access might go first", async () => {
  const stack = await access.brought({ access: { viewer: ["anna", "ben"] } });
  const run = access.fixture.run();
  jest.spyOn(run.client, "caller").mockRejectedValueOnce(new PlatformError("CREDENTIALS", "No API token: try again later."));
  await expectFailure(stack.up({ access: { viewer: ["ben"] } }, { run }), "CREDENTIALS", "No API token");
  expect(await stack.members()).toEqual(["anna viewer", "ben viewer"]);
});

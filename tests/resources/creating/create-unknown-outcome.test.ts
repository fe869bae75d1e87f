import type { Kind } from "../../../provider/schema/kind";
import { create } from "../../../provider/resources/creating/create";
import type { Interference } from "../../support/fault-proxy";
import * as request from "../../support/interference";
import { after, type Fault, instead, isPost, on, refusal } from "../../support/interference";
import {
  declare,
  expectFailure,
  group,
  identity,
  identityProvider,
  keyedKinds,
  ResourceFixture,
  role,
} from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile({ attemptMs: 1_500 });

beforeAll(async () => {
  // Show that these Lists are not blind: built-in roles do not.
  for (const kind of [role, identityProvider]) await fixture.theirs(kind, { parentUid: fixture.platform.root });
});

/** Applies `fault` to the first POST of each place and kind. */
function firstPost(fault: Fault): Interference {
  const met = new Set<string>();
  return on(({ method, path }) => method === "POST" && met.size < met.add(path).size, fault);
}

const wanted = async () => ({ parentUid: await fixture.parent(), name: fixture.name(), description: "as declared" });

const reset = "reset" as const;
const outcomes: [string, Fault][] = [
  ["the connection is reset before it is applied", instead(reset)],
  ["the connection is reset after it was applied", after(reset)],
  ["no answer comes, and it was not applied", instead("silence")],
  ["no answer comes, and it was applied", after("silence")],
  ...[
    [500, 13],
    [502, 14],
    [503, 14],
    [504, 4],
    [499, 1],
  ].flatMap(([status = 0, code = 0]): [string, Fault][] => [
    [`${status} with code ${code} before it is applied`, instead(refusal(status, code))],
    [`${status} with code ${code} after it was applied`, after(refusal(status, code))],
  ]),
  ["502 in HTML before it is applied", instead(request.html(502))],
  ["500 in HTML after it was applied", after(request.html(500))],
  ["200 in HTML before it is applied", instead(request.html(200))],
  ["200 in HTML after it was applied", after(request.html(200))],
  ["an answer without a uid", after({ ...request.empty, body: "{}" })],
  ["an empty answer", after(request.empty)],
  ["half of an answer", (forward) => forward().then(({ body }) => ({ ...request.empty, body: body.slice(0, body.length / 2) }))],
];

test.each(outcomes)("%s: exactly one object of each kind, and its uid is returned", async (_what, fault) => {
  const run = fixture.run();
  const parent = await fixture.parent();
  const placed = keyedKinds.map(async ([, kind]) => {
    const place = kind.parents.segment === "groups" ? parent : await fixture.place(kind);
    // Shows that the List is not blind in a place of its own.
    const others = place === parent ? [] : [(await fixture.theirs(kind, { [kind.parentInput]: place })).uid];
    return { kind, place, others, inputs: await fixture.inputs(kind, place) };
  });
  const declared = await Promise.all(placed);
  fixture.proxy.interfere = firstPost(fault);
  const made = declared.map(async ({ inputs, ...more }) => ({ ...more, uid: (await declare(more.kind, inputs, run)).id }));
  for (const { kind, place, others, uid } of await Promise.all(made))
    expect(await fixture.uids(kind, place)).toEqual([...others, uid].sort());
});

test("nothing is sent again before the deadline of the previous attempt", async () => {
  const times: number[] = [];
  fixture.proxy.interfere = on(isPost, (forward) => (times.push(fixture.clock.now()) <= 2 ? reset : forward()));
  await declare(group, await wanted(), fixture.run());
  expect(times).toHaveLength(3);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_500);
});

test("a request that is applied late, within its deadline, is found and not sent again", async () => {
  const inputs = await wanted();
  const applied: Promise<unknown>[] = [];
  fixture.proxy.interfere = firstPost((forward) => {
    applied.push(fixture.clock.sleep(150).then(forward));
    return reset;
  });
  await fixture.platform.settings({ duplicateNames: true });
  const { id } = await declare(group, inputs, fixture.run());
  await Promise.all(applied);
  expect(await fixture.uids(group, inputs.parentUid)).toEqual([id]);
});

test("it gives up within the budget, and says that the object may exist", async () => {
  fixture.proxy.interfere = on(isPost, instead(reset));
  const inputs = await wanted();
  const run = fixture.run({ timing: { attemptMs: 2_000, budgetMs: 6_000 } });
  await expectFailure(declare(group, inputs, run), "OUTCOME_UNKNOWN", "adopt: true");
  expect(await fixture.uids(group, inputs.parentUid)).toEqual([]);
});

test("a send that waits out the budget names the error of its last attempt", async () => {
  let posts = 0;
  const busy = { ...refusal(429, 8), headers: { "content-type": "application/json", "retry-after": "1" } };
  fixture.proxy.interfere = on(isPost, () => (++posts === 1 ? reset : busy));
  const run = fixture.run({ timing: { attemptMs: 500, budgetMs: 4_500 } });
  await expectFailure(declare(group, await wanted(), run), "OUTCOME_UNKNOWN", "no answer within", "RESOURCE_EXHAUSTED");
});

test.each<[string, Fault]>([
  ["500", instead(refusal(500, 13))],
  ["a lost connection", instead(reset)],
])("%s for ever: all attempts and look-ups share the budget of one call", async (_what, fault) => {
  fixture.proxy.interfere = on(isPost, fault);
  const run = fixture.run({ timing: { attemptMs: 2_000, budgetMs: 6_000 } });
  const inputs = await wanted();
  const before = fixture.clock.now();
  await expectFailure(declare(group, inputs, run), "OUTCOME_UNKNOWN");
  expect(fixture.clock.now() - before).toBeLessThanOrEqual(6_000);
});

test("429 is sent again without a look-up: nothing was applied", async () => {
  await fixture.platform.fault({ method: "POST" }, { status: 429, code: 8 }, { times: 3 });
  const inputs = await wanted();
  await fixture.platform.clearRequests();
  await declare(group, inputs, fixture.run());
  expect(await fixture.asked("POST")).toHaveLength(4);
  // Its parent, and the List that all creates there share.
  expect(await fixture.asked("GET", "groups")).toHaveLength(2);
});

describe("an object of another owner that appears meanwhile is never taken", () => {
  test.each([
    ["an older one", { createTime: "2020-01-01T00:00:00.000Z" }],
    ["one with another description", { description: "somebody else's" }],
  ])("%s", async (_what, fields) => {
    const inputs = await wanted();
    let theirs = "";
    fixture.proxy.interfere = on(isPost, async () => {
      theirs = (await fixture.colleague(group, inputs, fields)).uid;
      return reset;
    });
    const error = await expectFailure(declare(group, inputs, fixture.run()), "OUTCOME_UNKNOWN");
    expect(error.message).toContain(theirs);
    expect(await fixture.asked("POST")).toEqual([]);
  });

  test("one that another resource of this run holds", async () => {
    const run = fixture.run();
    const inputs = await wanted();
    const other = await fixture.theirs(group, { ...inputs, name: fixture.name("other") });
    expect(other.declared(run).changes).toBe(false);
    fixture.proxy.interfere = on(isPost, async () => {
      await other.byHand({ name: inputs.name, createTime: new Date(Date.now() + 5_000).toISOString() });
      return reset;
    });
    await expectFailure(declare(group, inputs, run), "OUTCOME_UNKNOWN");
  });

  test("one beside our own, where the platform allows both", async () => {
    const inputs = await wanted();
    await fixture.platform.settings({ duplicateNames: true });
    fixture.proxy.interfere = firstPost(async (forward) => {
      await forward();
      await fixture.colleague(group, inputs);
      return reset;
    });
    const error = await expectFailure(declare(group, inputs, fixture.run()), "OUTCOME_UNKNOWN");
    const both = await fixture.uids(group, inputs.parentUid);
    expect(both).toHaveLength(2);
    for (const uid of both) expect(error.message).toContain(uid);
  });
});

test("an object created in the same second as its send is ours on a platform that counts whole seconds", async () => {
  await fixture.platform.settings({ timestampDigits: 0 });
  const inputs = await wanted();
  fixture.proxy.interfere = firstPost(after(reset));
  const { id } = await declare(group, inputs, fixture.run());
  expect(await fixture.uids(group, inputs.parentUid)).toEqual([id]);
});

test("without a Date header nothing can be proven: the error names the object, and nothing is sent again", async () => {
  const inputs = await wanted();
  const passOn = firstPost(after(reset));
  fixture.proxy.interfere = async (asked, forward) => {
    const answer = (await passOn(asked, forward)) ?? (await forward());
    return typeof answer === "string" ? answer : { ...answer, headers: { "content-type": "application/json" } };
  };
  const error = await expectFailure(declare(group, inputs, fixture.run()), "OUTCOME_UNKNOWN");
  const rows = await fixture.uids(group, inputs.parentUid);
  expect(rows).toEqual([expect.stringContaining("/")]);
  expect(error.message).toContain(rows[0]);
});

describe("nothing is sent again after a look-up that proves nothing, and the error says that the object may exist:", () => {
  /** A caller that creates objects of `kind` in `place`, as `capabilities` there say, and sees groups everywhere. */
  async function callerWith(capabilities: string[], place: string): Promise<{ uid: string; token: string }> {
    const uid = await fixture.identity();
    await fixture.grant(uid, fixture.platform.root, "CAP_IAM_GROUPS_LIST");
    await fixture.grant(uid, place, ...capabilities);
    return { uid, ...(await fixture.as(uid)) };
  }

  async function expectUnknown(kind: Kind, parentUid: string, token?: string): Promise<void> {
    const before = await fixture.uids(kind, parentUid);
    const inputs = await fixture.inputs(kind, parentUid);
    await fixture.platform.settings({ duplicateNames: true, denials: "hidden" });
    await expectFailure(declare(kind, inputs, fixture.run(token === undefined ? {} : { token })), "OUTCOME_UNKNOWN", "adopt");
    expect(await fixture.uids(kind, parentUid)).toHaveLength(before.length + 1);
  }

  test.each([
    ["the List shows nothing", request.listOf(identity)],
    ["the List shows nothing, in a place where it has shown another one", request.listOf(identity)],
    ["the List is rejected", refusal(403, 7)],
    ["the List fails", refusal(500, 13)],
  ])("%s", async (what, answer) => {
    const parentUid = await fixture.parent();
    if (what.endsWith("another one")) await fixture.theirs(identity, { parentUid });
    let isSent = false;
    fixture.proxy.interfere = async (asked, forward) => {
      if (!isPost(asked)) return isSent && request.isListOf(identity)(asked) ? answer : undefined;
      isSent = true;
      await forward();
      return reset;
    };
    await expectUnknown(identity, parentUid);
  });

  test("the List shows built-in roles, as to everybody", async () => {
    const { token } = await callerWith(["CAP_IAM_ROLES_CREATE", "CAP_REPO_LIST", "CAP_TAG_LIST"], fixture.platform.root);
    fixture.proxy.interfere = firstPost(after(reset));
    await expectUnknown(role, await fixture.parent(), token);
  });

  test("the List shows identities of another part of the organisation", async () => {
    const here = await fixture.parent();
    const { place: elsewhere } = await fixture.theirs(identity);
    const { uid, token } = await callerWith(["CAP_IAM_IDENTITY_CREATE"], here);
    await fixture.grant(uid, elsewhere, "CAP_IAM_IDENTITY_LIST");
    fixture.proxy.interfere = firstPost(after(reset));
    await expectUnknown(identity, here, token);
  });
});

describe("an object that the Lists do not show after a lost attempt, and that the second one meets,", () => {
  /** Loses the answer of the first POST, and hides the object from the Lists while `isHidden` is told so. */
  function hides(name: string, isHidden: (posts: number) => boolean): () => number {
    let posts = 0;
    fixture.proxy.interfere = async (asked, forward) => {
      const answer = await forward();
      if (isPost(asked)) return ++posts === 1 ? reset : answer;
      const isMeant = request.isListOf(group)(asked) && isHidden(posts) && answer.body.includes(`"${name}"`);
      return isMeant ? request.listOf(group) : answer;
    };
    return () => posts;
  }

  test("is ours when it is provable", async () => {
    const inputs = await wanted();
    const posts = hides(inputs.name, (count) => count === 1);
    const { id } = await declare(group, inputs, fixture.run());
    expect(posts()).toBe(2);
    expect(await fixture.uids(group, inputs.parentUid)).toEqual([id]);
  });

  test("is an error where nothing shows whose it is, which does not claim that nothing was created", async () => {
    const inputs = await wanted();
    hides(inputs.name, () => true);
    const error = await expectFailure(declare(group, inputs, fixture.run()), "OUTCOME_UNKNOWN");
    expect(error.message).not.toContain("Nothing was created");
    expect(await fixture.uids(group, inputs.parentUid)).toHaveLength(1);
  });
});

test("a group that was found does not count as created by this run: its children are listed", async () => {
  const run = fixture.run();
  const inputs = await wanted();
  fixture.proxy.interfere = firstPost(after(reset));
  const { id } = await declare(group, inputs, run);
  await fixture.colleague(group, { parentUid: id, name: "theirs" });
  await expectFailure(declare(group, { parentUid: id, name: "theirs" }, run), "KEY_TAKEN");
});

test("a create without its natural key is rejected here", async () => {
  await fixture.platform.clearRequests();
  await expectFailure(create(group, { parentUid: fixture.platform.root }, fixture.run()), "INVALID_INPUT");
  expect(await fixture.platform.requests()).toEqual([]);
});

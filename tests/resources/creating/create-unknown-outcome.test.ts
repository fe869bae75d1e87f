import { check } from "../../../provider/resources/check";
import { create } from "../../../provider/resources/creating/create";
import { diff } from "../../../provider/resources/diff";
import type { Kind } from "../../../provider/kinds/kind";
import type { Answer, Interference } from "../../support/fault-proxy";
import {
  declare,
  failureOf,
  group,
  identity,
  identityProvider,
  keyedKinds,
  ResourceFixture,
  role,
  roleBinding,
} from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile({ attemptMs: 1_500 });

beforeAll(async () => {
  // Show that these Lists are not blind: built-in roles do not.
  for (const kind of [role, identityProvider]) await fixture.colleague(kind, await fixture.inputs(kind, fixture.platform.root));
});

type Forward = () => Promise<Answer>;
type Outcome = Answer | "reset" | "silence";

const html: Answer = { status: 200, headers: { "content-type": "text/html" }, body: "<html>Welcome</html>" };
const platformError = (status: number, code: number): Answer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ code, message: "injected", details: [] }),
});
const instead = (answer: Outcome) => () => answer;
const after = (answer: Outcome) => async (forward: Forward) => {
  await forward();
  return answer;
};

/** Applies `outcome` to the first POST of each kind. */
function firstPost(outcome: (forward: Forward) => Outcome | Promise<Outcome>): Interference {
  const met = new Set<string>();
  return ({ method, path }, forward) => {
    if (method !== "POST" || met.has(path)) return forward();
    met.add(path);
    return outcome(forward);
  };
}

const outcomes: [string, (forward: Forward) => Outcome | Promise<Outcome>][] = [
  ["the connection is reset before it is applied", instead("reset")],
  ["the connection is reset after it was applied", after("reset")],
  ["no answer comes, and it was not applied", instead("silence")],
  ["no answer comes, and it was applied", after("silence")],
  ...[
    [500, 13],
    [502, 14],
    [503, 14],
    [504, 4],
    [499, 1],
  ].flatMap(([status = 0, code = 0]): typeof outcomes => [
    [`${status} with code ${code} before it is applied`, instead(platformError(status, code))],
    [`${status} with code ${code} after it was applied`, after(platformError(status, code))],
  ]),
  ["502 in HTML before it is applied", instead({ ...html, status: 502 })],
  ["500 in HTML after it was applied", after({ ...html, status: 500 })],
  ["200 in HTML before it is applied", instead(html)],
  ["200 in HTML after it was applied", after(html)],
  ["an answer without a uid", after({ ...html, headers: {}, body: "{}" })],
  ["an empty answer", after({ ...html, headers: {}, body: "" })],
  [
    "half of an answer",
    async (forward) => {
      const { body } = await forward();
      return { ...html, headers: {}, body: body.slice(0, body.length / 2) };
    },
  ],
];

test.each(outcomes)("%s: exactly one object of each kind, and its uid is returned", async (_what, outcome) => {
  const run = fixture.run();
  const parent = await fixture.parent();
  const placed = keyedKinds.map(async ([, kind]) => {
    const place = kind.parents.segment === "groups" ? parent : await fixture.place(kind);
    // Shows that the List is not blind in a place of its own.
    const others = place === parent ? [] : [(await fixture.colleague(kind, await fixture.inputs(kind, place))).uid];
    return { kind, place, others, inputs: await fixture.inputs(kind, place) };
  });
  const declared = await Promise.all(placed);
  fixture.proxy.interfere = firstPost(outcome);
  const made = declared.map(async ({ inputs, ...more }) => ({ ...more, uid: (await declare(more.kind, inputs, run)).id }));
  for (const { kind, place, others, uid } of await Promise.all(made)) {
    expect((await fixture.children(kind, place)).map((row) => row.uid).sort()).toEqual([...others, uid].sort());
  }
});

test("nothing is sent again before the deadline of the previous attempt", async () => {
  let posts = 0;
  const times: number[] = [];
  fixture.proxy.interfere = ({ method }, forward) => {
    if (method !== "POST") return forward();
    times.push(fixture.clock.now());
    return ++posts <= 2 ? "reset" : forward();
  };
  const run = fixture.run();
  await declare(group, { parentUid: await fixture.parent(), name: "late" }, run);
  expect(times).toHaveLength(3);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_500);
});

test("a request that is applied late, within its deadline, is found and not sent again", async () => {
  const parent = await fixture.parent();
  const applied: Promise<unknown>[] = [];
  fixture.proxy.interfere = firstPost((forward) => {
    applied.push(fixture.clock.sleep(150).then(forward));
    return "reset";
  });
  await fixture.platform.settings({ duplicateNames: true });
  const { id } = await declare(group, { parentUid: parent, name: "late" }, fixture.run());
  await Promise.all(applied);
  expect((await fixture.children(group, parent)).map((row) => row.uid)).toEqual([id]);
});

test("it gives up within the budget, and says that the object may exist", async () => {
  fixture.proxy.interfere = ({ method }, forward) => (method === "POST" ? "reset" : forward());
  const run = fixture.run({ timing: { attemptMs: 2_000, budgetMs: 6_000 } });
  const parent = await fixture.parent();
  const error = await failureOf(declare(group, { parentUid: parent, name: "never" }, run));
  expect(error).toMatchObject({ code: "OUTCOME_UNKNOWN" });
  expect(error.message).toContain("adopt: true");
  expect(await fixture.children(group, parent)).toEqual([]);
});

test("429 is sent again without a look-up: nothing was applied", async () => {
  await fixture.platform.fault({ method: "POST" }, { status: 429, code: 8 }, { times: 3 });
  const parent = await fixture.parent();
  await fixture.platform.clearRequests();
  await declare(group, { parentUid: parent, name: "busy" }, fixture.run());
  expect(await fixture.asked("POST")).toHaveLength(4);
  // Its parent, and the List that all creates there share.
  expect(await fixture.asked("GET", "groups")).toHaveLength(2);
});

describe("an object of another owner that appears meanwhile is never taken", () => {
  const inputs = async () => ({ parentUid: await fixture.parent(), name: fixture.name(), description: "as declared" });

  test.each([
    ["an older one", { createTime: "2020-01-01T00:00:00.000Z" }],
    ["one with another description", { description: "somebody else's" }],
  ])("%s", async (_what, fields) => {
    const wanted = await inputs();
    fixture.proxy.interfere = async ({ method }, forward) => {
      if (method !== "POST") return forward();
      await fixture.colleague(group, wanted, fields);
      return "reset";
    };
    const error = await failureOf(declare(group, wanted, fixture.run()));
    const [theirs] = await fixture.children(group, wanted.parentUid);
    expect(error).toMatchObject({ code: "OUTCOME_UNKNOWN" });
    expect(error.message).toContain(theirs?.uid);
    expect(await fixture.asked("POST")).toEqual([]);
  });

  test("one that another resource of this run holds", async () => {
    const run = fixture.run();
    const wanted = await inputs();
    const other = { ...wanted, name: fixture.name("other") };
    const { uid } = await fixture.colleague(group, other);
    expect(check(group, {}, other, run).failures).toEqual([]);
    expect(diff(group, uid, other, other, run).changes).toBe(false);
    fixture.proxy.interfere = async ({ method }, forward) => {
      if (method !== "POST") return forward();
      await fixture.platform.change("groups", uid, { name: wanted.name, createTime: new Date(Date.now() + 5_000).toISOString() });
      return "reset";
    };
    expect(await failureOf(declare(group, wanted, run))).toMatchObject({ code: "OUTCOME_UNKNOWN" });
  });

  test("one beside our own, where the platform allows both", async () => {
    const wanted = await inputs();
    await fixture.platform.settings({ duplicateNames: true });
    fixture.proxy.interfere = firstPost(async (forward) => {
      await forward();
      await fixture.colleague(group, wanted);
      return "reset" as const;
    });
    const error = await failureOf(declare(group, wanted, fixture.run()));
    expect(error).toMatchObject({ code: "OUTCOME_UNKNOWN" });
    for (const { uid } of await fixture.children(group, wanted.parentUid)) expect(error.message).toContain(uid);
    expect(await fixture.children(group, wanted.parentUid)).toHaveLength(2);
  });
});

test("an object created in the same second as its send is ours on a platform that counts whole seconds", async () => {
  await fixture.platform.settings({ timestampDigits: 0 });
  const parentUid = await fixture.parent();
  fixture.proxy.interfere = firstPost(after("reset"));
  const { id } = await declare(group, { parentUid, name: "whole second" }, fixture.run());
  expect((await fixture.children(group, parentUid)).map(({ uid }) => uid)).toEqual([id]);
});

test("without a Date header nothing can be proven: the error names the object, and nothing is sent again", async () => {
  const parentUid = await fixture.parent();
  const passOn = firstPost(after("reset"));
  fixture.proxy.interfere = async (request, forward) => {
    const answer = (await passOn(request, forward)) ?? (await forward());
    return typeof answer === "string" ? answer : { ...answer, headers: { "content-type": "application/json" } };
  };
  const error = await failureOf(declare(group, { parentUid, name: "undated" }, fixture.run()));
  const rows = await fixture.children(group, parentUid);
  expect(error).toMatchObject({ code: "OUTCOME_UNKNOWN" });
  expect(error.message).toContain(rows[0]?.uid);
  expect(rows).toHaveLength(1);
});

test.each([
  ["shows nothing", { status: 200, headers: {}, body: '{"groups":[],"identities":[],"nextPageToken":"","totalCount":"0"}' }],
  ["is rejected", platformError(403, 7)],
  ["fails", platformError(500, 13)],
])("when the List %s, the error says that the object may exist, and nothing is sent again", async (_what, answer) => {
  let posts = 0;
  fixture.proxy.interfere = async ({ method, path }, forward) => {
    if (method === "POST") {
      posts += 1;
      await forward();
      return "reset";
    }
    return path.endsWith("/identities") && posts > 0 ? answer : forward();
  };
  const parentUid = await fixture.parent();
  const run = fixture.run();
  const error = await failureOf(declare(identity, { ...(await fixture.inputs(identity, parentUid)) }, run));
  expect(error).toMatchObject({ code: "OUTCOME_UNKNOWN" });
  expect(error.message).toContain("unknown whether the platform created it");
  expect(posts).toBe(1);
  expect(await fixture.children(identity, parentUid)).toHaveLength(1);
});

describe("a List that is blind where the object would be proves nothing, whatever it shows elsewhere: nothing is sent again", () => {
  /** A token of an identity that has `capabilities` at `place`, and sees groups everywhere. */
  async function callerWith(capabilities: string[], place: string): Promise<{ uid: string; token: string }> {
    const uid = await fixture.identity();
    await grant(uid, ["CAP_IAM_GROUPS_LIST"], fixture.platform.root);
    await grant(uid, capabilities, place);
    return { uid, token: await fixture.platform.apiToken({ identity: uid }) };
  }

  async function grant(identityUid: string, capabilities: string[], parentUid: string): Promise<void> {
    const role = await fixture.platform.create("roles", fixture.platform.root, { name: fixture.name("role"), capabilities });
    await fixture.colleague(roleBinding, { parentUid, identityUid, roleUid: role.uid });
  }

  async function expectUnknown(kind: Kind, parentUid: string, token: string): Promise<void> {
    await fixture.platform.settings({ duplicateNames: true, denials: "hidden" });
    const inputs = await fixture.inputs(kind, parentUid);
    fixture.proxy.interfere = firstPost(after("reset"));
    expect(await failureOf(declare(kind, inputs, fixture.run({ token })))).toMatchObject({ code: "OUTCOME_UNKNOWN" });
    expect(await fixture.children(kind, parentUid)).toHaveLength(1);
  }

  test("built-in roles, which everybody sees", async () => {
    const { token } = await callerWith(["CAP_IAM_ROLES_CREATE", "CAP_REPO_LIST", "CAP_TAG_LIST"], fixture.platform.root);
    await expectUnknown(role, await fixture.parent(), token);
  });

  test("identities of another part of the organisation", async () => {
    const [here, elsewhere] = [await fixture.parent(), await fixture.parent()];
    await fixture.colleague(identity, await fixture.inputs(identity, elsewhere));
    const { uid, token } = await callerWith(["CAP_IAM_IDENTITY_CREATE"], here);
    await grant(uid, ["CAP_IAM_IDENTITY_LIST"], elsewhere);
    await expectUnknown(identity, here, token);
  });

  test("what it showed before these credentials lost their access", async () => {
    await fixture.platform.settings({ duplicateNames: true });
    const parentUid = await fixture.parent();
    await fixture.colleague(identity, await fixture.inputs(identity, parentUid));
    let isLost = false;
    fixture.proxy.interfere = async ({ method, path }, forward) => {
      if (method !== "POST")
        return isLost && path.endsWith("/identities")
          ? { ...html, headers: {}, body: '{"identities":[],"totalCount":"0"}' }
          : forward();
      isLost = true;
      await forward();
      return "reset";
    };
    const error = await failureOf(declare(identity, await fixture.inputs(identity, parentUid), fixture.run()));
    expect(error).toMatchObject({ code: "OUTCOME_UNKNOWN" });
    expect(await fixture.children(identity, parentUid)).toHaveLength(2);
  });
});

test("an object that only the second attempt's refusal shows is ours when it is provable", async () => {
  const parentUid = await fixture.parent();
  const inputs = { parentUid, name: "hidden" };
  let posts = 0;
  fixture.proxy.interfere = async ({ method, path }, forward) => {
    if (method === "POST") {
      posts += 1;
      const answer = await forward();
      return posts === 1 ? "reset" : answer;
    }
    // The List of this platform lags behind until the second attempt.
    const answer = await forward();
    const isLookUp = path.endsWith("/groups") && posts === 1 && answer.body.includes('"hidden"');
    return isLookUp ? { ...answer, body: '{"groups":[],"nextPageToken":"","totalCount":"0"}' } : answer;
  };
  const { id } = await declare(group, inputs, fixture.run());
  expect(posts).toBe(2);
  expect((await fixture.children(group, parentUid)).map((row) => row.uid)).toEqual([id]);
});

test("when the platform says that it exists after a lost attempt, and nothing shows whose it is, the error does not claim that nothing was created", async () => {
  const parentUid = await fixture.parent();
  let posts = 0;
  fixture.proxy.interfere = async ({ method, path }, forward) => {
    const answer = await forward();
    if (method === "POST") return ++posts === 1 ? "reset" : answer;
    return path.endsWith("/groups") && answer.body.includes('"hidden"')
      ? { ...answer, body: '{"groups":[],"nextPageToken":"","totalCount":"0"}' }
      : answer;
  };
  const error = await failureOf(declare(group, { parentUid, name: "hidden" }, fixture.run()));
  expect(error).toMatchObject({ code: "OUTCOME_UNKNOWN" });
  expect(error.message).not.toContain("Nothing was created");
  expect(await fixture.children(group, parentUid)).toHaveLength(1);
});

test("a group that was found does not count as created by this run: its children are listed", async () => {
  const run = fixture.run();
  fixture.proxy.interfere = firstPost(after("reset"));
  const { id } = await declare(group, { parentUid: await fixture.parent(), name: "found" }, run);
  await fixture.colleague(group, { parentUid: id, name: "theirs" });
  const error = await failureOf(declare(group, { parentUid: id, name: "theirs" }, run));
  expect(error).toMatchObject({ code: "KEY_TAKEN" });
});

test("a create without its natural key is rejected here", async () => {
  await fixture.platform.clearRequests();
  expect(await failureOf(create(group, { parentUid: fixture.platform.root }, fixture.run()))).toMatchObject({
    code: "INVALID_INPUT",
  });
  expect(await fixture.platform.requests()).toEqual([]);
});

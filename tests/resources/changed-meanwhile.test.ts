import type { Inputs, Kind } from "../../provider/schema/kind";
import { refresh } from "../../provider/resources/object/read";
import { update } from "../../provider/resources/object/update";
import { FakeClock } from "../support/fake-clock";
import { accountAssociation, declare, expectFailure, failureOf, group, groupInvite, identity } from "../support/resource-fixture";
import { identityProvider, kinds, ResourceFixture, role, roleBinding, type RunOptions } from "../support/resource-fixture";
import { json } from "../support/fault-proxy";

const fixture = ResourceFixture.forFile();

/** An object as an earlier run has made it, with its state. */
async function earlier(kind: Kind, more: Inputs = {}) {
  const inputs = { ...(await fixture.inputs(kind, await fixture.place(kind))), ...more };
  const { id, outs } = await declare(kind, inputs, fixture.run());
  await fixture.platform.clearRequests();
  return { id, state: outs, inputs };
}

/** The next run, which does not sit out its waits, and what it says. */
function nextRun(options: RunOptions = {}) {
  const notes: string[] = [];
  const clock = new FakeClock();
  const timing = { firstDelayMs: 500, longestDelayMs: 5_000, propagationMs: 30_000 };
  return { notes, clock, run: fixture.run({ clock, timing, notify: (note) => notes.push(note), ...options }) };
}

const stored = async (kind: Kind, uid: string) =>
  (await fixture.platform.objects(kind.collection.segment)).find((row) => row.uid === uid) ?? { uid, name: "" };
const isSent = async (method = "PATCH") => (await fixture.asked(method)).length;

const issuerKeys = JSON.stringify({ keys: [{ kty: "RSA", n: "AQAB", e: "AQAB", kid: "1" }] });
const evil = { issuer: "https://evil.example", subjectPattern: ".*", subject: null };

/** A change by hand of each kind that gives access, a change that the program makes besides, and what the error must show. */
const byHand: [string, Kind, () => Promise<object>, Inputs, string[]][] = [
  [
    "the login of an identity",
    identity,
    () => Promise.resolve({ claimMatch: evil }),
    { name: "new" },
    ["https://evil.example", '".*"', "https://issuer.example"],
  ],
  [
    "the role of a binding",
    roleBinding,
    async () => ({ roleUid: await fixture.platform.role("owner") }),
    { identityUid: "other" },
    ["roleUid"],
  ],
  [
    "the capabilities of a role",
    role,
    () => Promise.resolve({ capabilities: ["CAP_REPO_LIST", "CAP_TAG_LIST", "CAP_IAM_GROUPS_DELETE"] }),
    { name: "new" },
    ['capabilities has ["CAP_IAM_GROUPS_DELETE"] on the platform'],
  ],
  [
    "the issuer of an identity provider",
    identityProvider,
    () => Promise.resolve({ oidc: { issuer: "https://evil.example", clientId: "x" } }),
    { name: "new" },
    ["oidc.issuer", "https://evil.example"],
  ],
  [
    "the account of an association",
    accountAssociation,
    () => Promise.resolve({ amazon: { account: "999999999999" } }),
    { description: "new" },
    ["amazon.account", "999999999999", "123456789012"],
  ],
];

async function change(given: Inputs): Promise<Inputs> {
  return given["identityUid"] === undefined ? given : { identityUid: await fixture.identity() };
}

describe.each(byHand)("if somebody else has changed %s", (_what, kind, foreign, given, parts) => {
  test("an update of another field fails, names both values and what to do, and sends nothing", async () => {
    const { id, state, inputs } = await earlier(kind);
    await fixture.platform.change(kind.collection.segment, id, await foreign());
    const before = await stored(kind, id);
    await expectFailure(
      update({ kind, uid: id, olds: state, news: { ...inputs, ...(await change(given)) } }, nextRun().run),
      "CHANGED_MEANWHILE",
      id,
      "somebody else",
      ...parts,
      "Nothing was sent",
      "up --refresh --run-program",
      "PLATFORM_OVERWRITE",
    );
    expect(await isSent()).toBe(0);
    expect(await stored(kind, id)).toEqual(before);
  });

  test("a run that has refreshed repairs it, and says what it was, once", async () => {
    const { id, state, inputs } = await earlier(kind);
    await fixture.platform.change(kind.collection.segment, id, await foreign());
    const { run, notes } = nextRun();
    const seen = await refresh(kind, id, state, run);
    expect(await update({ kind, uid: id, olds: seen?.props ?? {}, news: inputs }, run)).toMatchObject(inputs);
    expect(notes).toHaveLength(1);
    for (const part of [id, ...parts]) expect(notes[0]).toContain(part);
  });

  test("PLATFORM_OVERWRITE overwrites it, and says what it was", async () => {
    const { id, state, inputs } = await earlier(kind);
    await fixture.platform.change(kind.collection.segment, id, await foreign());
    const { run, notes } = nextRun({ overwrites: true });
    const declared = { ...inputs, ...(await change(given)) };
    await update({ kind, uid: id, olds: state, news: declared }, run);
    expect(notes).toHaveLength(1);
    for (const part of [id, ...parts, "overwrites that"]) expect(notes[0]).toContain(part);
    expect((await refresh(kind, id, {}, fixture.run()))?.inputs).toMatchObject(declared);
  });
});

test("the changed field itself is not overwritten either", async () => {
  const { id, state, inputs } = await earlier(identity);
  await fixture.platform.change("identities", id, { claimMatch: evil });
  const claimMatch = { issuer: "https://issuer.example", subject: "another" };
  await expectFailure(
    update({ kind: identity, uid: id, olds: state, news: { ...inputs, claimMatch } }, nextRun().run),
    "CHANGED_MEANWHILE",
  );
});

test("a login in another form beside the declared one is somebody else's", async () => {
  const { id, state, inputs } = await earlier(identity);
  const live = await stored(identity, id);
  const rewritten = { ...live, staticKeys: { issuer: "https://evil.example", subject: "x", issuerKeys: "{}" } };
  answerReads(id, () => rewritten);
  await expectFailure(
    update({ kind: identity, uid: id, olds: state, news: { ...inputs, name: "new" } }, nextRun().run),
    "CHANGED_MEANWHILE",
    'staticKeys.issuer is "https://evil.example"',
  );
});

/** Answers reads of the object `uid` with what `answer` returns. */
function answerReads(uid: string, answer: (count: number) => object | undefined): void {
  let count = 0;
  fixture.proxy.interfere = async ({ method, path }, forward) => {
    const body = method === "GET" && path.endsWith(uid) ? answer(++count) : undefined;
    return body === undefined ? forward() : json(200, body);
  };
}

describe("an update goes on", () => {
  test.each(kinds.filter(([, { calls }]) => calls.update === "patch"))(
    "for a %s as in state, with one more request",
    async (_noun, kind) => {
      const { id, state, inputs } = await earlier(kind);
      const { run, notes } = nextRun();
      const by = await fixture.changeByHand(kind);
      await update({ kind, uid: id, olds: state, news: { ...inputs, ...by } }, run).catch(() => undefined);
      expect([await isSent("GET"), notes]).toEqual([1, []]);
    },
  );

  test("if the object is as declared already", async () => {
    const { id, state, inputs } = await earlier(identity);
    await fixture.platform.change("identities", id, { name: "new", description: "as declared" });
    expect(await update({ kind: identity, uid: id, olds: state, news: { ...inputs, name: "new" } }, nextRun().run)).toMatchObject(
      { name: "new" },
    );
  });

  test("once a late read shows the last write of the run before", async () => {
    const { id, state, inputs } = await earlier(identity);
    const old = await stored(identity, id);
    const renamed = await update({ kind: identity, uid: id, olds: state, news: { ...inputs, name: "second" } }, fixture.run());
    answerReads(id, (count) => (count < 4 ? old : undefined));
    const { run, clock } = nextRun();
    expect(await update({ kind: identity, uid: id, olds: renamed, news: { ...inputs, name: "third" } }, run)).toMatchObject({
      name: "third",
    });
    expect(clock.slept.filter((ms) => ms >= 500)).toHaveLength(3);
  });

  test("and is not held up for longer than a write may take to be seen", async () => {
    const { id, state, inputs } = await earlier(identity);
    await fixture.platform.change("identities", id, { claimMatch: evil });
    const { run, clock } = nextRun();
    const { propagationMs } = run.client.timing;
    for (const _ of [1, 2]) {
      await failureOf(update({ kind: identity, uid: id, olds: state, news: { ...inputs, name: "new" } }, run));
      expect(clock.now()).toBeGreaterThanOrEqual(propagationMs);
      expect(clock.now()).toBeLessThan(propagationMs + 100);
    }
  });

  test("whatever values the platform never returns, or has filled in", async () => {
    const withSecret = { oidc: { issuer: "https://login.example", clientId: "platform", clientSecret: "hush" } };
    const { id, state, inputs } = await earlier(identityProvider, withSecret);
    expect(
      await update({ kind: identityProvider, uid: id, olds: state, news: { ...inputs, name: "new" } }, nextRun().run),
    ).toMatchObject({ name: "new" });
    const staticKeys = { issuer: "https://issuer.example", subject: "x", issuerKeys };
    const filled = await earlier(identity, { claimMatch: undefined, staticKeys });
    const expirationTime = new Date(Date.now() + 86_400_000).toISOString();
    await fixture.platform.change("identities", filled.id, { staticKeys: { expirationTime } });
    const outs = await update(
      { kind: identity, uid: filled.id, olds: filled.state, news: { ...filled.inputs, name: "new" } },
      nextRun().run,
    );
    expect(outs).toMatchObject({ name: "new", staticKeys: { expirationTime } });
  });

  test("if it only takes capabilities from a role, and says which somebody else has added", async () => {
    const { id, state, inputs } = await earlier(role);
    await fixture.platform.change("roles", id, { capabilities: ["CAP_REPO_LIST", "CAP_TAG_LIST", "CAP_IAM_GROUPS_DELETE"] });
    const { run, notes } = nextRun();
    await update({ kind: role, uid: id, olds: state, news: { ...inputs, capabilities: ["CAP_REPO_LIST"] } }, run);
    expect((await stored(role, id))["capabilities"]).toEqual(["CAP_REPO_LIST"]);
    expect(notes).toEqual([expect.stringContaining("CAP_IAM_GROUPS_DELETE")]);
  });

  test("for a group, which gives no access, and says what somebody else has changed", async () => {
    const { id, state, inputs } = await earlier(group);
    await fixture.platform.change("groups", id, { description: "by hand" });
    const { run, notes } = nextRun();
    await update({ kind: group, uid: id, olds: state, news: { ...inputs, description: "new" } }, run);
    expect(notes).toEqual([
      expect.stringMatching(/description is "by hand" on the platform and "as declared" in the state.*overwrites/),
    ]);
  });
});

test("nobody else's change is ever taken into the state in silence", async () => {
  const { id, state, inputs } = await earlier(identity);
  await fixture.platform.change("identities", id, { claimMatch: evil });
  const { run, notes } = nextRun();
  await update({ kind: identity, uid: id, olds: state, news: inputs }, run);
  expect(notes).toEqual([expect.stringMatching(/evil\.example.*keeps that/)]);
});

test("updates at the same time are checked by Lists, not one by one", async () => {
  const parent = await fixture.parent();
  const [run, count] = [fixture.run(), 20];
  const made = await Promise.all(
    Array.from({ length: count }, async () => {
      const inputs = { ...(await fixture.inputs(identity, parent)) };
      return { inputs, ...(await declare(identity, inputs, run)) };
    }),
  );
  await fixture.platform.clearRequests();
  const next = nextRun().run;
  const changed = made.map(({ id, outs, inputs }) =>
    update({ kind: identity, uid: id, olds: outs, news: { ...inputs, description: "new" } }, next),
  );
  await Promise.all(changed);
  expect(await isSent()).toBe(count);
  expect(await isSent("GET")).toBeLessThanOrEqual(3);
});

test("no secret value is shown", async () => {
  const oidc = { issuer: "https://login.example", clientId: "platform", clientSecret: "hush-hush" };
  const { id, state, inputs } = await earlier(identityProvider, { oidc });
  await fixture.platform.change("identityProviders", id, {
    oidc: { issuer: "https://evil.example", clientId: "platform", clientSecret: "theirs" },
  });
  const error = await expectFailure(
    update({ kind: identityProvider, uid: id, olds: state, news: { ...inputs, name: "new" } }, nextRun().run),
    "CHANGED_MEANWHILE",
    "evil.example",
  );
  expect(error.message).not.toMatch(/hush|theirs/);
});

test("a create reads nothing more", async () => {
  const inputs = await fixture.inputs(groupInvite, await fixture.place(groupInvite));
  await fixture.platform.clearRequests();
  await declare(groupInvite, inputs, nextRun().run);
  expect(
    (await fixture.platform.requests()).filter(({ path }) => path.includes("groupInvites")).map(({ method }) => method),
  ).toEqual(["POST"]);
});

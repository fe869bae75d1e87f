import type { Inputs, Kind } from "../../provider/schema/kind";
import { refresh } from "../../provider/resources/object/read";
import { FakeClock } from "../support/fake-clock";
import { accountAssociation, declare, expectFailure, failureOf, group, groupInvite, identity } from "../support/resource-fixture";
import { identityProvider, kinds, ResourceFixture, role, roleBinding, type RunOptions } from "../support/resource-fixture";
import { json } from "../support/fault-proxy";

const fixture = ResourceFixture.forFile();

/** The next run, which does not sit out its waits, and what it says. */
function nextRun(options: RunOptions = {}) {
  const notes: string[] = [];
  const clock = new FakeClock();
  const timing = { firstDelayMs: 500, longestDelayMs: 5_000, propagationMs: 30_000 };
  return { notes, clock, run: fixture.run({ clock, timing, notify: (note) => notes.push(note), ...options }) };
}

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
    const made = await fixture.made(kind);
    await made.byHand(await foreign());
    const before = await made.stored();
    await expectFailure(
      made.update(await change(given), nextRun().run),
      "CHANGED_MEANWHILE",
      made.uid,
      "somebody else",
      ...parts,
      "Nothing was sent",
      "up --refresh --run-program",
      "PLATFORM_OVERWRITE",
    );
    expect(await isSent()).toBe(0);
    expect(await made.stored()).toEqual(before);
  });

  test("a run that has refreshed repairs it, and says what it was, once", async () => {
    const made = await fixture.made(kind);
    await made.byHand(await foreign());
    const { run, notes } = nextRun();
    expect(await (await made.refreshed(run)).update({}, run)).toMatchObject(made.inputs);
    expect(notes).toHaveLength(1);
    for (const part of [made.uid, ...parts]) expect(notes[0]).toContain(part);
  });

  test("PLATFORM_OVERWRITE overwrites it, and says what it was", async () => {
    const made = await fixture.made(kind);
    await made.byHand(await foreign());
    const { run, notes } = nextRun({ overwrites: true });
    const declared = await change(given);
    await made.update(declared, run);
    expect(notes).toHaveLength(1);
    for (const part of [made.uid, ...parts, "overwrites that"]) expect(notes[0]).toContain(part);
    expect((await refresh(kind, made.uid, {}, fixture.run()))?.inputs).toMatchObject({ ...made.inputs, ...declared });
  });
});

test("the changed field itself is not overwritten either", async () => {
  const made = await fixture.made(identity);
  await made.byHand({ claimMatch: evil });
  const claimMatch = { issuer: "https://issuer.example", subject: "another" };
  await expectFailure(made.update({ claimMatch }, nextRun().run), "CHANGED_MEANWHILE");
});

test("a login in another form beside the declared one is somebody else's", async () => {
  const made = await fixture.made(identity);
  const live = await made.stored();
  const rewritten = { ...live, staticKeys: { issuer: "https://evil.example", subject: "x", issuerKeys: "{}" } };
  answerReads(made.uid, () => rewritten);
  await expectFailure(
    made.update({ name: "new" }, nextRun().run),
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
      const made = await fixture.made(kind);
      const { run, notes } = nextRun();
      const by = await fixture.changeByHand(kind);
      await made.update({ ...by }, run).catch(() => undefined);
      expect([await isSent("GET"), notes]).toEqual([1, []]);
    },
  );

  test("if the object is as declared already", async () => {
    const made = await fixture.made(identity);
    await made.byHand({ name: "new", description: "as declared" });
    expect(await made.update({ name: "new" }, nextRun().run)).toMatchObject({ name: "new" });
  });

  test("once a late read shows the last write of the run before", async () => {
    const made = await fixture.made(identity);
    const old = await made.stored();
    const renamed = await made.updated({ name: "second" });
    answerReads(made.uid, (count) => (count < 4 ? old : undefined));
    const { run, clock } = nextRun();
    expect(await renamed.update({ name: "third" }, run)).toMatchObject({ name: "third" });
    expect(clock.slept.filter((ms) => ms >= 500)).toHaveLength(3);
  });

  test("and is not held up for longer than a write may take to be seen", async () => {
    const made = await fixture.made(identity);
    await made.byHand({ claimMatch: evil });
    const { run, clock } = nextRun();
    const { propagationMs } = run.client.timing;
    for (const _ of [1, 2]) {
      await failureOf(made.update({ name: "new" }, run));
      expect(clock.now()).toBeGreaterThanOrEqual(propagationMs);
      expect(clock.now()).toBeLessThan(propagationMs + 100);
    }
  });

  test("whatever values the platform never returns, or has filled in", async () => {
    const withSecret = { oidc: { issuer: "https://login.example", clientId: "platform", clientSecret: "hush" } };
    const made = await fixture.made(identityProvider, withSecret);
    expect(await made.update({ name: "new" }, nextRun().run)).toMatchObject({ name: "new" });
    const staticKeys = { issuer: "https://issuer.example", subject: "x", issuerKeys };
    const filled = await fixture.made(identity, { claimMatch: undefined, staticKeys });
    const expirationTime = new Date(Date.now() + 86_400_000).toISOString();
    await filled.byHand({ staticKeys: { expirationTime } });
    const outs = await filled.update({ name: "new" }, nextRun().run);
    expect(outs).toMatchObject({ name: "new", staticKeys: { expirationTime } });
  });

  test("if it only takes capabilities from a role, and says which somebody else has added", async () => {
    const made = await fixture.made(role);
    await made.byHand({ capabilities: ["CAP_REPO_LIST", "CAP_TAG_LIST", "CAP_IAM_GROUPS_DELETE"] });
    const { run, notes } = nextRun();
    await made.update({ capabilities: ["CAP_REPO_LIST"] }, run);
    expect(await made.stored()).toMatchObject({ capabilities: ["CAP_REPO_LIST"] });
    expect(notes).toEqual([expect.stringContaining("CAP_IAM_GROUPS_DELETE")]);
  });

  test("for a group, which gives no access, and says what somebody else has changed", async () => {
    const made = await fixture.made(group);
    await made.byHand({ description: "by hand" });
    const { run, notes } = nextRun();
    await made.update({ description: "new" }, run);
    expect(notes).toEqual([
      expect.stringMatching(/description is "by hand" on the platform and "as declared" in the state.*overwrites/),
    ]);
  });
});

test("nobody else's change is ever taken into the state in silence", async () => {
  const made = await fixture.made(identity);
  await made.byHand({ claimMatch: evil });
  const { run, notes } = nextRun();
  await made.update({}, run);
  expect(notes).toEqual([expect.stringMatching(/evil\.example.*keeps that/)]);
});

test("updates at the same time are checked by Lists, not one by one", async () => {
  const [parentUid, count] = [await fixture.parent(), 20];
  const made = await Promise.all(Array.from({ length: count }, () => fixture.made(identity, { parentUid })));
  await fixture.platform.clearRequests();
  const next = nextRun().run;
  await Promise.all(made.map((each) => each.update({ description: "new" }, next)));
  expect(await isSent()).toBe(count);
  expect(await isSent("GET")).toBeLessThanOrEqual(3);
});

test("no secret value is shown", async () => {
  const oidc = { issuer: "https://login.example", clientId: "platform", clientSecret: "hush-hush" };
  const made = await fixture.made(identityProvider, { oidc });
  await made.byHand({
    oidc: { issuer: "https://evil.example", clientId: "platform", clientSecret: "theirs" },
  });
  const error = await expectFailure(made.update({ name: "new" }, nextRun().run), "CHANGED_MEANWHILE", "evil.example");
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

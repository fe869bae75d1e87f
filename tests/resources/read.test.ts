import type { Inputs, Kind } from "../../provider/schema/kind";
import { get, refresh } from "../../provider/resources/object/read";
import { type Answer, json } from "../support/fault-proxy";
import { html, instead, notFound, on, refusal } from "../support/interference";
import { declare, expectFailure, failureOf, group, identity, kinds } from "../support/resource-fixture";
import { ResourceFixture, roleBinding } from "../support/resource-fixture";
import { pairs } from "../support/tier";

const fixture = ResourceFixture.forFile();

/** `values` without what the platform never shows, or only once. */
function shownOf({ fields }: Kind, values: Inputs): Inputs {
  const isShown = (name: string) => {
    const { by, traits } = fields[name] ?? {};
    return by !== "local" && !traits?.writeOnly && !traits?.once;
  };
  return Object.fromEntries(Object.entries(values).filter(([name]) => isShown(name)));
}

describe.each(kinds)("a %s", (_noun, kind) => {
  test("that exists is read with the inputs that would declare it", async () => {
    const made = await fixture.made(kind);
    const seen = { id: made.uid, props: shownOf(kind, made.outs), inputs: shownOf(kind, made.inputs) };
    expect(await refresh(kind, made.uid, {}, fixture.run())).toEqual(seen);
    expect(await get(kind, made.uid, fixture.run())).toEqual(seen);
  });

  test("that was deleted is gone", async () => {
    const theirs = await fixture.theirs(kind);
    await theirs.deletedByHand();
    expect(await theirs.refresh()).toBeUndefined();
  });

  test("whose whole branch was deleted is gone, by the first ancestor that still exists", async () => {
    const branch = await fixture.parent();
    const theirs = await fixture.theirs(kind, { [kind.parentInput]: await fixture.place(kind, branch) });
    await fixture.platform.delete("groups", branch);
    expect(await theirs.refresh()).toBeUndefined();
  });

  test("that is missing is an error for get, never an empty answer", async () => {
    const uid = `${await fixture.place(kind)}/0123456789abcdef`;
    await expectFailure(get(kind, uid, fixture.run()), "NOT_FOUND", `${kind.collection.noun} ${uid} not found`);
  });

  test("that answers with another uid is an error, and never reaches state", async () => {
    const wanted = await fixture.theirs(kind);
    const uid = `${wanted.place}/fedcba9876543210`;
    await fixture.platform.fault({ path: `${wanted.uid}$` }, { rewrite: { uid } });
    await expectFailure(wanted.refresh(), "WRONG_OBJECT", uid);
  });

  test("is read again after transient faults", async () => {
    const theirs = await fixture.theirs(kind);
    await fixture.platform.fault({ path: `${theirs.uid}$` }, { status: 503 }, { times: 2 });
    await fixture.platform.fault({ path: `${theirs.uid}$` }, { reset: "before" });
    expect(await theirs.refresh()).toMatchObject({ id: theirs.uid });
  });
});

const tooLarge = json(429, { code: 8, message: "grpc: received message larger than max (5000000 vs. 4194304)" });

test("objects whose List is too large are read one by one", async () => {
  const made = await Promise.all(Array.from({ length: 12 }, () => fixture.made(group, { parentUid: fixture.platform.root })));
  fixture.proxy.interfere = on(({ path }) => isList(path, group), instead(tooLarge));
  const run = fixture.run();
  const found = await Promise.all(made.map(({ uid, outs }) => refresh(group, uid, outs, run)));
  expect(found.map((each) => each?.id)).toEqual(made.map(({ uid }) => uid));
});

const isObject = (path: string) => path.endsWith("/0123456789abcdef");
const isList = (path: string, kind: Kind) => path.endsWith(kind.collection.segment);
const isParent = (path: string) => path.includes("/groups/") && !isObject(path);

test.each(
  pairs(kinds, [
    ["every answer is 404 with code 5", () => true, notFound],
    ["every answer is 404 in HTML", () => true, html(404)],
    ["only the object answers, with 404 in HTML", isObject, html(404)],
    ["the List answers 403", isList, refusal(403, 7)],
    ["the List answers 404 with code 5", isList, notFound],
    ["the List is too large to be read", isList, tooLarge],
    ["the List answers an object without its envelope", isList, json(200, {})],
    ["the List answers something else", isList, json(200, { welcome: true })],
    ["the parent answers 403", isParent, refusal(403, 7)],
    ["the parent answers HTML", isParent, html(404)],
    ["no ancestor exists", (path) => path.includes("/groups/"), notFound],
  ] as [string, (path: string, kind: Kind) => boolean, Answer][]),
)("an object that is missing stays in state: %s", async (_what, kind, meets, answer) => {
  const uid = `${await fixture.place(kind)}/0123456789abcdef`;
  fixture.proxy.interfere = on(({ path }) => meets(path, kind), instead(answer));
  const { code, message } = await failureOf(refresh(kind, uid, {}, fixture.run()));
  expect(code).toMatch(/^(NOT_GONE|UNEXPECTED_ANSWER)$/);
  expect(message).toContain(code === "NOT_GONE" ? uid : "Check the API address");
});

test.each(
  pairs(
    kinds,
    [403, 429, 500, 502, 503, 504].map((status): [string, number] => [`answers ${status}`, status]),
  ),
)("an object stays in state: %s", async (_what, kind, status) => {
  const theirs = await fixture.theirs(kind);
  await fixture.platform.fault({ path: `${theirs.uid}$` }, { status }, { times: 0 });
  expect(["NOT_GONE", "NOT_FOUND"]).not.toContain((await failureOf(theirs.refresh()))["code"]);
});

test("an object that is not proven gone names the options", async () => {
  await expectFailure(
    refresh(group, "elsewhere/team", {}, fixture.run()),
    "NOT_GONE",
    "cannot see elsewhere",
    "It stays in state",
    "pulumi-platform forget",
    "pulumi stack rm --force",
    "identity",
  );
});

test("the root group of an organisation is never dropped: nothing above it could show that it is gone", async () => {
  await expectFailure(refresh(group, "0123456789abcdef0123456789abcdef01234567", {}, fixture.run()), "NOT_GONE");
});

test("proofs of deletion are shared by reads that wait for them, and requested again for a later one", async () => {
  const [parent, run] = [await fixture.parent(), fixture.run()];
  // After a write, no List of states answers reads.
  await declare(group, await fixture.inputs(group, await fixture.parent()), run);
  await fixture.platform.clearRequests();
  const uids = Array.from({ length: 20 }, (_, index) => `${parent}/${String(index).padStart(16, "0")}`);
  let unanswered = uids.length;
  const all = Promise.withResolvers<undefined>();
  // Every read has its 404 before any proof is requested.
  fixture.proxy.interfere = async ({ path }, forward) => {
    const answer = await forward();
    if (!uids.some((uid) => path.endsWith(uid))) return answer;
    if (--unanswered === 0) all.resolve(undefined);
    await all.promise;
    return answer;
  };
  expect(await Promise.all(uids.map((uid) => refresh(identity, uid, {}, run)))).toEqual(uids.map(() => undefined));
  const first = await fixture.asked("GET");
  // The place, the List for their uids, and the List of the root for an object that shows that it works: each two times at most.
  expect(first.length - uids.length).toBeLessThanOrEqual(6);
  await fixture.platform.clearRequests();
  expect(await refresh(identity, `${parent}/0123456789abcdef`, {}, run)).toBeUndefined();
  const later = await fixture.asked("GET");
  expect(later.filter((path) => path.endsWith("/identities"))).toHaveLength(1);
  expect(later.filter((path) => path.endsWith(`/groups/${parent}`))).toHaveLength(1);
  expect(later).toHaveLength(3);
});

test("a proof that failed is requested again", async () => {
  const [uid, run] = [`${await fixture.parent()}/0123456789abcdef`, fixture.run()];
  await fixture.platform.fault({ path: "/identities$" }, { status: 403 });
  await expectFailure(refresh(identity, uid, {}, run), "NOT_GONE");
  expect(await refresh(identity, uid, {}, run)).toBeUndefined();
});

test("a caller without any role sees nothing and drops nothing", async () => {
  const token = await fixture.platform.apiToken({ identity: await fixture.identity() });
  const { uid } = await fixture.colleague(group, await fixture.inputs(group, await fixture.parent()));
  expect(["NOT_GONE", "PERMISSION_DENIED"]).toContain((await failureOf(refresh(group, uid, {}, fixture.run({ token }))))["code"]);
});

test("a claim match that was widened by hand is read completely", async () => {
  const made = await fixture.made(identity);
  const claimMatch = { audience: "elsewhere", claims: { team: "x" } };
  await made.byHand({ claimMatch });
  expect(await made.refresh()).toMatchObject({ inputs: { claimMatch } });
});

test("a binding's references are read from what the platform expands, or from the bare fields", async () => {
  const { uid: id, inputs } = await fixture.made(roleBinding);
  const bare = { identity: null, role: null, identityUid: inputs["identityUid"], roleUid: inputs["roleUid"] };
  await fixture.platform.fault({ method: "GET", path: `${id}$` }, { rewrite: bare });
  expect((await refresh(roleBinding, id, {}, fixture.run()))?.inputs).toEqual(inputs);
});

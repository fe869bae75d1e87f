import type { Inputs, Kind } from "../../provider/kinds/kind";
import { get, refresh } from "../../provider/resources/read";
import { type Answer, json } from "../support/fault-proxy";
import { declare, expectFailure, failureOf, group, identity, kinds, ResourceFixture } from "../support/resource-fixture";
import { roleBinding } from "../support/resource-fixture";

const fixture = ResourceFixture.forFile();

const notFound = json(404, { code: 5, message: "Not Found", details: [] });
const forbidden = json(403, { code: 7, message: "no", details: [] });
const html: Answer = { status: 404, headers: { "content-type": "text/html" }, body: "<html>Not Found</html>" };

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
    const inputs = await fixture.inputs(kind, await fixture.place(kind));
    const run = fixture.run();
    const { id, outs } = await declare(kind, inputs, run);
    const seen = { id, props: shownOf(kind, outs), inputs: shownOf(kind, inputs) };
    expect(await refresh(kind, id, {}, run)).toEqual(seen);
    expect(await get(kind, id, run)).toEqual(seen);
  });

  test("that was deleted is gone", async () => {
    const { uid } = await fixture.colleague(kind, await fixture.inputs(kind, await fixture.place(kind)));
    await fixture.platform.delete(kind.collection.segment, uid);
    expect(await refresh(kind, uid, {}, fixture.run())).toBeUndefined();
  });

  test("whose whole branch was deleted is gone, by the first ancestor that still exists", async () => {
    const branch = await fixture.parent();
    const { uid } = await fixture.colleague(kind, await fixture.inputs(kind, await fixture.place(kind, branch)));
    await fixture.platform.delete("groups", branch);
    expect(await refresh(kind, uid, {}, fixture.run())).toBeUndefined();
  });

  test("that is missing is an error for get, never an empty answer", async () => {
    const uid = `${await fixture.place(kind)}/0123456789abcdef`;
    const error = await failureOf(get(kind, uid, fixture.run()));
    expect(error).toMatchObject({ code: "NOT_FOUND", message: `${kind.collection.noun} ${uid} not found` });
  });

  test.each([
    ["every answer is 404 with code 5", () => true, notFound],
    ["every answer is 404 in HTML", () => true, html],
    ["only the object answers, with 404 in HTML", (path: string) => path.endsWith("/0123456789abcdef"), html],
    ["the List answers 403", (path: string) => path.endsWith(kind.collection.segment), forbidden],
    ["the List answers 404 with code 5", (path: string) => path.endsWith(kind.collection.segment), notFound],
    ["the List answers an object without its envelope", (path: string) => path.endsWith(kind.collection.segment), json(200, {})],
    ["the List answers something else", (path: string) => path.endsWith(kind.collection.segment), json(200, { welcome: true })],
    ["the parent answers 403", (path: string) => path.includes("/groups/") && !path.endsWith("/0123456789abcdef"), forbidden],
    ["the parent answers HTML", (path: string) => path.includes("/groups/") && !path.endsWith("/0123456789abcdef"), html],
    ["no ancestor exists", (path: string) => path.includes("/groups/"), notFound],
  ])("stays in state when %s", async (_what, meets, answer) => {
    const uid = `${await fixture.place(kind)}/0123456789abcdef`;
    fixture.proxy.interfere = ({ path }, forward) => (meets(path) ? answer : forward());
    const error = await failureOf(refresh(kind, uid, {}, fixture.run()));
    expect(error["code"]).toMatch(/^(NOT_GONE|UNEXPECTED_ANSWER)$/);
    expect(error.message).toContain(error["code"] === "NOT_GONE" ? uid : "Check the API address");
  });

  test.each([403, 429, 500, 502, 503, 504])("stays in state when it answers %i", async (status) => {
    const { uid } = await fixture.colleague(kind, await fixture.inputs(kind, await fixture.place(kind)));
    await fixture.platform.fault({ path: `${uid}$` }, { status }, { times: 0 });
    const error = await failureOf(refresh(kind, uid, {}, fixture.run()));
    expect(error).not.toMatchObject({ code: "NOT_GONE" });
    expect(error["code"]).not.toBe("NOT_FOUND");
  });

  test("that answers with another uid is an error, and never reaches state", async () => {
    const parent = await fixture.place(kind);
    const [wanted, other] = [await fixture.colleague(kind, await fixture.inputs(kind, parent)), `${parent}/fedcba9876543210`];
    await fixture.platform.fault({ path: `${wanted.uid}$` }, { rewrite: { uid: other } });
    await expectFailure(refresh(kind, wanted.uid, {}, fixture.run()), "WRONG_OBJECT", other);
  });

  test("is read again after transient faults", async () => {
    const { uid } = await fixture.colleague(kind, await fixture.inputs(kind, await fixture.place(kind)));
    await fixture.platform.fault({ path: `${uid}$` }, { status: 503 }, { times: 2 });
    await fixture.platform.fault({ path: `${uid}$` }, { reset: "before" });
    expect(await refresh(kind, uid, {}, fixture.run())).toMatchObject({ id: uid });
  });
});

test("an object that is not proven gone names the options", async () => {
  await expectFailure(
    refresh(group, "elsewhere/team", {}, fixture.run()),
    "NOT_GONE",
    "cannot see elsewhere",
    "It stays in state",
    "pulumi state delete <urn>",
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
  const run = fixture.run();
  const { id } = await declare(identity, await fixture.inputs(identity, await fixture.parent()), run);
  await fixture.platform.change("identities", id, { claimMatch: { audience: "elsewhere", claims: { team: "x" } } });
  expect(await refresh(identity, id, {}, run)).toMatchObject({
    inputs: { claimMatch: { audience: "elsewhere", claims: { team: "x" } } },
  });
});

test("a binding's references are read from what the platform expands, or from the bare fields", async () => {
  const run = fixture.run();
  const inputs = await fixture.inputs(roleBinding, await fixture.parent());
  const { id } = await declare(roleBinding, inputs, run);
  const bare = { identity: null, role: null, identityUid: inputs["identityUid"], roleUid: inputs["roleUid"] };
  await fixture.platform.fault({ method: "GET", path: `${id}$` }, { rewrite: bare });
  expect((await refresh(roleBinding, id, {}, run))?.inputs).toEqual(inputs);
});

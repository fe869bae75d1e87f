import { get, refresh } from "../../provider/resources/read";
import type { Answer } from "./gateway";
import { declare, failureOf, group, identity, kinds, Lab, roleBinding } from "./lab";

let lab: Lab;

beforeAll(async () => {
  lab = await Lab.start();
});
afterAll(() => lab.close());
beforeEach(() => lab.reset());

const json = (status: number, body: object): Answer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
const notFound = json(404, { code: 5, message: "Not Found", details: [] });
const forbidden = json(403, { code: 7, message: "no", details: [] });
const html: Answer = { status: 404, headers: { "content-type": "text/html" }, body: "<html>Not Found</html>" };

describe.each(kinds)("a %s", (_noun, kind) => {
  test("that is there is read with the inputs that would declare it", async () => {
    const inputs = await lab.inputs(kind, await lab.parent());
    const run = lab.run();
    const { id, outs } = await declare(kind, inputs, run);
    const seen = { id, props: outs, inputs };
    expect(await refresh(kind, id, run)).toEqual(seen);
    expect(await get(kind, id, run)).toEqual(seen);
  });

  test("that was deleted is gone", async () => {
    const { uid } = await lab.colleague(kind, await lab.inputs(kind, await lab.parent()));
    await lab.platform.delete(kind.collection.segment, uid);
    expect(await refresh(kind, uid, lab.run())).toBeUndefined();
  });

  test("whose whole branch was deleted is gone, by the first ancestor that is still there", async () => {
    const branch = await lab.parent();
    const { uid } = await lab.colleague(kind, await lab.inputs(kind, await lab.parent(branch)));
    await lab.platform.delete("groups", branch);
    expect(await refresh(kind, uid, lab.run())).toBeUndefined();
  });

  test("that is asked for and is not there is an error, never an empty answer", async () => {
    const uid = `${await lab.parent()}/0123456789abcdef`;
    const error = await failureOf(get(kind, uid, lab.run()));
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
    ["no ancestor is there", (path: string) => path.includes("/groups/"), notFound],
  ])("stays in state when %s", async (_what, meets, answer) => {
    const uid = `${await lab.parent()}/0123456789abcdef`;
    lab.gateway.interfere = ({ path }, forward) => (meets(path) ? answer : forward());
    const error = await failureOf(refresh(kind, uid, lab.run()));
    expect(error["code"]).toMatch(/^(NOT_GONE|UNEXPECTED_ANSWER)$/);
    expect(error.message).toContain(error["code"] === "NOT_GONE" ? uid : "Check the API address");
  });

  test.each([403, 429, 500, 502, 503, 504])("stays in state when it answers %i", async (status) => {
    const { uid } = await lab.colleague(kind, await lab.inputs(kind, await lab.parent()));
    await lab.platform.fault({ path: `${uid}$` }, { status }, { times: 0 });
    const error = await failureOf(refresh(kind, uid, lab.run()));
    expect(error).not.toMatchObject({ code: "NOT_GONE" });
    expect(error["code"]).not.toBe("NOT_FOUND");
  });

  test("that answers with another uid is an error, and never reaches state", async () => {
    const parent = await lab.parent();
    const [wanted, other] = [await lab.colleague(kind, await lab.inputs(kind, parent)), `${parent}/fedcba9876543210`];
    await lab.platform.fault({ path: `${wanted.uid}$` }, { rewrite: { uid: other } });
    const error = await failureOf(refresh(kind, wanted.uid, lab.run()));
    expect(error).toMatchObject({ code: "WRONG_OBJECT" });
    expect(error.message).toContain(other);
  });

  test("is read again after passing faults", async () => {
    const { uid } = await lab.colleague(kind, await lab.inputs(kind, await lab.parent()));
    await lab.platform.fault({ path: `${uid}$` }, { status: 503 }, { times: 2 });
    await lab.platform.fault({ path: `${uid}$` }, { reset: "before" });
    expect(await refresh(kind, uid, lab.run())).toMatchObject({ id: uid });
  });
});

test("what is not proven gone names the ways out", async () => {
  const error = await failureOf(refresh(group, "elsewhere/team", lab.run()));
  expect(error).toMatchObject({ code: "NOT_GONE" });
  for (const part of [
    "cannot see elsewhere",
    "It stays in state",
    "pulumi state delete <urn>",
    "pulumi stack rm --force",
    "identity",
  ]) {
    expect(error.message).toContain(part);
  }
});

test("the root group of an organisation is never dropped: nothing above it could show that it is gone", async () => {
  const error = await failureOf(refresh(group, "0123456789abcdef0123456789abcdef01234567", lab.run()));
  expect(error).toMatchObject({ code: "NOT_GONE" });
});

test("the witnesses of what is gone are shared by reads that wait for them, and asked again for a later one", async () => {
  const [parent, run] = [await lab.parent(), lab.run()];
  await lab.platform.clearRequests();
  const uids = Array.from({ length: 20 }, (_, index) => `${parent}/${String(index).padStart(16, "0")}`);
  let unanswered = uids.length;
  const all = Promise.withResolvers<undefined>();
  // Every read has its 404 before any witness is asked.
  lab.gateway.interfere = async ({ path }, forward) => {
    const answer = await forward();
    if (!uids.some((uid) => path.endsWith(uid))) return answer;
    if (--unanswered === 0) all.resolve(undefined);
    await all.promise;
    return answer;
  };
  expect(await Promise.all(uids.map((uid) => refresh(identity, uid, run)))).toEqual(uids.map(() => undefined));
  const first = await lab.asked("GET");
  // The place, the List for their uids, and the List of the root for an object that shows its sight: each two times at most.
  expect(first.length - uids.length).toBeLessThanOrEqual(6);
  await lab.platform.clearRequests();
  expect(await refresh(identity, `${parent}/0123456789abcdef`, run)).toBeUndefined();
  const later = await lab.asked("GET");
  expect(later.filter((path) => path.endsWith("/identities"))).toHaveLength(1);
  expect(later.filter((path) => path.endsWith(`/groups/${parent}`))).toHaveLength(1);
  expect(later).toHaveLength(3);
});

test("a witness that failed is asked again", async () => {
  const [uid, run] = [`${await lab.parent()}/0123456789abcdef`, lab.run()];
  await lab.platform.fault({ path: "/identities$" }, { status: 403 });
  expect(await failureOf(refresh(identity, uid, run))).toMatchObject({ code: "NOT_GONE" });
  expect(await refresh(identity, uid, run)).toBeUndefined();
});

test("a caller without any role sees nothing and drops nothing", async () => {
  const token = await lab.platform.apiToken({ identity: await lab.identity() });
  const { uid } = await lab.colleague(group, await lab.inputs(group, await lab.parent()));
  expect(["NOT_GONE", "PERMISSION_DENIED"]).toContain((await failureOf(refresh(group, uid, lab.run({ token }))))["code"]);
});

test("a claim match that was widened by hand is read whole", async () => {
  const run = lab.run();
  const { id } = await declare(identity, await lab.inputs(identity, await lab.parent()), run);
  await lab.platform.change("identities", id, { claimMatch: { audience: "elsewhere", claims: { team: "x" } } });
  expect(await refresh(identity, id, run)).toMatchObject({
    inputs: { claimMatch: { audience: "elsewhere", claims: { team: "x" } } },
  });
});

test("a binding's references are read from what the platform expands, or from the bare fields", async () => {
  const run = lab.run();
  const inputs = await lab.inputs(roleBinding, await lab.parent());
  const { id } = await declare(roleBinding, inputs, run);
  const bare = { identity: null, role: null, identityUid: inputs["identityUid"], roleUid: inputs["roleUid"] };
  await lab.platform.fault({ method: "GET", path: `${id}$` }, { rewrite: bare });
  expect((await refresh(roleBinding, id, run))?.inputs).toEqual(inputs);
});

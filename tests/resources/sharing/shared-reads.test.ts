import type { Inputs, Kind } from "../../../provider/schema/kind";
import { refresh } from "../../../provider/resources/object/read";
import { update } from "../../../provider/resources/object/update";
import { declare, expectFailure, failureOf, group, identity, identityProvider, kinds } from "../../support/resource-fixture";
import { ResourceFixture } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();

interface Resource {
  id: string;
  outs: Inputs;
}

/** Objects of `kind` that another run made under `parentUid`, or in groups in it, and no request in the log. */
async function resources(kind: Kind, count: number, parentUid: string): Promise<Resource[]> {
  const run = fixture.run();
  const made: Resource[] = [];
  for (let number = 0; number < count; number++) {
    const place = kind.sharesUid ? await fixture.parent(parentUid) : parentUid;
    made.push(await declare(kind, await fixture.inputs(kind, place), run));
  }
  await fixture.platform.clearRequests();
  return made;
}

/** Reads all of `list` as a refresh does, eight at a time. */
async function refreshAll(kind: Kind, list: Resource[], run = fixture.run()) {
  const seen = new Map<string, Awaited<ReturnType<typeof refresh>>>();
  const queue = [...list];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      seen.set(next.id, await refresh(kind, next.id, next.outs, run));
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return list.map(({ id }) => seen.get(id));
}

const asObserved = ({ id, outs }: Resource) => expect.objectContaining({ id, props: outs }) as unknown;

const listed = kinds.filter(([, kind]) => kind.calls.list !== "unreliable");

describe.each(listed)("many objects of the kind %s", (_noun, kind) => {
  test("are read by one List and a few single reads", async () => {
    const list = await resources(kind, 15, await fixture.place(kind));
    expect(await refreshAll(kind, list)).toEqual(list.map(asObserved));
    expect((await fixture.asked("GET", kind.collection.segment)).length).toBeLessThanOrEqual(4);
    // A first page of each other kind that looks ahead.
    const others = kinds.filter(([, other]) => other !== kind && other.calls.lookAhead);
    expect((await fixture.asked("GET")).length).toBeLessThanOrEqual(4 + others.length);
  });

  test("are read correctly when one was changed and one deleted", async () => {
    const list = await resources(kind, 12, await fixture.place(kind));
    const [changed, deleted] = [list[7] as Resource, list[9] as Resource];
    const patch = await fixture.changeByHand(kind);
    await fixture.platform.change(kind.collection.segment, changed.id, patch);
    await fixture.platform.delete(kind.collection.segment, deleted.id);
    const observed = await refreshAll(kind, list);
    expect(observed[9]).toBeUndefined();
    expect(observed[7]).toMatchObject({ id: changed.id, inputs: patch });
    for (const [index, resource] of list.entries())
      if (resource !== changed && resource !== deleted) expect(observed[index]).toEqual(asObserved(resource));
  });
});

test("objects of a kind whose List is unreliable are read one by one", async () => {
  const list = await resources(identityProvider, 12, await fixture.parent());
  expect(await refreshAll(identityProvider, list)).toEqual(list.map(asObserved));
  expect((await fixture.asked("GET")).sort()).toEqual(list.map(({ id }) => `/iam/v2beta1/identityProviders/${id}`).sort());
});

test("objects of several kinds are listed side by side, so that later kinds are not waited for", async () => {
  const parentUid = await fixture.parent();
  const [groups, identities] = [await resources(group, 10, parentUid), await resources(identity, 10, parentUid)];
  await fixture.platform.clearRequests();
  const run = fixture.run();
  await refreshAll(group, groups, run);
  await fixture.platform.clearRequests();
  expect(await refreshAll(identity, identities, run)).toEqual(identities.map(asObserved));
  expect(await fixture.asked("GET")).toEqual([]);
});

test("few objects are read individually", async () => {
  const list = await resources(group, 3, await fixture.parent());
  await refreshAll(group, list);
  expect(await fixture.asked("GET", "/groups/")).toHaveLength(3);
  expect(await fixture.asked("GET")).toHaveLength(3);
});

test("a List that would cost more than the reads is not followed", async () => {
  const parent = await fixture.parent();
  const list = await resources(group, 6, parent);
  fixture.proxy.interfere = async ({ path }, forward) => {
    const answer = await forward();
    if (!path.endsWith("/groups")) return answer;
    const body = { ...(JSON.parse(answer.body) as object), nextPageToken: "more", totalCount: "50000" };
    return { ...answer, body: JSON.stringify(body) };
  };
  expect(await refreshAll(group, list)).toEqual(list.map(asObserved));
  expect(await fixture.asked("GET", "/groups/")).toHaveLength(6);
  expect(await fixture.asked("GET", "/groups")).toHaveLength(7);
});

test.each([
  ["fails", 500, { code: 13, message: "no", details: [] }],
  ["is forbidden", 403, { code: 7, message: "no", details: [] }],
  ["is none", 200, { welcome: true }],
  ["shows nothing", 200, { groups: [], totalCount: "0", nextPageToken: "" }],
  ["shows other objects", 200, { groups: [{ uid: "elsewhere/a", name: "a" }], totalCount: "1", nextPageToken: "" }],
])("where the List %s, every object is read individually", async (_what, status, body) => {
  const list = await resources(group, 10, await fixture.parent());
  fixture.proxy.interfere = ({ path }, forward) =>
    path.endsWith("/groups")
      ? { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
      : forward();
  expect(await refreshAll(group, list)).toEqual(list.map(asObserved));
  expect(await fixture.asked("GET", "/groups/")).toHaveLength(10);
});

test("a List that omits a part of the object is neither drift nor proof", async () => {
  const list = await resources(identity, 10, await fixture.parent());
  await fixture.platform.fault({ method: "GET", path: "/identities$" }, { rewrite: { identities: [] } }, { times: 0 });
  expect(await refreshAll(identity, list)).toEqual(list.map(asObserved));
});

test("a List from before a write of this run proves nothing after it", async () => {
  const parentUid = await fixture.parent();
  const list = await resources(group, 10, parentUid);
  const run = fixture.run();
  await refreshAll(group, list.slice(0, 8), run);
  const last = list[9] as Resource;
  await fixture.platform.change("groups", last.id, { description: "by hand" });
  const first = list[0] as Resource;
  await update({ kind: group, uid: first.id, olds: first.outs, news: { ...first.outs, description: "changed" } }, run);
  expect(await refresh(group, last.id, last.outs, run)).toMatchObject({ inputs: { description: "by hand" } });
});

/** Makes the Lists below each of `places` too long to be followed. */
function tooLong(collection: string, places: string[]): void {
  fixture.proxy.interfere = async ({ path, query }, forward) => {
    const answer = await forward();
    const isLong =
      path.endsWith(`/${collection}`) && places.includes(new URLSearchParams(query).get("uidp.descendants_of") ?? "");
    if (!isLong) return answer;
    return { ...answer, body: JSON.stringify({ [collection]: [], nextPageToken: "more", totalCount: "50000", skipped: 0 }) };
  };
}

test("objects of a small part of a large organisation are listed in the place that they share", async () => {
  const top = await fixture.parent();
  tooLong("groups", [fixture.platform.root]);
  const places = [await fixture.parent(top), await fixture.parent(top), await fixture.parent(top)];
  const list = (await Promise.all(places.map((place) => resources(group, 10, place)))).flat();
  await fixture.platform.clearRequests();
  expect(await refreshAll(group, list)).toEqual(list.map(asObserved));
  const requests = await fixture.platform.requests();
  expect(requests.length).toBeLessThanOrEqual(14);
  for (const { path, query } of requests)
    if (path.endsWith("/groups"))
      expect(new URLSearchParams(query).get("uidp.descendants_of")).toMatch(new RegExp(`^${fixture.platform.root}(/|$)`));
  expect(requests.map(({ query }) => new URLSearchParams(query).get("uidp.descendants_of"))).toContain(top);
});

test("objects in many places are read by few requests, in any order", async () => {
  const top = await fixture.parent();
  const places = await Promise.all(Array.from({ length: 20 }, () => fixture.parent(top)));
  const list = (await Promise.all(places.map((place) => resources(identity, 6, place)))).flat();
  await fixture.platform.clearRequests();
  expect(await refreshAll(identity, list)).toEqual(list.map(asObserved));
  expect((await fixture.platform.requests()).length).toBeLessThanOrEqual(8);
});

test("where the place that all share is too large, parts of it are listed", async () => {
  const top = await fixture.parent();
  const places = await Promise.all(Array.from({ length: 3 }, () => fixture.parent(top)));
  const list = (await Promise.all(places.map((place) => resources(identity, 20, place)))).flat();
  await fixture.platform.clearRequests();
  tooLong("identities", [fixture.platform.root, top]);
  expect(await refreshAll(identity, list)).toEqual(list.map(asObserved));
  expect((await fixture.platform.requests()).length).toBeLessThanOrEqual(30);
});

test("a place that cannot be seen is an error for each object, as when they are read individually", async () => {
  const list = Array.from({ length: 10 }, (_, index) => ({ id: `elsewhere/team/${index}`, outs: { name: "a" } }));
  for (const { id, outs } of list)
    expect(await failureOf(refresh(group, id, outs, fixture.run()))).toMatchObject({ code: "NOT_GONE" });
  await expectFailure(refreshAll(group, list), "NOT_GONE");
});

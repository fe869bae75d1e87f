import { declare, failureOf, group, kinds, Lab } from "./lab";

let lab: Lab;

beforeAll(async () => {
  lab = await Lab.start();
});
afterAll(() => lab.close());
beforeEach(() => lab.reset());

/** A group with so many groups in it that one page does not hold them, and a name of one that was made last. */
async function crowd(count: number): Promise<{ parentUid: string; last: string }> {
  const parentUid = await lab.parent();
  const names = Array.from({ length: count }, () => lab.name("one of many"));
  for (const name of names) await lab.colleague(group, { parentUid, name });
  await lab.platform.clearRequests();
  return { parentUid, last: names.at(-1) ?? "" };
}

/** Makes every List tell `total` and go on, as a parent with that many children would. */
function pretend(total: string | undefined): void {
  lab.gateway.interfere = async ({ path, query }, forward) => {
    const answer = await forward();
    if (!/\/(groups|identities|roleBindings)$/.test(path) || query.includes("name=") || query.includes("identity="))
      return answer;
    return {
      ...answer,
      body: JSON.stringify({ ...(JSON.parse(answer.body) as object), nextPageToken: "more", totalCount: total }),
    };
  };
}

const listsOf = async (segment: string) =>
  (await lab.platform.requests()).filter(({ method, path }) => method === "GET" && path.endsWith(`/${segment}`));

test.each(kinds)("under a crowded parent a few objects of the kind %s are looked for one by one", async (_noun, kind) => {
  const parentUid = await lab.parent();
  const [free, taken] = [await lab.inputs(kind, parentUid), await lab.inputs(kind, parentUid)];
  const { uid } = await lab.colleague(kind, taken);
  pretend("50000");
  await lab.platform.clearRequests();
  const run = lab.run();
  await declare(kind, free, run);
  expect((await failureOf(declare(kind, taken, run))).message).toContain(uid);
  expect(await listsOf(kind.collection.segment)).toHaveLength(3);
  expect(await lab.children(kind, parentUid)).toHaveLength(2);
});

test("many creates under a crowded parent share one List of it", async () => {
  const { parentUid, last } = await crowd(500);
  const run = lab.run();
  const created = await Promise.all(Array.from({ length: 20 }, () => declare(group, { parentUid, name: lab.name("new") }, run)));
  const failure = await failureOf(declare(group, { parentUid, name: last }, run));
  expect(failure["code"]).toBe("KEY_TAKEN");
  expect(created).toHaveLength(20);
  // One page shows how many there are, and 20 creates are worth all three.
  expect((await listsOf("groups")).length).toBeLessThanOrEqual(4);
  expect(await lab.children(group, parentUid)).toHaveLength(520);
});

test("a platform that does not look by name, or tells no total, is listed to its end", async () => {
  const { parentUid, last } = await crowd(450);
  for (const total of ["kept", "left out"]) {
    lab.gateway.interfere = async ({ path, query }, forward) => {
      if (!path.endsWith("/groups") || !query.includes("name=")) return forward();
      const rest = query.replace(/&?name=[^&]*/, "");
      const answer = await fetch(`${lab.platform.baseUrl}${path}?${rest}`, {
        headers: { authorization: `Bearer ${await lab.platform.apiToken()}` },
      });
      return { status: answer.status, headers: { "content-type": "application/json" }, body: await answer.text() };
    };
    await lab.platform.settings({ omitTotalCount: total === "left out" });
    const run = lab.run();
    await declare(group, { parentUid, name: lab.name("new") }, run);
    expect((await failureOf(declare(group, { parentUid, name: last }, run)))["code"]).toBe("KEY_TAKEN");
  }
  expect(await lab.children(group, parentUid)).toHaveLength(452);
});

test("what a colleague makes between two creates is seen by the second", async () => {
  const parentUid = await lab.parent();
  pretend("50000");
  const run = lab.run();
  for (let round = 0; round < 5; round++) {
    await declare(group, { parentUid, name: lab.name("ours") }, run);
    const theirs = { parentUid, name: lab.name("theirs") };
    await lab.colleague(group, theirs);
    expect((await failureOf(declare(group, theirs, run)))["code"]).toBe("KEY_TAKEN");
  }
});

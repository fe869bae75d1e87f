import fc from "fast-check";
import { codeOf } from "../../provider/client/errors";
import { groups, identities } from "../support/collections";
import { manyRows, type Row, startList, ways } from "./list-server";
import { startServer } from "../support/http-double";
import { clientOf, errorOf, group, rpcError } from "./support";
import { expectFailure } from "../support/failures";

const uidsOf = (rows: { uid: string }[]) => rows.map((row) => row.uid);

describe("a list is read to its end", () => {
  test.each([0, 1, 6, 7, 8, 13, 14, 15, 20, 27])("%d rows by pages of 7, by cursor and by skip alike", async (count) => {
    const rows = manyRows(count);
    for (const total of [(): null => null, (all: Row[]) => String(all.length), (all: Row[]) => all.length]) {
      const server = await startList([...rows], { total });
      expect(uidsOf(await clientOf(server.url).list(groups, { pageSize: 7 }))).toEqual(uidsOf(rows));
    }
  });

  test("by cursor without a total", async () => {
    const server = await startList(manyRows(30), { total: () => null });
    await clientOf(server.url).list(groups, { pageSize: 7 });
    expect(ways(server)).toEqual({ bySkip: 0, byCursor: 4 });
  });

  test("by skip, several at once, where it is", async () => {
    let open = 0;
    let most = 0;
    const list = await startList(manyRows(1_000));
    const server = await startServer(async (seen) => {
      most = Math.max(most, ++open);
      const answer = await fetch(list.url + seen.url).then((response) => response.json());
      open--;
      return { body: answer };
    });
    expect(await clientOf(server.url).list(groups, { pageSize: 20 })).toHaveLength(1_000);
    expect(ways(list).byCursor).toBe(0);
    expect(most).toBeGreaterThan(2);
    expect(most).toBeLessThanOrEqual(8);
  });

  test("by cursor when it has two pages, for a second one by skip would save nothing", async () => {
    const server = await startList(manyRows(14));
    await clientOf(server.url).list(groups, { pageSize: 7 });
    expect(ways(server)).toEqual({ bySkip: 0, byCursor: 1 });
  });

  test("whatever rows and page size, by every way the same", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        async (count, pageSize, isDescending) => {
          const rows = manyRows(count, (index) => ({ name: `n${index % 3}` }));
          const read = async (total?: () => null) => {
            const server = await startList([...rows], total ? { total } : {});
            return uidsOf(await clientOf(server.url).list(groups, { pageSize, orderBy: isDescending ? "name desc" : "name" }));
          };
          const bySkip = await read();
          expect(bySkip).toEqual(await read(() => null));
          expect(new Set(bySkip)).toEqual(new Set(uidsOf(rows)));
        },
      ),
      { seed: 3, numRuns: 40 },
    );
  });

  test.each([
    ["too small", 15],
    ["too small by whole pages", 28],
    ["too big", 90],
    ["absurd", "99999999999999999999"],
    ["zero", 0],
  ])("although the total is %s", async (_, total) => {
    const rows = manyRows(50);
    const server = await startList([...rows], { total: () => total });
    expect(uidsOf(await clientOf(server.url).list(groups, { pageSize: 7 }))).toEqual(uidsOf(rows));
  });

  test("although the platform gives smaller pages than asked for", async () => {
    const rows = manyRows(50);
    const list = await startList([...rows]);
    const server = await startServer(async (seen) => ({
      body: await fetch(list.url + seen.url.replace("page_size=20", "page_size=7")).then((response) => response.json()),
    }));
    expect(uidsOf(await clientOf(server.url).list(groups, { pageSize: 20 }))).toEqual(uidsOf(rows));
    expect(ways(server).bySkip).toBe(0);
  });

  test("also one of limited length, which counts rows and not pages", async () => {
    const rows = manyRows(50);
    const list = await startList([...rows]);
    const server = await startServer(async (seen) => ({
      body: await fetch(list.url + seen.url.replace("page_size=200", "page_size=7")).then((response) => response.json()),
    }));
    const listed = await clientOf(server.url).listUpTo(groups, {}, 50);
    expect(uidsOf(listed.rows ?? [])).toEqual(uidsOf(rows));
    expect(await clientOf(server.url).listUpTo(groups, {}, 49)).toEqual({ rows: undefined, total: 50 });
  });

  test("although the platform ignores skip", async () => {
    const rows = manyRows(50);
    const list = await startList([...rows]);
    const server = await startServer(async (seen) => ({
      body: await fetch(list.url + seen.url.replace(/&skip=\d+/, "")).then((response) => response.json()),
    }));
    expect(uidsOf(await clientOf(server.url).list(groups, { pageSize: 7 }))).toEqual(uidsOf(rows));
  });

  test("although a page is empty and another is not the last", async () => {
    const pages = [[], [group("a")], [], [group("b")]];
    const server = await startServer((_, count) => ({
      body: { groups: pages[count - 1], nextPageToken: count < pages.length ? `t${count}` : null },
    }));
    expect(uidsOf(await clientOf(server.url).list(groups, {}))).toEqual(["a", "b"]);
  });
});

describe("a list whose rows move under the reader", () => {
  /** A change of the rows right before the request of this number is answered. */
  type Move = (rows: Row[]) => unknown;
  const goes: Move = (rows) => rows.splice(2, 1);
  const comesFirst: Move = (rows) => rows.unshift({ uid: "root/-first" });
  const comesLast: Move = (rows) => rows.push({ uid: "root/last" });

  /** Whatever `moves` do, rows that were there all the time are read, and none twice. */
  async function holdsFor(moves: { at: number; move: Move }[]) {
    const rows = manyRows(44);
    const original = uidsOf(rows);
    const before = (count: number) => {
      for (const { at, move } of moves) if (at === count) move(rows);
    };
    const server = await startList(rows, { before });
    const read = uidsOf(await clientOf(server.url).list(groups, { pageSize: 5 }));
    const remaining = new Set(uidsOf(rows));
    expect(read).toEqual(expect.arrayContaining(original.filter((uid) => remaining.has(uid))));
    expect(new Set(read).size).toBe(read.length);
    return server;
  }

  test.each<[string, Move[]]>([
    ["one goes", [goes]],
    ["one comes at the front", [comesFirst]],
    ["one comes at the end", [comesLast]],
    ["one goes and one comes, so that the total stays", [goes, comesLast]],
  ])("misses none that was there all the time when %s", async (_, moves) => {
    for (const at of [2, 3, 4, 5, 6, 7]) await holdsFor(moves.map((move) => ({ at, move })));
  });

  test("at random, misses none that was there all the time and doubles none", async () => {
    const comes = fc
      .nat(44)
      .map<Move>((place) => (rows) => rows.push({ uid: `root/${String(place).padStart(5, "0")}-${rows.length}` }));
    const leaves = fc.nat(30).map<Move>((place) => (rows) => rows.splice(place, 1));
    const moves = fc.array(fc.record({ at: fc.integer({ min: 1, max: 14 }), move: fc.oneof(comes, leaves) }), { maxLength: 6 });
    const property = fc.asyncProperty(moves, async (some) => {
      await holdsFor(some);
    });
    await fc.assert(property, { seed: 5, numRuns: 80 });
  });

  test("is read by cursor then", async () => {
    expect(ways(await holdsFor([{ at: 3, move: goes }])).byCursor).toBeGreaterThan(0);
  });

  test("whose cursor expired and restarted returns each row once, at its first place", async () => {
    const pages = [["a", "b"], ["c", "d"], ["a", "b"], ["c", "d"], ["e"]];
    const server = await startServer((_, count) => ({
      body: { groups: pages[count - 1]?.map((uid) => group(uid)), nextPageToken: count < pages.length ? `t${count}` : "" },
    }));
    expect(uidsOf(await clientOf(server.url).list(groups, {}))).toEqual(["a", "b", "c", "d", "e"]);
  });
});

describe("a list that does not end is stopped", () => {
  test("when a token repeats", async () => {
    const server = await startServer((_, count) => ({ body: { groups: [group(`g${count}`)], nextPageToken: `t${count % 3}` } }));
    await expectFailure(clientOf(server.url).list(groups, {}), "UNEXPECTED_ANSWER", /List of groups: the pages do not end/);
    expect(server.seen).toHaveLength(4);
  });

  test("when there is always another page", async () => {
    const server = await startServer((_, count) => ({ body: { groups: [], nextPageToken: `t${count}` } }));
    const error = await errorOf(clientOf(server.url).list(groups, {}));
    expect(error.message).toMatch(/do not end \(after 2000\)/);
  });

  test("and a page that fails for good ends the whole list, with no more pages asked", async () => {
    const list = await startList(manyRows(2_000));
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const server = await startServer(async (seen, count) => {
      if (count === 2) return rpcError(403, 7, "not yours");
      if (seen.query.has("skip")) await held;
      return { body: await fetch(list.url + seen.url).then((response) => response.json()) };
    });
    const client = clientOf(server.url);
    await expectFailure(client.list(groups, { pageSize: 10 }), "PERMISSION_DENIED");
    letGo();
    for (let turn = 0; turn < 20; turn++) await client.listSome(groups, {}, 1);
    expect(server.seen.filter((seen) => seen.query.has("skip")).length).toBeLessThanOrEqual(8);
  });
});

describe("the envelope of a list", () => {
  test.each([
    ["only a total", { totalCount: "0" }],
    ["null rows", { groups: null, totalCount: "0" }],
    ["every key", { groups: [], nextPageToken: "", totalCount: "0", skipped: 0 }],
    ["an empty token alone", { nextPageToken: "" }],
    ["that count as text", { skipped: "3", totalCount: "3" }],
  ])("may have %s when it is empty", async (_, body) => {
    const server = await startServer(() => ({ body }));
    expect(await clientOf(server.url).list(groups, {})).toEqual([]);
  });

  test.each([
    ["the list of another version", { items: [{ id: "a" }] }],
    ["an error in disguise", { error: "no" }],
    ["an array", []],
    ["null", "null"],
    ["nothing", ""],
    ["a count of rows that leaves out nothing", { skipped: 0 }],
    ["a count of rows before the first page", { skipped: 3 }],
    ["rows that are none", { groups: "all" }],
    ["a row without a uid", { groups: [group("a"), { name: "b" }] }],
    ["a row with an empty uid", { groups: [{ uid: "" }] }],
    ["a total that is no number", { groups: [], totalCount: "many" }],
  ])("is UNEXPECTED_ANSWER with %s", async (_, body) => {
    const server = await startServer(() => ({ body }));
    await expectFailure(clientOf(server.url).list(groups, {}), "UNEXPECTED_ANSWER", /List of groups/);
  });

  test.each([
    ["ends a List where the platform omits defaults", {}, ["a"]],
    ["is UNEXPECTED_ANSWER where it writes them", { skipped: 0 }, "UNEXPECTED_ANSWER"],
  ])("that is only a count of rows on a later page %s", async (_, more, result) => {
    const first = { groups: [group("a")], nextPageToken: "next", ...more };
    const server = await startServer(({ query }) => ({ body: query.has("page_token") ? { skipped: 1 } : first }));
    const rows = clientOf(server.url).list(groups, {});
    const found = await rows.then((all) => all.map(({ uid }) => uid)).catch((error: unknown) => codeOf(error));
    expect(found).toEqual(result);
  });

  describe("that is {}", () => {
    const terse = { groups: [group("a")], totalCount: "1" };

    /** The List of identities, after the List of groups, on a server that answers `asIs` to the latter. */
    async function identitiesAfter(asIs: object, isAsked: boolean) {
      const server = await startServer(({ url }) => ({ body: url.startsWith("/iam/v2beta1/groups") ? asIs : {} }));
      const client = clientOf(server.url);
      if (isAsked) await client.list(groups, {});
      return client.list(identities, {});
    }

    test.each([true, false])("is empty where the platform leaves defaults out (seen before: %s)", async (isAsked) => {
      expect(await identitiesAfter(terse, isAsked)).toEqual([]);
    });

    test.each([
      ["a token", { ...terse, nextPageToken: "" }],
      ["a count of rows left out", { ...terse, skipped: 0 }],
      ["an empty list", { groups: [], totalCount: "0" }],
    ])("is no answer where the platform writes defaults, such as %s", async (_what, asIs) => {
      for (const isAsked of [true, false]) expect((await errorOf(identitiesAfter(asIs, isAsked))).code).toBe("UNEXPECTED_ANSWER");
    });

    test("is no answer where nothing else is answered either", async () => {
      await expectFailure(identitiesAfter({}, false), "UNEXPECTED_ANSWER");
    });
  });

  test("shows by one row that the list works", async () => {
    const server = await startList(manyRows(3));
    expect(await clientOf(server.url).listSome(groups, {}, 1)).toMatchObject([{ uid: "root/00000" }]);
    expect(server.seen[0]?.url).toBe("/iam/v2beta1/groups?page_size=1");
    const empty = await startList([]);
    expect(await clientOf(empty.url).listSome(groups, {}, 1)).toEqual([]);
  });
});

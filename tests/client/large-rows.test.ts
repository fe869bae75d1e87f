import { groups } from "../support/collections";
import { expectFailure } from "../support/failures";
import type { HttpDouble } from "../support/http-double";
import { type ListBehaviour, manyRows, type Row, startList } from "./list-server";
import { clientOf, rpcError } from "./support";

/** A gateway to gRPC forwards no message beyond its limit. */
const limit = 10_000;
const tooLarge = (size: number) => rpcError(429, 8, `grpc: received message larger than max (${size} vs. ${limit})`);

/** Groups `root/00000` and so on, of `size` characters each, except those that `others` name. */
function rowsOf(count: number, size: number, others: Record<number, number> = {}): Row[] {
  return manyRows(count, (index) => ({ description: "x".repeat(others[index] ?? size) }));
}

/** A List that rejects pages beyond the limit. */
function startGateway(rows: Row[], before?: ListBehaviour["before"]): Promise<HttpDouble> {
  return startList(rows, {
    ...(before && { before }),
    answer: (page) => {
      const size = page.rows.reduce((sum, { description }) => sum + String(description).length, 0);
      return size > limit ? tooLarge(size) : undefined;
    },
  });
}

const uidsOf = (rows: readonly { uid: string }[]) => rows.map(({ uid }) => uid);
const uid = (index: number) => `root/${String(index).padStart(5, "0")}`;

describe("a List with pages that are too large is read in parts", () => {
  test.each<[string, number, number, Record<number, number>]>([
    ["rows of a tenth of the limit", 60, 1_000, {}],
    ["rows of which only one fits", 20, 9_000, {}],
    ["several pages of which one is too large", 650, 1, { 431: 6_000, 432: 6_000 }],
    ["a first page that is too large", 450, 1, { 0: 9_990, 1: 9_990 }],
    ["a last page that is too large", 450, 1, { 448: 9_990, 449: 9_990 }],
    ["one row that fills an answer", 1, limit, {}],
  ])("%s: each row once, in order", async (_, count, size, others) => {
    const rows = rowsOf(count, size, others);
    const server = await startGateway(rows);
    expect(uidsOf(await clientOf(server.url).list(groups, {}))).toEqual(uidsOf(rows));
    const again = await clientOf(server.url).list(groups, { orderBy: "name desc" });
    expect(uidsOf(again)).toEqual(uidsOf(rows).reverse());
  });

  test.each([7, 1])("whatever the page size is: %d", async (pageSize) => {
    const rows = rowsOf(30, 1_000, { 4: 9_500, 5: 9_500, 29: 9_500 });
    const server = await startGateway(rows);
    expect(uidsOf(await clientOf(server.url).list(groups, { pageSize }))).toEqual(uidsOf(rows));
  });

  test("with few requests where only one page is too large, and each is sent once", async () => {
    const server = await startGateway(rowsOf(1_000, 1, { 500: 9_000, 501: 9_000 }));
    expect(await clientOf(server.url).list(groups, {})).toHaveLength(1_000);
    expect(server.seen.length).toBeLessThan(60);
    const asked = server.seen.map(({ url }) => url);
    expect(asked.filter((url, index) => url === asked[index - 1])).toEqual([]);
  });

  test("really large rows, beyond what is read of one answer", async () => {
    const rows = rowsOf(60, 600_000);
    const server = await startList(rows);
    expect(uidsOf(await clientOf(server.url).list(groups, {}))).toEqual(uidsOf(rows));
  });

  test("objects that are asked for by uid: by fewer uids", async () => {
    const rows = rowsOf(90, 1_000);
    const server = await startGateway(rows);
    expect(uidsOf(await clientOf(server.url).list(groups, { uids: uidsOf(rows) }))).toEqual(uidsOf(rows));
  });

  test("it is read again where rows come meanwhile, and then fails where they always do", async () => {
    const rows = rowsOf(40, 1_000);
    const early = (count: number) => ({ ...rows[0], uid: `root/-${count}` }) as Row;
    const once = await startGateway([...rows], (count, all) => {
      if (count === 8) all.push(early(count));
    });
    const found = uidsOf(await clientOf(once.url).list(groups, {}));
    expect(found).toEqual(["root/-8", ...uidsOf(rows)]);
    const always = await startGateway([...rows], (count, all) => {
      all.push(early(count));
    });
    await expectFailure(clientOf(always.url).list(groups, {}), "UNEXPECTED_ANSWER", /rows came or went/);
  });
});

describe("a row that is larger than any answer", () => {
  test.each<[string, number, number[]]>([
    ["alone", 1, [0]],
    ["first", 500, [0]],
    ["in the middle", 500, [250]],
    ["beside others", 30, [11, 12, 13]],
    ["last", 500, [499]],
  ])("%s: the List is an error, and who can say what is missing gets all others", async (_, count, large) => {
    const rows = rowsOf(count, 1, Object.fromEntries(large.map((index) => [index, limit + 1])));
    const server = await startGateway(rows);
    const first = large[0] ?? 0;
    const number = new RegExp(
      `larger than any answer that is read: number ${first + 1}${first === 0 ? "" : `, after ${uid(first - 1)}`}`,
    );
    const error = await expectFailure(clientOf(server.url).list(groups, {}), "UNEXPECTED_ANSWER", number);
    expect(error["isTooLarge"]).toBe(true);
    const listed = await clientOf(server.url).listReadable(groups, {});
    expect(uidsOf(listed.rows)).toEqual(uidsOf(rows.filter((__, index) => !large.includes(index))));
    expect(listed.unread.map(({ position }) => position)).toEqual(large.map((index) => index + 1));
    await expectFailure(clientOf(server.url).listUpTo(groups, {}, 1_000), "UNEXPECTED_ANSWER");
  });

  test("is named by its uid where it was asked for by that", async () => {
    const server = await startGateway(rowsOf(50, 1, { 7: limit + 1 }));
    const uids = uidsOf(rowsOf(50, 1));
    const { rows, unread } = await clientOf(server.url).listReadable(groups, { uids });
    expect([rows.length, unread.map((row) => row.uid)]).toEqual([49, [uid(7)]]);
    await expectFailure(clientOf(server.url).list(groups, { uids }), "UNEXPECTED_ANSWER", new RegExp(`that of ${uid(7)}`));
  });

  test("does not hide the first others from who only looks for some", async () => {
    const server = await startGateway(rowsOf(20, 1, { 2: limit + 1 }));
    expect(uidsOf(await clientOf(server.url).listSome(groups, {}, 10))).toEqual([uid(0), uid(1)]);
  });

  test("too many of them are an error, after a bounded number of requests", async () => {
    const server = await startGateway(rowsOf(500, limit + 1));
    await expectFailure(clientOf(server.url).listReadable(groups, {}), "UNEXPECTED_ANSWER", /more than 32 of its rows/);
    expect(server.seen.length).toBeLessThan(100);
  });

  test("a server that knows no offset does not pass for one with fewer rows", async () => {
    const server = await startList(rowsOf(20, 1_000), {
      answer: ({ rows }, seen) =>
        rows.length > 9 || seen.query.get("page_size") === "200"
          ? tooLarge(limit + 1)
          : { body: { groups: rowsOf(5, 1), nextPageToken: "x" } },
    });
    await expectFailure(clientOf(server.url).listReadable(groups, {}), "UNEXPECTED_ANSWER");
  });
});

test.each([
  [429, 8, "grpc: received message larger than max (6000000 vs. 4194304)"],
  [429, 8, "grpc: received message after decompression larger than max (6000000 vs. 4194304)"],
  [429, 8, "trying to send message larger than max (6000000 vs. 4194304)"],
  [429, 8, "gRPC message exceeds maximum size 4194304: 6000000"],
  [500, 13, "CLIENT: Received message larger than max (6000000 vs. 4194304)"],
  [400, 11, "response larger than 4194304 bytes"],
])("%d with code %d, %j, is asked for in parts", async (status, code, message) => {
  const rows = rowsOf(40, 1);
  const server = await startList(rows, {
    answer: (page) => (page.rows.length > 9 ? rpcError(status, code, message) : undefined),
  });
  expect(uidsOf(await clientOf(server.url).list(groups, {}))).toEqual(uidsOf(rows));
});

test("a rate limit is none of it: it is sent again, and no smaller page is asked for", async () => {
  const server = await startList(rowsOf(10, 1), {
    answer: (_, __, count) => (count < 3 ? rpcError(429, 8, "too many requests") : undefined),
  });
  expect(await clientOf(server.url).list(groups, {})).toHaveLength(10);
  expect(new Set(server.seen.map(({ url }) => url)).size).toBe(1);
});

test("a create whose answer is too large may have been applied: it is not sent again", async () => {
  const server = await startList([], { answer: () => tooLarge(limit + 1) });
  await expectFailure(clientOf(server.url).create(groups, "root", { name: "a" }), "RESOURCE_EXHAUSTED", /larger than max/);
  expect(server.seen).toHaveLength(1);
});

import fc from "fast-check";
import { column, invalidFields, refusal, useBench } from "./support";

const bench = useBench();
let team: string;
let nested: string;

beforeAll(async () => {
  team = await bench.group("team");
  nested = await bench.group("nested", team);
  for (let index = 0; index < 14; index += 1) await bench.group(`g${String(index).padStart(2, "0")}`, nested);
});

const groups = (query: string) => bench.ok("GET", `/iam/v2beta1/groups?${query}`);
const names = async (query: string) => column(await groups(query), "groups", "name");

describe("scope filters", () => {
  test("descendants_of finds everything below, and not the group itself", async () => {
    expect(await names(`uidp.descendants_of=${team}&order_by=name`)).toHaveLength(15);
    expect(await names(`uidp.descendants_of=${team}`)).not.toContain("team");
  });

  test("children_of finds direct children only", async () => {
    expect(await names(`uidp.children_of=${team}`)).toEqual(["nested"]);
  });

  test("ancestors_of finds the groups upward", async () => {
    expect(new Set(await names(`uidp.ancestors_of=${nested}`))).toEqual(new Set(["team", "acme.example"]));
  });

  test("ancestors_of finds other kinds in the groups upward", async () => {
    const { identities } = await bench.ok("GET", `/iam/v2beta1/identities?uidp.ancestors_of=${nested}`);
    expect(identities).toEqual([expect.objectContaining({ uid: bench.identity })]);
  });

  test("in_root finds what has no parent", async () => {
    expect(await names("uidp.in_root=true")).toEqual(["acme.example"]);
  });

  test("ids finds each of the repeated uids", async () => {
    expect(new Set(await names(`uidp.ids=${team}&uidp.ids=${nested}&uidp.ids=absent`))).toEqual(new Set(["team", "nested"]));
  });

  test("a uid that is only a prefix of text is no ancestor", async () => {
    expect(await names(`uidp.descendants_of=${team.slice(0, -1)}`)).toEqual([]);
  });

  test("filters narrow each other", async () => {
    expect(await names(`uidp.descendants_of=${bench.root}&name=g03`)).toEqual(["g03"]);
    expect(await names(`uidp.children_of=${bench.root}&name=g03`)).toEqual([]);
  });

  test.each(["uidp.childrenOf", "uidp.children_of"])("parameter %s is understood", async (parameter) => {
    expect(await names(`${parameter}=${team}`)).toEqual(["nested"]);
  });
});

describe("parameters", () => {
  test("unknown ones are ignored, so that a misspelt filter finds everything", async () => {
    expect(await groups("uidp.childrn_of=x")).toMatchObject({ totalCount: "17" });
  });

  test.each(["page_size=1&page_size=2", "name=a&name=b", "uidp.children_of=a&uidp.children_of=b", "page_size=1&pageSize=2"])(
    "%s: a scalar given twice is rejected",
    async (query) => {
      expect(await bench.api("GET", `/iam/v2beta1/groups?${query}`)).toMatchObject(refusal.invalid);
    },
  );

  test.each(["page_size=-1", "page_size=ten", "page_size=", "skip=-1", "skip=x", "uidp.in_root=maybe", "page_token=garbage"])(
    "%s is an invalid argument",
    async (query) => {
      expect(await bench.api("GET", `/iam/v2beta1/groups?${query}`)).toMatchObject(refusal.invalid);
    },
  );

  test.each(["kind", "createTime", "name sideways", "name,uid", "-name"])(
    "order_by=%s names the field at fault",
    async (order) => {
      const reply = await bench.api("GET", `/iam/v2beta1/groups?order_by=${encodeURIComponent(order)}`);
      expect(reply).toMatchObject(invalidFields("order_by"));
    },
  );

  test("page_size is 50 by default, and 200 at most", async () => {
    const parent = await bench.group("many");
    const create = (index: number) => bench.adminReply("POST", "objects/groups", { parent, name: `many ${index}` });
    await Promise.all(Array.from({ length: 205 }, (_, index) => create(index)));
    expect(await names(`uidp.children_of=${parent}`)).toHaveLength(50);
    expect(await names(`uidp.children_of=${parent}&page_size=0`)).toHaveLength(50);
    expect(await names(`uidp.children_of=${parent}&page_size=1000`)).toHaveLength(200);
    await bench.adminReply("DELETE", `objects/groups/${parent}`);
  });
});

describe("pages", () => {
  test("skip starts later in the order and leaves the total alone", async () => {
    const page = await groups(`uidp.children_of=${nested}&order_by=name&page_size=5&skip=10`);
    expect(column(page, "groups", "name")).toEqual(["g10", "g11", "g12", "g13"]);
    expect(page).toMatchObject({ totalCount: "14", skipped: 10, nextPageToken: "" });
  });

  test("skip beyond the end finds nothing", async () => {
    expect(await groups(`uidp.children_of=${nested}&skip=99`)).toMatchObject({ groups: [], totalCount: "14", skipped: 99 });
  });

  test("skip counts from the cursor, and skipped echoes it", async () => {
    const query = `uidp.children_of=${nested}&order_by=name&page_size=2&skip=3`;
    const first = await groups(query);
    const second = await groups(`${query}&page_token=${String(first["nextPageToken"])}`);
    expect(column(second, "groups", "name")).toEqual(["g08", "g09"]);
    expect([first, second]).toMatchObject([{ skipped: 3 }, { skipped: 3 }]);
    const third = await groups(`uidp.children_of=${nested}&order_by=name&page_token=${String(second["nextPageToken"])}`);
    expect(third).toMatchObject({ skipped: 0 });
  });

  test("an empty list shows all of its envelope", async () => {
    expect(await groups("name=absent")).toEqual({ groups: [], nextPageToken: "", totalCount: "0", skipped: 0 });
  });

  test("a cursor keeps its place while objects come and go", async () => {
    const parent = await bench.group("moving");
    for (const name of ["b", "d", "f", "h"]) await bench.group(name, parent);
    const query = `uidp.children_of=${parent}&order_by=name&page_size=2`;
    const first = await groups(query);
    await bench.group("a", parent);
    await bench.group("e", parent);
    expect(await names(`${query}&page_token=${String(first["nextPageToken"])}`)).toEqual(["e", "f"]);
  });

  test("a page token continues its own query only", async () => {
    const token = String((await groups(`uidp.children_of=${nested}&page_size=2`))["nextPageToken"]);
    for (const query of [
      `uidp.children_of=${team}`,
      `uidp.children_of=${nested}&order_by=name`,
      `uidp.children_of=${nested}&order_by=uid%20desc`,
      `uidp.children_of=${nested}&name=g01`,
    ]) {
      expect(await bench.api("GET", `/iam/v2beta1/groups?${query}&page_token=${token}`)).toMatchObject(refusal.invalid);
    }
    expect(await names(`uidp.children_of=${nested}&page_size=7&page_token=${token}`)).toHaveLength(7);
  });

  test("a page token that was tampered with is rejected", async () => {
    const token = String((await groups(`uidp.children_of=${nested}&page_size=2`))["nextPageToken"]);
    const other = token.at(30) === "A" ? "B" : "A";
    const forged = token.slice(0, 30) + other + token.slice(31);
    expect(await bench.api("GET", `/iam/v2beta1/groups?uidp.children_of=${nested}&page_token=${forged}`)).toMatchObject({
      status: 400,
    });
  });

  test("a page token lives three days, then the query restarts without an error", async () => {
    const query = `uidp.children_of=${nested}&order_by=name&page_size=2`;
    const token = String((await groups(query))["nextPageToken"]);
    const day = 24 * 3600;
    await bench.settings({ clockOffsetSeconds: 3 * day - 60, apiTokenLifetimeSeconds: 10 * day });
    const later = await bench.tokenOf(bench.identity);
    const path = `/iam/v2beta1/groups?${query}&page_token=${token}`;
    expect(await bench.column("name", path, later)).toEqual(["g02", "g03"]);
    await bench.settings({ clockOffsetSeconds: 3 * day + 60 });
    expect(await bench.column("name", path, later)).toEqual(["g00", "g01"]);
  });

  test("whatever the order and page size, pages hold every object once, in order", async () => {
    const fields = { uid: "uid", name: "name", created_at: "createTime", updated_at: "updateTime" };
    const all = await groups("page_size=200");
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.entries(fields)),
        fc.constantFrom("", " asc", " desc"),
        fc.integer({ min: 1, max: 20 }),
        async ([parameter, member], direction, pageSize) => {
          const rows: Record<string, string>[] = [];
          let token = "";
          do {
            const page = await groups(
              `page_size=${pageSize}&order_by=${encodeURIComponent(parameter + direction)}&page_token=${token}`,
            );
            rows.push(...(page["groups"] as Record<string, string>[]));
            token = String(page["nextPageToken"]);
          } while (token !== "");
          const sign = direction === " desc" ? -1 : 1;
          const key = (row: Record<string, string>) => `${row[member] ?? ""} ${row["uid"] ?? ""}`;
          const expected = [...(all["groups"] as Record<string, string>[])].sort((a, b) => (key(a) < key(b) ? -sign : sign));
          expect(rows.map((row) => row["uid"])).toEqual(expected.map((row) => row["uid"]));
        },
      ),
      { seed: 20260105, numRuns: 30 },
    );
  });
});

import { groups, identities, roleBindings, roles } from "../../provider/client/iam";
import { tags } from "../../provider/client/registry";
import { manyRows, type Row, startList } from "./list-server";
import { cleanUp, clientOf, errorOf, group } from "./support";

afterEach(cleanUp);

const uidsOf = (rows: { uid: string }[]) => rows.map((row) => row.uid);

describe("a filter that the platform ignores is applied here", () => {
  const tree = ["root", "root/a", "root/a/b", "root/ab", "root/a/b/c", "other", "other/a"].map((uid) => group(uid) as Row);

  test.each([
    [{ descendantsOf: "root/a" }, "uidp.descendants_of=root%2Fa", ["root/a/b", "root/a/b/c"]],
    [{ childrenOf: "root" }, "uidp.children_of=root", ["root/a", "root/ab"]],
    [{ inRoot: true }, "uidp.in_root=true", ["other", "root"]],
    [{ name: "a" }, "name=a", ["other/a", "root/a"]],
    [{ name: "a", descendantsOf: "other" }, "name=a", ["other/a"]],
  ])("%j", async (query, parameter, expected) => {
    const server = await startList([...tree]);
    expect(uidsOf(await clientOf(server.url).list(groups, query))).toEqual(expected);
    expect(server.seen[0]?.url).toContain(parameter);
  });

  const reference = (uid: string) => ({ uid, name: "" });

  test.each([
    [{ identity: "i1" }, ["g/1", "g/2"]],
    [{ role: "viewer" }, ["g/1", "h/4"]],
    [{ group: "g" }, ["g/1", "g/2", "g/3"]],
    [{ identity: "i1", role: "viewer" }, ["g/1"]],
  ])("role bindings by %j, expanded or bare", async (query, expected) => {
    const rows: Row[] = [
      { uid: "g/1", identity: reference("i1"), role: reference("viewer"), group: reference("g"), identityUid: "" },
      { uid: "g/2", identityUid: "i1", roleUid: "editor", identity: null },
      { uid: "g/3", identity: reference("i2"), role: reference("editor") },
      { uid: "h/4", identity: reference("i2"), roleUid: "viewer" },
    ];
    const server = await startList(rows, { key: "roleBindings" });
    expect(uidsOf(await clientOf(server.url).list(roleBindings, query))).toEqual(expected);
  });

  test("identities by how they prove themselves, tags by digest and time", async () => {
    const people = await startList(
      [
        { uid: "i/1", claimMatch: { issuer: "x" } },
        { uid: "i/2", staticKeys: {}, claimMatch: null },
      ],
      {
        key: "identities",
      },
    );
    expect(uidsOf(await clientOf(people.url).list(identities, { relationshipType: "RELATIONSHIP_TYPE_STATIC" }))).toEqual([
      "i/2",
    ]);
    const rows = [
      { uid: "r/1", digest: "sha256:1", updateTime: "2030-01-01T00:00:00Z" },
      { uid: "r/2", digest: "sha256:1", updateTime: "2030-01-01T00:00:00.001Z" },
    ];
    const registry = await startList(rows, { key: "tags" });
    const query = { digest: "sha256:1", updatedSince: "2030-01-01T00:00:00.001Z" };
    expect(uidsOf(await clientOf(registry.url).list(tags, query))).toEqual(["r/2"]);
  });

  test("but not upward of a uid: for objects that are no groups only the platform knows what that means", async () => {
    const server = await startList([{ uid: "root/role1" }], { key: "roles" });
    expect(uidsOf(await clientOf(server.url).list(roles, { ancestorsOf: "root/a/b" }))).toEqual(["root/role1"]);
    expect(server.seen[0]?.query.get("uidp.ancestors_of")).toBe("root/a/b");
  });

  test.each([{ descendantsOf: "" }, { childrenOf: "/" }, { ancestorsOf: "a//b" }, { uids: ["a", ""] }])(
    "and a scope that is no uid, %j, is refused: the platform would answer everything",
    async (query) => {
      const server = await startList([...tree]);
      expect((await errorOf(clientOf(server.url).list(groups, query))).code).toBe("INVALID_INPUT");
      expect(server.seen).toHaveLength(0);
    },
  );
});

describe("a list by uids", () => {
  test("asks for few at a time, in short addresses, and drops what was not asked for", async () => {
    const rows = manyRows(300);
    const wanted = uidsOf(rows).filter((_, index) => index % 2 === 0);
    const server = await startList([...rows], { answer: (page) => ({ body: { groups: [...page.rows, group("stranger")] } }) });
    const read = await clientOf(server.url).list(groups, { uids: wanted });
    expect(uidsOf(read)).toEqual(wanted);
    expect(server.seen.flatMap((seen) => seen.query.getAll("uidp.ids"))).toEqual(wanted);
    expect(Math.max(...server.seen.map((seen) => seen.url.length))).toBeLessThan(8_000);
  });

  test("asks for each once, and for none not at all", async () => {
    const server = await startList(manyRows(5));
    const client = clientOf(server.url);
    expect(await client.list(groups, { uids: [] })).toEqual([]);
    expect(server.seen).toHaveLength(0);
    expect(uidsOf(await client.list(groups, { uids: ["root/00003", "root/00001", "root/00003", "gone"] }))).toEqual([
      "root/00001",
      "root/00003",
    ]);
    expect(server.seen[0]?.query.getAll("uidp.ids")).toEqual(["root/00003", "root/00001", "gone"]);
  });

  test.each(["name", "name desc"])("orders rows with the same %s by uid, as the platform does", async (orderBy) => {
    const rows = manyRows(130, (index) => ({ name: `n${index % 7}` }));
    const client = clientOf((await startList([...rows])).url);
    const uids = uidsOf(rows).reverse();
    expect(uidsOf(await client.list(groups, { orderBy, uids }))).toEqual(uidsOf(await client.list(groups, { orderBy })));
  });

  test.each([undefined, "uid", "uid desc", "name", "name desc", "created_at", "created_at desc", "updated_at asc"])(
    "keeps one order over all its requests: %j",
    async (orderBy) => {
      const time = (number: number) => new Date(Date.UTC(2030, 0, 1) + number * 700).toISOString().replace(".000Z", "Z");
      const rows = manyRows(130, (index) => ({
        name: `n${String((index * 37) % 130).padStart(3, "0")}`,
        createTime: time((index * 53) % 130),
        updateTime: time((index * 71) % 130),
      }));
      const query = orderBy === undefined ? {} : { orderBy };
      const uids = uidsOf(rows).reverse();
      const server = await startList([...rows]);
      const read = await clientOf(server.url).list(groups, { ...query, uids });
      const key = (row: { uid: string; name: string; createTime: string | null; updateTime: string | null }) =>
        orderBy?.startsWith("name")
          ? row.name
          : orderBy?.startsWith("created")
            ? Date.parse(row.createTime ?? "")
            : orderBy?.startsWith("updated")
              ? Date.parse(row.updateTime ?? "")
              : row.uid;
      const keys = read.map(key);
      const sorted = keys.toSorted((one, other) => (one < other ? -1 : 1));
      expect(read).toHaveLength(130);
      expect(keys).toEqual(orderBy?.endsWith("desc") ? sorted.reverse() : sorted);
    },
  );
});

import { type advisory, eventTypes } from "../../provider/kinds/advisory";
import { advisories, groups, identities, roleBindings, roles, tags } from "../support/collections";
import { manyRows, type Row, startList } from "./list-server";
import { clientOf, group } from "./support";
import { expectFailure } from "../support/failures";

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

  test.each([
    ["root/a/b", ["root", "root/a", "root/a/b"]],
    ["root/ab", ["root", "root/ab"]],
    ["root", ["root"]],
    ["root/a/gone", ["root", "root/a"]],
  ])(
    "groups upward of %s: by whole segments, and the group itself where the platform counts it",
    async (ancestorsOf, expected) => {
      const server = await startList([...tree]);
      expect(uidsOf(await clientOf(server.url).list(groups, { ancestorsOf }))).toEqual(expected);
      expect(server.seen[0]?.query.getAll("uidp.ancestors_of")).toEqual([ancestorsOf]);
    },
  );

  test("but not upward of a uid for objects that are no groups: only the platform knows what that means", async () => {
    const server = await startList([{ uid: "root/role1" }], { key: "roles" });
    expect(uidsOf(await clientOf(server.url).list(roles, { ancestorsOf: "root/a/b" }))).toEqual(["root/role1"]);
    expect(server.seen[0]?.query.get("uidp.ancestors_of")).toBe("root/a/b");
  });

  test.each([{ descendantsOf: "" }, { childrenOf: "/" }, { ancestorsOf: "a//b" }, { uids: ["a", ""] }])(
    "and a scope that is not a uid, %j, is rejected: the platform would answer everything",
    async (query) => {
      const server = await startList([...tree]);
      await expectFailure(clientOf(server.url).list(groups, query), "INVALID_INPUT");
      expect(server.seen).toHaveLength(0);
    },
  );
});

describe("tags of a sort that is rejected are filtered out, even if the platform returns them", () => {
  const names = [
    "latest",
    "1.2",
    "1.2-20260131",
    "20260131",
    "1.2-20269931",
    "1.2-r3",
    "1.2-r3-dev",
    "sha256-ab.sig",
    "a-sha256-b",
  ];
  const without = (...hidden: string[]) => names.filter((name) => !hidden.includes(name));

  test.each([
    [{ includeDates: false }, without("1.2-20260131")],
    [{ includeEpochs: false }, without("1.2-r3")],
    [{ includeReferrers: false }, without("sha256-ab.sig")],
    [{ includeDates: true, includeEpochs: true, includeReferrers: true }, names],
    // The platform may hide anything that it is not asked for.
    [{}, names],
  ])("%j", async (query, expected) => {
    const server = await startList(
      names.map((name, index) => ({ uid: `r/${index}`, name })),
      { key: "tags" },
    );
    expect((await clientOf(server.url).list(tags, query)).map((row) => row.name)).toEqual(expected);
  });
});

describe("advisories are filtered by what the row shows", () => {
  const event = (author: string, reviewer: string, reviewState: string, type: string) => ({
    author,
    reviewer,
    reviewState,
    [type]: {},
  });
  const rows: Row[] = [
    {
      uid: "g/1",
      artifactName: "web-server",
      aliases: ["CVE-2030-1"],
      events: [event("ann", "", "REVIEW_STATE_APPROVED", "detection"), event("bob", "cy", "REVIEW_STATE_PENDING", "fixed")],
    },
    {
      uid: "g/2",
      artifactName: "database",
      componentName: "OpenSSL",
      events: [event("ann", "cy", "REVIEW_STATE_APPROVED", "pendingUpstreamFix")],
    },
    // A list need not hold the history.
    { uid: "g/3", artifactName: "database", componentName: "planner" },
  ];

  test.each<[NonNullable<(typeof advisory)["filterValues"]>, string[]]>([
    [{ artifactNames: ["web-server", "cache"] }, ["g/1"]],
    [{ eventAuthors: ["bob", "dan"] }, ["g/1", "g/3"]],
    [{ eventAuthors: ["ann"], eventReviewStates: ["REVIEW_STATE_PENDING"] }, ["g/1", "g/3"]],
    [{ excludeEventAuthors: ["bob"] }, ["g/2", "g/3"]],
    [{ eventReviewers: ["cy"] }, ["g/1", "g/2", "g/3"]],
    [{ eventReviewers: ["ann"] }, ["g/3"]],
    [{ eventReviewStates: ["REVIEW_STATE_REJECTED"] }, ["g/3"]],
    [{ eventTypes: ["EVENT_TYPE_FILTER_PENDING_UPSTREAM_FIX", "EVENT_TYPE_FILTER_PATCHED"] }, ["g/2", "g/3"]],
    // Which is the latest, the platform tells; that there must be one, the row.
    [{ latestEventType: "EVENT_TYPE_FILTER_DETECTION" }, ["g/1", "g/3"]],
    [{ latestEventType: "EVENT_TYPE_FILTER_FIX_NOT_PLANNED" }, ["g/3"]],
    [{ query: "openssl" }, ["g/2"]],
    [{ query: "cve-2030" }, ["g/1"]],
    [{ query: "DATA" }, ["g/2", "g/3"]],
    [{ query: "nothing of it" }, []],
    [{ origin: "nothing of it" }, ["g/1", "g/2", "g/3"]],
  ])("%j", async (query, expected) => {
    const server = await startList([...rows], { key: "advisories" });
    expect(uidsOf(await clientOf(server.url).list(advisories, query))).toEqual(expected);
  });

  test.each(eventTypes)("an event of type %s is known by its member", async (type) => {
    const member = type
      .replace("EVENT_TYPE_FILTER_", "")
      .toLowerCase()
      .replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const history = [
      { uid: "g/1", events: [event("ann", "", "", member)] },
      { uid: "g/2", events: [event("ann", "", "", "other")] },
    ];
    const server = await startList(history, { key: "advisories" });
    expect(uidsOf(await clientOf(server.url).list(advisories, { eventTypes: [type] }))).toEqual(["g/1"]);
  });
});

describe("a value that is newer than the package is sent, and no row is dropped for it", () => {
  test("the form of identities", async () => {
    const rows = [{ uid: "i/1", claimMatch: { issuer: "x" } }, { uid: "i/2" }];
    const server = await startList(rows, { key: "identities" });
    const found = await clientOf(server.url).list(identities, { relationshipType: "RELATIONSHIP_TYPE_PASSKEY" });
    expect(uidsOf(found)).toEqual(["i/1", "i/2"]);
    expect(server.seen[0]?.query.get("relationship_type")).toBe("RELATIONSHIP_TYPE_PASSKEY");
  });

  test.each([
    { eventTypes: ["EVENT_TYPE_FILTER_DISPUTED" as const] },
    { latestEventType: "EVENT_TYPE_FILTER_DISPUTED" as const },
  ])("the type of events: %j", async (query) => {
    const rows = [
      { uid: "g/1", events: [{ author: "ann", disputed: {} }] },
      { uid: "g/2", events: [{ author: "ann" }] },
    ];
    const server = await startList(rows, { key: "advisories" });
    expect(uidsOf(await clientOf(server.url).list(advisories, query))).toEqual(["g/1", "g/2"]);
  });
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

  test("asks in short addresses for objects deep in a tree, whose uids are long", async () => {
    const deep = ["a".repeat(40), ...Array.from({ length: 8 }, (_, at) => String(at).repeat(16))].join("/");
    const rows = Array.from({ length: 45 }, (_, at) => group(`${deep}/${String(at).padStart(16, "0")}`));
    const server = await startList([...rows]);
    expect(uidsOf(await clientOf(server.url).list(groups, { uids: uidsOf(rows) }))).toEqual(uidsOf(rows));
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

import { column, invalidFields, refusal, useBench } from "./support";

const bench = useBench();
let group: string;
beforeAll(async () => {
  group = await bench.group("group");
});

describe("subscriptions", () => {
  const path = "/events/v2/subscriptions";

  test("are created, read, listed and deleted, and never changed", async () => {
    const sink = "https://events.example/hook?x=1";
    const created = await bench.ok("POST", `${path}/${group}`, { sink });
    expect(created).toEqual({ uid: expect.stringContaining(`${group}/`) as unknown, sink });
    const one = `${path}/${String(created["uid"])}`;
    expect(await bench.ok("GET", one)).toEqual(created);
    expect(await bench.ok("GET", `${path}?uidp.children_of=${group}`)).toMatchObject({
      subscriptions: [created],
      totalCount: "1",
    });
    expect(await bench.api("PATCH", one, { sink })).toMatchObject(refusal.unserved);
    await bench.ok("DELETE", one);
    expect(await bench.api("GET", one)).toMatchObject({
      status: 404,
      body: { details: [{ domain: expect.stringMatching(/^events\./) as unknown }, { resourceType: "subscription" }] },
    });
  });

  test.each([undefined, "", "http://events.example", "events.example", "https//x"])("the sink %s is rejected", async (sink) => {
    expect(await bench.api("POST", `${path}/${group}`, { sink })).toMatchObject(invalidFields("sink"));
  });

  test("an editor changes subscriptions, a viewer reads them", async () => {
    const send = async (role: string) => {
      const person = await bench.someone(`subscribing ${role}`);
      await bench.bind(group, person, await bench.role(role));
      const token = await bench.tokenOf(person);
      const { status } = await bench.api("POST", `${path}/${group}`, { sink: "https://s.example" }, token);
      return [status, (await bench.ok("GET", path, undefined, token))["totalCount"]];
    };
    expect(await send("editor")).toEqual([200, "1"]);
    expect(await send("viewer")).toEqual([403, "1"]);
  });
});

describe("terms", () => {
  const path = () => `/iam/v2/terms/${group}`;
  const ids = async (query = "") => await bench.column("docId", path() + query);

  test("are accepted once, and hold below the group", async () => {
    const accept = (where: string, ...documentIds: string[]) => bench.ok("POST", `/iam/v2/terms/${where}`, { documentIds });
    expect(await accept(group, "one", "two")).toEqual({ group, documentIds: ["one", "two"] });
    await accept(group, "two");
    await accept(await bench.group("sibling"), "elsewhere");
    expect((await ids()).sort()).toEqual(["one", "terms-of-service", "two"]);
    const { termsAcceptances } = await bench.ok("GET", path());
    const found = (termsAcceptances as Record<string, unknown>[]).find(({ docId }) => docId === "one");
    expect(found).toEqual({
      docId: "one",
      orgUid: group,
      acceptedBy: bench.identity,
      createTime: expect.any(String) as unknown,
    });
  });

  test("are paged like other lists", async () => {
    const first = await bench.ok("GET", `${path()}?page_size=1`);
    expect(first).toMatchObject({ totalCount: "3", skipped: 0 });
    const rest = await ids(`?page_size=2&page_token=${String(first["nextPageToken"])}`);
    expect([...column(first, "termsAcceptances", "docId"), ...rest].sort()).toEqual(["one", "terms-of-service", "two"]);
  });

  test("need a document and a group, and a caller who may", async () => {
    expect(await bench.api("POST", path(), {})).toMatchObject(refusal.invalid);
    expect(await bench.api("POST", `/iam/v2/terms/${bench.root}/0123456789abcdef`, { documentIds: ["x"] })).toMatchObject({
      status: 404,
    });
    expect((await bench.api("DELETE", path())).status).toBe(501);
    const person = await bench.someone("reading terms");
    await bench.bind(group, person, await bench.role("viewer"));
    const token = await bench.tokenOf(person);
    expect(await bench.api("POST", path(), { documentIds: ["x"] }, token)).toMatchObject({ status: 403 });
    // Terms above apply, though the caller sees nothing else there.
    expect(await bench.ok("GET", path(), undefined, token)).toMatchObject({ totalCount: "3" });
  });
});

import fc from "fast-check";
import { advisories, groups, identities, repos, roleBindings, tags } from "../support/collections";
import { isUid, parentOf } from "../../provider/client/uid";
import { type HttpDouble, startServer } from "../support/http-double";
import { clientOf, group } from "./support";
import { expectFailure } from "../support/failures";

/** A platform that answers every Get, Create and Update with the object that the path names. */
const echoing = (prefix = "/iam/v2beta1/groups/") =>
  startServer((seen) => ({ body: group(decodeURIComponent(seen.path.slice(prefix.length))) }));

describe("the path", () => {
  test.each([
    ["v2beta1", groups, "/iam/v2beta1/groups/"],
    ["v2", groups, "/iam/v2/groups/"],
    ["v2beta1", identities, "/iam/v2beta1/identities/"],
    ["v2", roleBindings, "/iam/v2/roleBindings/"],
    ["v2beta1", repos, "/registry/v2beta1/repos/"],
    ["v2beta1", tags, "/registry/v2beta1/tags/"],
    ["v2beta1", advisories, "/vulnerabilities/v2beta1/advisories/"],
  ] as const)("of %s names area, version, collection and uid", async (apiVersion, collection, prefix) => {
    const server = await echoing(prefix);
    await clientOf(server.url, { apiVersion }).get<{ uid: string }>(collection, "root/a/b");
    expect(server.seen[0]).toMatchObject({ method: "GET", url: `${prefix}root/a/b`, body: "" });
  });

  test("starts with that of the base address", async () => {
    const server = await echoing("/gateway/api/iam/v2beta1/groups/");
    await clientOf(`${server.url}/gateway/api`).get(groups, "root");
    expect(server.seen[0]?.url).toBe("/gateway/api/iam/v2beta1/groups/root");
  });

  const verbs = (url: string, uid: string) => {
    const client = clientOf(url);
    return [
      () => client.get(groups, uid),
      () => client.create(groups, uid, { name: "a" }),
      () => client.update(groups, uid, { name: "a" }, ["name"]),
      () => client.delete(groups, uid),
    ];
  };

  async function holdsFor(server: HttpDouble, uid: string) {
    for (const send of verbs(server.url, uid)) {
      server.seen.length = 0;
      if (isUid(uid)) {
        await send();
        expect(server.seen.map((seen) => seen.path)).toEqual([`/iam/v2beta1/groups/${uid}`]);
      } else {
        await expectFailure(send(), "INVALID_INPUT", /is not a uid.*Nothing was sent/);
        expect(server.seen).toHaveLength(0);
      }
    }
  }

  test("is exactly that of the uid, or nothing is sent, for any text", async () => {
    const server = await echoing();
    const hostile = fc.constantFrom(
      "/",
      ".",
      "..",
      "%2e%2e",
      "%2F",
      "?",
      "#",
      "\\",
      "\n",
      " ",
      "\0",
      "é",
      "\ud800",
      ":",
      "@",
      "//",
      "__proto__",
    );
    const plain = fc.stringMatching(/^[A-Za-z0-9._-]{1,6}$/);
    const mixed = fc.array(fc.oneof(hostile, plain, fc.constant("/")), { maxLength: 7 }).map((parts) => parts.join(""));
    const proper = fc.array(plain, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: "binary" }), mixed, proper), (uid) => holdsFor(server, uid)),
      { seed: 11, numRuns: 150 },
    );
  });

  test.each(["", "/", "/a", "a/", "a//b", ".", "..", "a/..", "a/../b", "./a", "a?b", "a#b", "a b", "a\n", "a%2fb", "a\\..\\b"])(
    "of %j is never sent",
    async (uid) => {
      expect(isUid(uid)).toBe(false);
      await holdsFor(await echoing(), uid);
    },
  );

  test.each(["a", "a/b", "...", "a.b/c_d/e-f", "viewer", "ab12".repeat(10)])("of %j is sent", async (uid) => {
    expect(isUid(uid)).toBe(true);
    await holdsFor(await echoing(), uid);
  });

  test("has no parent at the root", () => {
    expect([parentOf("root"), parentOf("root/a"), parentOf("root/a/b")]).toEqual([undefined, "root", "root/a"]);
  });
});

describe("the query and the body", () => {
  test("name the changed fields in one mask, and no others", async () => {
    const server = await startServer(() => ({ body: { uid: "r/i" } }));
    const body = { description: "", claimMatch: { issuer: "https://issuer.example.com", subject: "a" } };
    await clientOf(server.url).update(identities, "r/i", body, ["description", "claim_match"]);
    const [seen] = server.seen;
    expect(seen?.query.getAll("updateMask")).toEqual(["description,claim_match"]);
    expect([...(seen?.query.keys() ?? [])]).toEqual(["updateMask"]);
    expect(JSON.parse(seen?.body ?? "")).toEqual(body);
  });

  test("of an update without a change are not sent", async () => {
    const server = await startServer(() => ({ body: group("a") }));
    await expectFailure(clientOf(server.url).update(groups, "a", {}, []), "INVALID_INPUT");
    expect(server.seen).toHaveLength(0);
  });

  test.each([
    ["name desc", "order_by=name%20desc"],
    ["created_at desc", "order_by=created_at%20desc"],
    ["a+b&c=d", "order_by=a%2Bb%26c%3Dd"],
  ])("say a space as %%20: %s", async (orderBy, expected) => {
    const server = await startServer(() => ({ body: { groups: [] } }));
    await clientOf(server.url).list(groups, { orderBy });
    expect(server.seen[0]?.url.split(/[?&]/)).toContain(expected);
  });

  test("repeat the parameter of a list", async () => {
    const server = await startServer(() => ({ body: { advisories: [] } }));
    await clientOf(server.url).list(advisories, { aliases: ["CVE-1", "GHSA, 2"], query: "a b" });
    expect(server.seen[0]?.query.getAll("aliases")).toEqual(["CVE-1", "GHSA, 2"]);
    expect(server.seen[0]?.query.get("query")).toBe("a b");
  });

  test.each([undefined, 7])("ask for %j rows per page, 200 by default", async (pageSize) => {
    const server = await startServer(() => ({ body: { groups: [] } }));
    await clientOf(server.url).list(groups, pageSize === undefined ? {} : { pageSize });
    expect(server.seen[0]?.url).toBe(`/iam/v2beta1/groups?page_size=${pageSize ?? 200}`);
  });

  test("carry the token, and the content type only with a body", async () => {
    const server = await echoing();
    const client = clientOf(server.url);
    await client.get(groups, "a");
    await client.create(groups, "a", { name: "größe \ud83d\ude00" });
    const [get, post] = server.seen;
    expect(get?.headers).toMatchObject({ authorization: "Bearer api-token-of-tests", accept: "application/json" });
    expect(get?.headers["content-type"]).toBeUndefined();
    expect(post?.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(post?.body ?? "")).toEqual({ name: "größe \ud83d\ude00" });
  });

  test("are announced before each attempt, after which the clock of the answer is known", async () => {
    const server = await startServer((_, count) => (count < 3 ? { status: 429 } : { body: group("a/b") }));
    const client = clientOf(server.url);
    const clocks: (number | undefined)[] = [];
    await client.create(groups, "a", {}, { onSend: () => clocks.push(client.serverTime()) });
    expect(clocks).toHaveLength(3);
    expect(clocks[0]).toBeUndefined();
    expect(clocks[1]).toBeDefined();
  });
});

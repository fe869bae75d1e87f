import { withCapability } from "../../provider/client/capability";
import type { Collection, WireObject } from "../../provider/client/collection";
import { PlatformError } from "../../provider/client/errors";
import { accountAssociations, externalGroupRoleMappings, groups, identities, repos, tags } from "../support/collections";
import { startServer } from "../support/http-double";
import { clientOf, errorOf, fixedToken, group, rpcError } from "./support";
import { expectFailure } from "../support/failures";

describe("a 403 names the capability that the call needs, and where", () => {
  const refusing = async (message: string) => clientOf((await startServer(() => rpcError(403, 7, message))).url);

  test("of each verb", async () => {
    const client = await refusing("denied: [3 7]");
    const messages = await Promise.all(
      [
        client.get(groups, "root/a"),
        client.list(groups, {}),
        client.listSome(groups, {}, 1),
        client.create(groups, "root", { name: "a" }),
        client.update(groups, "root/a", { name: "a" }, ["name"]),
        client.delete(groups, "root/a"),
        client.create(repos, "root", { name: "a" }),
        client.delete(repos, "root/a"),
      ].map(async (call) => (await errorOf(call)).message),
    );
    const ends = messages.map((message) => message.slice(message.indexOf("denied: [3 7]")));
    const needs = (capability: string, where: string) =>
      `denied: [3 7]. This needs the capability ${capability}.\nBind a role with it to the identity of this run${where}.`;
    expect(ends).toEqual([
      needs("CAP_IAM_GROUPS_LIST", " at root/a or above"),
      needs("CAP_IAM_GROUPS_LIST", ""),
      needs("CAP_IAM_GROUPS_LIST", ""),
      needs("CAP_IAM_GROUPS_CREATE", " at root or above"),
      needs("CAP_IAM_GROUPS_UPDATE", " at root/a or above"),
      needs("CAP_IAM_GROUPS_DELETE", " at root/a or above"),
      needs("CAP_REPO_CREATE", " at root or above"),
      needs("CAP_REPO_DELETE", " at root or above"),
    ]);
  });

  test.each([
    ["a group", groups, "root/eng", "root/eng", "root/eng"],
    ["a repo", repos, "root/eng/repo", "root/eng", "root/eng"],
    ["an account association, which has the uid of its group", accountAssociations, "root/eng", "root/eng", "root/eng"],
    ["a tag, whose parent is a repo", tags, "root/eng/repo/tag", "root/eng/repo", "root/eng"],
    ["a mapping, whose parent is an identity provider", externalGroupRoleMappings, "root/idp/mapping", "root/idp", "root"],
  ] as [string, Collection<WireObject>, string, string, string][])(
    "in the group of %s",
    async (_, collection, uid, parent, place) => {
      const client = await refusing("denied");
      const calls = [
        client.get(collection, uid),
        client.update(collection, uid, {}, ["name"]),
        client.delete(collection, uid),
        client.create(collection, parent, {}),
      ];
      const messages = await Promise.all(calls.map(async (call) => (await errorOf(call)).message));
      const wheres = messages.map((message) => /identity of this run(.*)\.$/.exec(message)?.[1]);
      expect(wheres).toEqual(calls.map(() => ` at ${place} or above`));
    },
  );

  test("in no place for a person, who is in no group", async () => {
    const { message } = await errorOf((await refusing("denied")).get(identities, "a".repeat(40)));
    expect(message).toMatch(/identity of this run\.$/);
  });

  test("once: not where the platform has named it", async () => {
    const { message } = await errorOf((await refusing("lacks CAP_IAM_GROUPS_DELETE")).delete(groups, "root/a"));
    expect(message.match(/CAP_/g)).toHaveLength(1);
    expect(message).toContain("Bind a role with the missing capabilities to the identity of this run at root/a or above.");
  });

  test("not another one than the platform names: that is the one which is missing", async () => {
    const { message } = await errorOf(
      (await refusing("lacks CAP_IAM_ROLE_BINDINGS_CREATE")).create(groups, "root", { name: "a" }),
    );
    expect(message.match(/CAP_\w+/g)).toEqual(["CAP_IAM_ROLE_BINDINGS_CREATE"]);
  });

  test("and keeps its code, status and request id", async () => {
    const server = await startServer(() => ({ ...rpcError(403, 7), headers: { "x-request-id": "req-1" } }));
    expect(await errorOf(clientOf(server.url).delete(groups, "root/a"))).toMatchObject({
      code: "PERMISSION_DENIED",
      status: 403,
      requestId: "req-1",
      fromPlatform: true,
    });
  });
});

describe("a 401 says where the token came from", () => {
  const advice = "The token came from PLATFORM_TOKEN: replace it.";

  test("when the source has only this one", async () => {
    const server = await startServer(() => rpcError(401, 16, "invalid token"));
    await expectFailure(
      clientOf(server.url, { tokens: { ...fixedToken(), advice } }).get(groups, "a"),
      "UNAUTHENTICATED",
      /invalid token\.\nThe token came from PLATFORM_TOKEN: replace it\.$/,
    );
  });

  test("when a fresh one is rejected too, and not when it is accepted", async () => {
    const server = await startServer((_, count) => (count === 3 ? { body: group("a") } : rpcError(401, 16, "invalid token")));
    const client = clientOf(server.url, { tokens: { ...fixedToken(), forget: () => true, advice } });
    const error = await errorOf(client.get(groups, "a"));
    expect(error.message.split(advice)).toHaveLength(2);
    expect(await client.get(groups, "a")).toMatchObject({ uid: "a" });
  });
});

test.each([
  ["INVALID_ARGUMENT", rpcError(400, 3), "Fix the cause named above."],
  ["INTERNAL", rpcError(500, 13), "Run again; if it persists, report it to the platform."],
  ["UNAVAILABLE", rpcError(503, 14), "Run again later."],
  ["RESOURCE_EXHAUSTED", rpcError(429, 8), "Run again later, or with a lower --parallel or concurrency."],
  ["UNEXPECTED_ANSWER", { body: "<html>" }, "Check the API address and version."],
])("%s of a read says what to do", async (code, answer, step) => {
  const server = await startServer(() => answer);
  const error = await expectFailure(clientOf(server.url).get(groups, "a"), code);
  expect(error.message.endsWith(`\n${step}`)).toBe(true);
});

test("a create with an unknown outcome does not advise to run again: its caller looks the object up", async () => {
  const server = await startServer(() => rpcError(500, 13, "oops"));
  const error = await errorOf(clientOf(server.url).create(groups, "root", { name: "a" }));
  expect(error.message).toMatch(/INTERNAL: oops$/);
});

test("a denial that names the capability keeps what the platform said, and its cause", () => {
  const cause = new Error("first");
  const denied = new PlatformError("PERMISSION_DENIED", "no", { status: 403, requestId: "r-1", fromPlatform: true, cause });
  expect(withCapability(denied, { capabilities: "REPO" }, "LIST")).toMatchObject({
    ...{ code: "PERMISSION_DENIED", status: 403, requestId: "r-1", fromPlatform: true, cause },
    message: expect.stringContaining("CAP_REPO_LIST") as string,
  });
});

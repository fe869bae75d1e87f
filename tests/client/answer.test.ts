import { advisories, groups, identities, repos, roleBindings, roles } from "../support/collections";
import { PlatformError } from "../../provider/client/errors";
import { type Answer, startServer } from "../support/http-double";
import { clientOf, errorOf, group, rpcError } from "./support";
import { expectFailure } from "../support/failures";

async function getGroup(answer: Answer) {
  const server = await startServer(() => answer);
  return clientOf(server.url).get(groups, "root/a");
}

const plain = { "content-type": "text/plain" };

describe("an answer that is not the platform's", () => {
  test.each<[string, Answer, RegExp]>([
    [
      "HTML",
      { body: "<html>\n  <b>Sign in</b>", headers: { "content-type": "text/html" } },
      /text\/html.*<html> <b>Sign in.*\nCheck the API address and version/,
    ],
    ["JSON that ends too early", { body: '{"uid":"root/a","na' }, /HTTP 200/],
    ["an empty body", {}, /object/],
    ["JSON null", { body: "null" }, /object/],
    ["a JSON array", { body: [group("root/a")] }, /object/],
    ["a JSON string", { body: '"root/a"' }, /object/],
    ["an object without a uid", { body: { name: "a" } }, /member uid/],
    ["an object whose member has another type", { body: { uid: "root/a", name: 7 } }, /member name/],
    ["an unknown status", { status: 418, body: "tea", headers: plain }, /HTTP 418 with text\/plain.*tea/],
    ["a 404 of a web server", { status: 404, body: "<h1>Not found</h1>" }, /HTTP 404/],
    ["a 404 whose code is the HTTP status", { status: 404, body: { code: 404, message: "no route" } }, /HTTP 404/],
    ["an error in an outer member", { status: 400, body: { error: { code: 3 } } }, /HTTP 400/],
    ["a code of 0", { status: 500, body: { code: 0, message: "fine" } }, /HTTP 500/],
  ])("%s is UNEXPECTED_ANSWER and says what came", async (_, answer, message) => {
    const error = await expectFailure(getGroup(answer), "UNEXPECTED_ANSWER");
    expect(error["fromPlatform"]).toBe(false);
    expect(error.message).toMatch(message);
    expect(error.message.length).toBeLessThan(400);
  });

  test("is not read beyond its limit", async () => {
    const server = await startServer(() => ({ body: "x".repeat(33 * 1024 * 1024) }));
    await expectFailure(clientOf(server.url).get(groups, "a"), "UNEXPECTED_ANSWER", /the answer is larger than \d+ bytes/);
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    [401, "UNAUTHENTICATED"],
    [403, "PERMISSION_DENIED"],
    [429, "RESOURCE_EXHAUSTED"],
    [502, "UNAVAILABLE"],
    [503, "UNAVAILABLE"],
    [504, "DEADLINE_EXCEEDED"],
  ])("has the code of its HTTP status %d where that says one", async (status, code) => {
    for (const body of ["<h1>no</h1>", "", "null", "[]", { code: status, message: "no" }]) {
      const server = await startServer(() => ({ status, body }));
      const error = await errorOf(clientOf(server.url).create(groups, "a", {}));
      expect(error).toMatchObject({ code, status, fromPlatform: false });
      expect(error.message).toContain(`HTTP ${status}, not a response of the platform`);
    }
  });
});

describe("an answer of the platform", () => {
  test("is taken whatever its content type says", async () => {
    expect(await getGroup({ body: group("root/a"), headers: plain })).toMatchObject({ uid: "root/a" });
  });

  test("about another object is WRONG_OBJECT, on Get and on Update", async () => {
    const server = await startServer(() => ({ body: group("root/b") }));
    const client = clientOf(server.url);
    for (const action of [client.get(groups, "root/a"), client.update(groups, "root/a", { name: "b" }, ["name"])]) {
      await expectFailure(action, "WRONG_OBJECT", /group root\/a.*root\/b/);
    }
  });

  test("keeps members and enum values that this version does not know", async () => {
    const row = { ...group("root/a"), kind: "KIND_OF_TOMORROW", status: 99, colour: { hue: [1] } };
    expect(await getGroup({ body: row })).toMatchObject({ kind: "KIND_OF_TOMORROW", status: "99", colour: { hue: [1] } });
  });

  test.each([
    ["absent", {}],
    [
      "null",
      { description: null, resourceLimits: null, verified: null, kind: null, createTime: null, updateTime: null, name: null },
    ],
  ])("may have its empty members %s", async (_, more) => {
    expect(await getGroup({ body: { uid: "root/a", ...more } })).toMatchObject({
      uid: "root/a",
      name: "",
      description: "",
      resourceLimits: {},
      verified: false,
      createTime: null,
    });
  });

  test.each([
    [identities, { claimMatch: null }, { name: "", lastSeenTime: null }],
    [roles, { capabilities: null }, { capabilities: [] }],
    [roles, { capabilities: ["CAP_GROUP_LIST", 4711] }, { capabilities: ["CAP_GROUP_LIST", "4711"] }],
    [roleBindings, { identity: null, role: { uid: "viewer" } }, { role: { uid: "viewer", name: "" }, identityUid: "" }],
    [repos, { bundles: null, sync_config: { source: "x" } }, { bundles: [], sync_config: { source: "x" } }],
    [advisories, { severities: [{ type: 9 }], events: [{ patched: {} }] }, { severities: [{ type: "9" }] }],
  ] as const)("of every kind bears missing members: %#", async (collection, more, expected) => {
    const server = await startServer(() => ({ body: { uid: "a/b", ...more } }));
    expect(await clientOf(server.url).get<{ uid: string }>(collection, "a/b")).toMatchObject(expected);
  });

  test("cannot reach the prototypes of this process", async () => {
    const hostile =
      '{"uid":"root/a","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"resourceLimits":{"__proto__":1}}';
    const wire = await getGroup({ body: hostile, headers: { __proto__: "1" } });
    expect(Object.getPrototypeOf(wire)).toBe(Object.prototype);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect((wire as { polluted?: number }).polluted).toBeUndefined();
  });

  test.each<[string, Answer]>([
    ["an empty body", {}],
    ["an empty object", { body: {} }],
    ["204", { status: 204, headers: { "content-length": "0" } }],
  ])("to a Delete may be %s", async (_, answer) => {
    const server = await startServer(() => answer);
    await clientOf(server.url).delete(groups, "root/a");
    expect(server.seen).toHaveLength(1);
  });

  test("to a Delete that is HTML is no success", async () => {
    const server = await startServer(() => ({ body: "<h1>Welcome</h1>" }));
    await expectFailure(clientOf(server.url).delete(groups, "root/a"), "UNEXPECTED_ANSWER");
  });
});

describe("an error of the platform", () => {
  test.each([
    [400, 3, "INVALID_ARGUMENT"],
    [400, 9, "FAILED_PRECONDITION"],
    [400, 11, "OUT_OF_RANGE"],
    [404, 5, "NOT_FOUND"],
    [409, 6, "ALREADY_EXISTS"],
    [409, 10, "ABORTED"],
    [499, 1, "CANCELLED"],
    [500, 13, "INTERNAL"],
    [500, 15, "DATA_LOSS"],
    [501, 12, "UNIMPLEMENTED"],
    [503, 9, "FAILED_PRECONDITION"],
    [429, 3, "INVALID_ARGUMENT"],
    [404, 7, "PERMISSION_DENIED"],
    [403, 5, "NOT_FOUND"],
    [500, 5, "NOT_FOUND"],
  ])("has the code of its body, whatever the HTTP status: %d with %d", async (status, code, name) => {
    expect(await errorOf(getGroup(rpcError(status, code)))).toMatchObject({ code: name, status, fromPlatform: true });
  });

  test("says what failed, on what, why in detail, and under which id", async () => {
    const details = [
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "INVALID_ARGUMENT", domain: "iam", metadata: {} },
      {
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        fieldViolations: [{ field: "name", description: "must match", reason: "", localizedMessage: null }],
      },
      {
        "@type": "type.googleapis.com/google.rpc.PreconditionFailure",
        violations: [{ type: "RESOURCE_NOT_EMPTY", subject: "", description: "has repos" }],
      },
    ];
    const error = await errorOf(
      getGroup({ ...rpcError(400, 3, "Invalid argument: name", details), headers: { "x-request-id": "req-7" } }),
    );
    expect(error.message).toBe(
      "INVALID_ARGUMENT: Invalid argument: name [name: must match; RESOURCE_NOT_EMPTY: has repos] (request req-7).\nFix the cause named above.",
    );
    expect(error.requestId).toBe("req-7");
    expect(PlatformError.isInstance(error)).toBe(true);
  });

  test("says nothing twice", async () => {
    const details = [{ fieldViolations: [{ field: "name", description: "must match" }] }];
    const error = await errorOf(getGroup(rpcError(400, 3, "Invalid argument: name must match", details)));
    expect(error.message).toMatch(/Invalid argument: name must match \[name\]\.\nFix the cause named above\.$/);
  });

  test.each([undefined, null, 7])("bears the message %j", async (message) => {
    const error = await errorOf(getGroup({ status: 404, body: { code: 5, message } }));
    expect(error).toMatchObject({ code: "NOT_FOUND", fromPlatform: true });
  });
});

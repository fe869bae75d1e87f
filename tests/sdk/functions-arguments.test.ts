import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import {
  getAdvisories,
  getAdvisory,
  getGroup,
  getGroups,
  getIdentities,
  getIdentity,
  getRepo,
  getRepos,
  getRole,
  getRoleBinding,
  getRoleBindings,
  getRoles,
  getTag,
  getTags,
} from "../../sdk";
import { runErrorOf, usePlatform } from "./support";

const { platform } = usePlatform();

/** A data source as an untyped program calls it. */
type Untyped = (args?: object | null) => Promise<unknown>;
const untyped = (call: (args: never) => Promise<unknown>) => call as Untyped;

const plural = { getAdvisories, getGroups, getIdentities, getRepos, getRoleBindings, getRoles, getTags };
const singular = { getAdvisory, getGroup, getIdentity, getRepo, getRole, getRoleBinding, getTag };
const byName = (calls: Record<string, (args: never) => Promise<unknown>>) =>
  Object.entries(calls).map(([name, call]): [string, Untyped] => [name, untyped(call)]);
const all = [...byName(plural), ...byName(singular)];

beforeEach(() => platform.clearRequests());
afterEach(async () => {
  expect(await platform.requests()).toEqual([]);
});

describe("an argument that is not declared", () => {
  test.each(all)("of %s is refused", async (name, call) => {
    const message = await runErrorOf(call({ uidd: "a" }));
    expect(message).toMatch(new RegExp(`^${name}: .*"uidd" is not an argument.*did you mean "uids?"`));
  });

  test("of any length is quoted in a short message", async () => {
    expect((await runErrorOf(untyped(getGroups)({ ["x".repeat(50_000)]: 1 }))).length).toBeLessThan(1_000);
  });

  test.each([
    [getGroups, { childrensOf: "a" }, "childrenOf"],
    [getGroups, { order_by: "name" }, "orderBy"],
    [getTags, { includeDate: true }, "includeDates"],
    [getRoleBindings, { roles: "a" }, "role"],
    [getAdvisories, { advisoryId: ["a"] }, "advisoryIds"],
    [getTag, { name: "a", repoUID: "a" }, "repoUid"],
  ])("%p %j: the nearest one is named", async (call, args, nearest) => {
    expect(await runErrorOf(untyped(call)(args))).toContain(`did you mean "${nearest}"?`);
  });
});

describe("anything but an object of arguments", () => {
  test.each(all)("is rejected by %s", async (name, call) => {
    for (const args of ["a", 7, ["a"], pulumi.output({})])
      expect(await runErrorOf(call(args as object))).toMatch(`${name}: the arguments must be one object`);
  });

  test("an output or a promise instead of a value is an error that says what to do", async () => {
    expect(await runErrorOf(untyped(getGroup)({ uid: pulumi.output("a") }))).toContain("uid is an output: call");
    expect(await runErrorOf(untyped(getGroups)({ uids: ["a", Promise.resolve("b")] }))).toContain(
      "uids.1 is a promise: await it",
    );
  });
});

describe("uids are well formed", () => {
  const wrong = ["", "/", "a/", "/a", "a//b", "a/../b", ".", "a b", "a?b", "ü"];
  test.each(wrong)("%j is refused wherever a uid is expected", async (uid) => {
    for (const [call, args, name] of [
      [getGroup, { uid }, "uid"],
      [getGroup, { name: "a", parentUid: uid }, "parentUid"],
      [getTag, { name: "a", repoUid: uid }, "repoUid"],
      [getRoleBinding, { parentUid: "a", identityUid: uid, roleUid: "a" }, "identityUid"],
      [getGroups, { childrenOf: uid }, "childrenOf"],
      [getRepos, { descendantsOf: uid }, "descendantsOf"],
      [getGroups, { uids: ["a", uid] }, "uids.1"],
      [getRoleBindings, { identity: uid }, "identity"],
    ] as const) {
      expect(await runErrorOf(untyped(call)(args))).toContain(`: ${name} `);
    }
  });

  test("of any text, exactly those of letters, digits, '.', '_' and '-' between single slashes pass", async () => {
    const piece = fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,5}$/);
    const broken = fc.tuple(fc.array(piece, { maxLength: 2 }), fc.constantFrom("", "..", ".", "a b", "%2F"));
    await fc.assert(
      fc.asyncProperty(broken, async ([pieces, bad]) => {
        expect(await runErrorOf(getGroup({ uid: [...pieces, bad].join("/") }))).toContain("Nothing was sent.");
      }),
      { seed: 7, numRuns: 50 },
    );
  });
});

describe("lists", () => {
  test.each([0, 201, -1, 1.5, Number.NaN, Infinity, "50"])("a page size of %p is refused", async (pageSize) => {
    expect(await runErrorOf(untyped(getGroups)({ pageSize }))).toMatch(/^getGroups: pageSize must .* 1 to 200\./);
  });

  test.each(["", "name descending", "name,uid", " desc", 'name" or'])("an order of %j is refused", async (orderBy) => {
    expect(await runErrorOf(getGroups({ orderBy }))).toContain("orderBy must be a field");
  });

  const states = "REVIEW_STATE_PENDING, REVIEW_STATE_APPROVED, ";
  const types = "EVENT_TYPE_FILTER_DETECTION, EVENT_TYPE_FILTER_TRUE_POSITIVE_DETERMINATION, ";
  const [advisories, origin] = [untyped(getAdvisories), "artifactNames must be omitted if origin is set."];
  test.each<[string, () => Promise<unknown>, string]>([
    ["an empty name", () => getGroups({ name: "" }), "name must not be empty."],
    ["an empty filter", () => getAdvisories({ query: "" }), "query must not be empty."],
    ["an empty list", () => getAdvisories({ artifactNames: [] }), "artifactNames must not be empty; omit it"],
    ["text where a list is meant", () => advisories({ aliases: "CVE-1" }), "aliases must be a list."],
    ["text where a flag is meant", () => untyped(getTags)({ includeDates: "yes" }), "includeDates must be true or false."],
    ["a time without a zone", () => getTags({ updatedSince: "2026-01-01" }), "updatedSince must be an RFC 3339 time"],
    ["null", () => untyped(getGroups)({ name: null }), "name must be a string."],
    ["names of artifacts beside the origin", () => advisories({ origin: "a", artifactNames: ["b"] }), origin],
    ["a type of events that is none", () => advisories({ eventTypes: ["FIXED"] }), `eventTypes.0 must be one of ${types}`],
    ["no type of events", () => advisories({ latestEventType: "" }), `latestEventType must be one of ${types}`],
    ["an unknown state", () => advisories({ eventReviewStates: ["APPROVED"] }), `eventReviewStates.0 must be one of ${states}`],
  ])("%s is rejected", async (_what, read, expected) => {
    expect(await runErrorOf(read())).toContain(expected);
  });

  test("everything that is wrong is reported at once", async () => {
    const message = await runErrorOf(untyped(getGroups)({ pageSize: 0, childrenOf: "", nmae: "x" }));
    expect(message).toContain("pageSize must");
    expect(message).toContain("childrenOf must not be empty.");
    expect(message).toContain('did you mean "name"?');
  });
});

test.each([
  ["a name", { childrenOf: "acme" }, 'childrenOf "acme"'],
  ["a path", { descendantsOf: "acme/shop" }, 'descendantsOf "acme/shop"'],
])("%s where a List takes a uid is rejected: the platform would answer with an empty list", async (_what, args, named) => {
  expect(await runErrorOf(getGroups(args))).toMatch(new RegExp(`^getGroups: ${named} is not .* uid.* Pass a uid`));
});

describe("singular data sources take exactly one of their alternatives", () => {
  test.each(byName(singular))("%s without any argument, or null, names both forms", async (name, call) => {
    expect(await runErrorOf(call(null))).toBe(await runErrorOf(call({})));
    expect(await runErrorOf(call({}))).toMatch(new RegExp(`^${name}: which .*\\? Pass \\{ uid \\} or \\{ .+ \\}\\.`));
  });

  test.each<[string, object, string]>([
    ["both", { name: "a", parentUid: "b", parentPath: "c" }, "parentUid must be omitted if parentPath is set."],
    ["beside a uid", { uid: "a", parentPath: "c" }, "parentPath must be omitted if uid is set."],
    ["empty", { name: "a", parentPath: "" }, "parentPath must not be empty."],
    ["with an empty name", { name: "a", parentPath: "b//c" }, 'parentPath "b//c" must be names joined by single slashes'],
  ])("a parentPath is rejected: %s", async (_what, args, expected) => {
    expect(await runErrorOf(untyped(getGroup)(args))).toContain(expected);
  });

  test("a role binding needs parentUid or parentPath", async () => {
    expect(await runErrorOf(untyped(getRoleBinding)({}))).toContain("{ parentUid or parentPath, identityUid, roleUid }.");
    expect(await runErrorOf(untyped(getRoleBinding)({ identityUid: "a", roleUid: "b" }))).toContain("parentUid is required.");
  });

  test("which is optional is shown", async () => {
    expect(await runErrorOf(untyped(getRole)({}))).toContain("Pass { uid } or { name, parentUid? or parentPath? }.");
    expect(await runErrorOf(untyped(getRole)({ uid: undefined }))).toContain(
      "Pass { uid } or { name, parentUid? or parentPath? }.",
    );
  });

  test("both are rejected", async () => {
    expect(await runErrorOf(untyped(getGroup)({ uid: "a", name: "b" }))).toContain("name must be omitted if uid is set.");
  });

  test.each([
    [getGroup, { parentUid: "a" }, "name is required."],
    [getTag, { name: "a" }, "repoUid is required."],
    [getRoleBinding, { parentUid: "a", roleUid: "b" }, "identityUid is required."],
  ])("%p %j is half of one", async (call, args, expected) => {
    expect(await runErrorOf(untyped(call)(args))).toContain(expected);
  });
});

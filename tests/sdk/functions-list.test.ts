import { getAdvisories, getGroups, getIdentities, getRepos, getRoleBindings, getRoles, getTags } from "../../sdk";
import { parametersOf, usePlatform } from "./support";

const { platform } = usePlatform();

/** Every plural data source with the rows of its answer. */
const lists: [string, (args?: { pageSize?: number; orderBy?: string }) => Promise<{ uid: string }[]>][] = [
  ["groups", async (args) => (await getGroups(args)).groups],
  ["identities", async (args) => (await getIdentities(args)).identities],
  ["roles", async (args) => (await getRoles(args)).roles],
  ["roleBindings", async (args) => (await getRoleBindings(args)).roleBindings],
  ["repos", async (args) => (await getRepos(args)).repos],
  ["tags", async (args) => (await getTags({ ...args, includeDates: true, includeEpochs: true, includeReferrers: true })).tags],
  ["advisories", async (args) => (await getAdvisories(args)).advisories],
];

let engineering: string;

beforeAll(async () => {
  engineering = (await platform.create("groups", platform.root, { name: "engineering" })).uid;
  const [first = ""] = await Promise.all(
    ["storage", "network"].map(async (name) => (await platform.create("groups", engineering, { name })).uid),
  );
  const identity = await platform.create("identities", first, {
    name: "ci",
    claimMatch: { issuer: "https://issuer.example.com", subject: "repo:acme/storage" },
  });
  await platform.create("identities", first, { name: "cloud", awsIdentity: { awsAccount: "123456789012", arn: "arn:aws:x" } });
  await platform.create("roleBindings", first, { identityUid: identity.uid, roleUid: await platform.role("viewer") });
  await platform.create("roles", engineering, { name: "releaser", capabilities: ["CAP_REPO_LIST"] });
});

beforeEach(() => platform.clearRequests());

test.each(lists)(
  "every page of %s is read, two rows at a time, each row once and in the order of the uids",
  async (collection, list) => {
    const expected = (await platform.objects(collection)).map((row) => row.uid);
    const rows = (await list({ pageSize: 2 })).map((row) => row.uid);
    expect(rows).toEqual(expected);
    expect(expected.length).toBeGreaterThan(1);
  },
);

describe("filters are sent in the platform's spelling", () => {
  const someUid = "0123456789abcdef0123456789abcdef01234567";
  const bound = { identity: someUid, group: "g", role: "r" };
  const updatedSince = "2026-01-01T00:00:00Z";
  const advisories: NonNullable<Parameters<typeof getAdvisories>[0]> = {
    advisoryIds: ["a", "b"],
    legacyAdvisoryIds: ["c"],
    artifactNames: ["d"],
    artifactTypes: ["e"],
    artifactArchitectures: ["f"],
    componentNames: ["g"],
    componentTypes: ["h"],
    componentLocations: ["i"],
    aliases: ["j"],
    eventReviewStates: ["REVIEW_STATE_APPROVED"],
    eventAuthors: ["l"],
    excludeEventAuthors: ["m"],
    eventReviewers: ["n"],
    eventTypes: ["EVENT_TYPE_FILTER_FIXED", "EVENT_TYPE_FILTER_PATCHED"],
    latestEventType: "EVENT_TYPE_FILTER_FIXED",
    query: "o",
  };
  const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  test.each<[string, () => Promise<unknown>, Record<string, string | string[]>]>([
    ["descendantsOf", () => getGroups({ descendantsOf: someUid }), { "uidp.descendants_of": someUid }],
    ["childrenOf", () => getRepos({ childrenOf: someUid }), { "uidp.children_of": someUid }],
    ["ancestorsOf", () => getGroups({ ancestorsOf: someUid }), { "uidp.ancestors_of": someUid }],
    ["inRoot", () => getRoles({ inRoot: true }), { "uidp.in_root": "true" }],
    ["uids", () => getGroups({ uids: [someUid, "other"] }), { "uidp.ids": [someUid, "other"] }],
    ["name of groups", () => getGroups({ name: "a b" }), { name: "a b" }],
    ["orderBy and pageSize", () => getGroups({ orderBy: "name desc", pageSize: 7 }), { order_by: "name desc", page_size: "7" }],
    ["those of role bindings", () => getRoleBindings(bound), bound],
    ["name and digest of tags", () => getTags({ name: "latest", digest: "sha256:00" }), { name: "latest", digest: "sha256:00" }],
    ["the age of tags", () => getTags({ updatedSince }), { updated_since: updatedSince }],
    [
      "the sorts of tags",
      () => getTags({ includeReferrers: true, includeDates: true, includeEpochs: false }),
      { include_referrers: "true", include_dates: "true", include_epochs: "false" },
    ],
    [
      "those of advisories",
      () => getAdvisories(advisories),
      Object.fromEntries(
        Object.entries(advisories as Record<string, string | string[]>).map(([name, value]) => [
          snakeCase(name),
          value.length > 1 ? value : String(value),
        ]),
      ),
    ],
    ["origin of advisories", () => getAdvisories({ origin: "k" }), { origin: "k" }],
  ])("%s", async (_filter, read, expected) => {
    await read();
    const [request] = await platform.requests();
    expect(request?.status).toBe(200);
    expect(parametersOf(request?.query ?? "")).toEqual({ page_size: "200", ...expected });
  });

  test("a filter that is undefined is not sent", async () => {
    await getGroups({ name: undefined, childrenOf: engineering });
    const [request] = await platform.requests();
    expect(parametersOf(request?.query ?? "")).toEqual({ page_size: "200", "uidp.children_of": engineering });
  });
});

describe("what the platform hides or leaves empty", () => {
  test("a role binding shows the uids of what it binds, which the platform leaves empty", async () => {
    const viewer = await platform.role("viewer");
    const { roleBindings } = await getRoleBindings({ role: viewer, descendantsOf: engineering });
    expect(roleBindings).toHaveLength(1);
    expect(roleBindings[0]).toMatchObject({ identity: { name: "ci" }, role: { name: "viewer" }, roleUid: viewer });
    expect(roleBindings[0]?.identityUid).toBe(roleBindings[0]?.identity?.uid);
  });

  test("tags of the sorts that lists hide come when they are asked for", async () => {
    const repo = (await platform.named("repos", "static")).uid;
    const names = async (args: object) => (await getTags({ childrenOf: repo, ...args })).tags.map((tag) => tag.name).sort();
    expect(await names({})).toEqual(["1.0", "1.1", "latest"]);
    expect(await names({ includeDates: true })).toContain("1.1-20260104");
    expect(await names({ includeEpochs: true })).toContain("1.1-r2");
    expect((await names({ includeReferrers: true })).some((name) => name.startsWith("sha256-"))).toBe(true);
  });
});

describe("a value of an enum that is newer than the package", () => {
  test.each<[string, () => Promise<unknown>]>([
    ["a form of identities", () => getIdentities({ relationshipType: "RELATIONSHIP_TYPE_PASSKEY" })],
    ["a type of events", () => getAdvisories({ eventTypes: ["EVENT_TYPE_FILTER_FIXED", "EVENT_TYPE_FILTER_DISPUTED"] })],
    ["the latest type of events", () => getAdvisories({ latestEventType: "EVENT_TYPE_FILTER_DISPUTED" })],
    ["a state of reviews", () => getAdvisories({ eventReviewStates: ["REVIEW_STATE_DEFERRED"] })],
  ])("%s, is rejected by a platform that does not know it, not by the package", async (_what, read) => {
    await expect(read()).rejects.toThrow("INVALID_ARGUMENT");
    expect(await platform.requests()).toHaveLength(1);
  });
});

test("null counts as no arguments", async () => {
  const { groups } = await getGroups();
  const untyped: (args: never) => Promise<unknown> = getGroups;
  expect(await untyped(null as never)).toEqual({ groups });
});

test("nothing that matches is an empty list, not an error", async () => {
  expect(await getGroups({ name: "nobody" })).toEqual({ groups: [] });
});

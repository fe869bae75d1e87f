import { getAdvisories, getGroup, getGroups, getIdentities, getRepos, getRoleBindings, getRoles, getTags } from "../../sdk";
import { withConcurrency } from "../support/concurrency";
import { parametersOf, usePlatform } from "./support";

const { platform, configure } = usePlatform();

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
let teams: string[];

beforeAll(async () => {
  engineering = (await platform.create("groups", platform.root, { name: "engineering" })).uid;
  teams = [];
  for (const [second, name] of ["storage", "network", "payments", "billing", "search"].entries()) {
    const createTime = `2031-01-01T00:00:0${second}.000Z`;
    teams.push((await platform.create("groups", engineering, { name, createTime })).uid);
  }
  const first = teams[0] ?? "";
  const identity = await platform.create("identities", first, {
    name: "ci",
    claimMatch: { issuer: "https://issuer.example.com", subject: "repo:acme/storage" },
  });
  await platform.create("identities", first, { name: "cloud", awsIdentity: { awsAccount: "123456789012", arn: "arn:aws:x" } });
  await platform.create("roleBindings", first, { identityUid: identity.uid, roleUid: await platform.role("viewer") });
  await platform.create("roles", engineering, { name: "releaser", capabilities: ["CAP_REPO_LIST"] });
});

beforeEach(() => platform.clearRequests());

type Scope = Parameters<typeof getGroups>[0];
const namesOf = async (scope: Scope) => (await getGroups(scope)).groups.map(({ name }) => name);
const uidsOf = async (scope: Scope) => (await getGroups(scope)).groups.map(({ uid }) => uid);

describe("every page", () => {
  test.each(lists)("of %s is read, two rows at a time, each row once and in the order of the uids", async (collection, list) => {
    const expected = (await platform.objects(collection)).map((row) => row.uid);
    const rows = (await list({ pageSize: 2 })).map((row) => row.uid);
    expect(rows).toEqual(expected);
    expect(expected.length).toBeGreaterThan(1);
  });

  test.each(["v2beta1", "v2"])("is read in version %s of the API", async (version) => {
    configure({ "platform:apiVersion": version });
    expect(await uidsOf({ childrenOf: engineering })).toHaveLength(teams.length);
    const paths = (await platform.requests()).map((request) => request.path);
    expect(new Set(paths)).toEqual(new Set([`/iam/${version}/groups`]));
    configure();
  });

  test("of more rows than a page can have is read", async () => {
    const crowd = (await platform.create("groups", platform.root, { name: "crowd" })).uid;
    const names = Array.from({ length: 205 }, (_, index) => `member ${String(index).padStart(3, "0")}`);
    await withConcurrency(names, (name) => platform.create("groups", crowd, { name }));
    expect(await namesOf({ childrenOf: crowd, orderBy: "name desc" })).toEqual(names.toReversed());
    await platform.delete("groups", crowd);
  });

  test("is read where the platform leaves out totals and empty members", async () => {
    await platform.settings({ omitDefaults: true });
    const { groups } = await getGroups({ childrenOf: engineering, pageSize: 2 });
    expect(groups).toMatchObject(teams.map(() => ({ description: "", verified: false })));
    await platform.settings({ omitDefaults: false });
  });
});

test.each([
  ["name", ["billing", "network", "payments", "search", "storage"]],
  ["name desc", ["storage", "search", "payments", "network", "billing"]],
  ["created_at", ["storage", "network", "payments", "billing", "search"]],
])("the order by %s is the platform's, across pages", async (orderBy, expected) => {
  expect(await namesOf({ childrenOf: engineering, orderBy, pageSize: 2 })).toEqual(expected);
});

describe("filters are sent in the platform's spelling", () => {
  const someUid = "0123456789abcdef0123456789abcdef01234567";
  const bound = { identity: someUid, group: "g", role: "r" };
  const updatedSince = "2026-01-01T00:00:00Z";
  const advisories = {
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
  } as const;
  const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  test.each<[string, () => Promise<unknown>, Record<string, string | string[]>]>([
    ["descendantsOf", () => getGroups({ descendantsOf: someUid }), { "uidp.descendants_of": someUid }],
    ["childrenOf", () => getRepos({ childrenOf: someUid }), { "uidp.children_of": someUid }],
    ["ancestorsOf", () => getGroups({ ancestorsOf: someUid }), { "uidp.ancestors_of": someUid }],
    ["inRoot", () => getRoles({ inRoot: true }), { "uidp.in_root": "true" }],
    ["uids", () => getGroups({ uids: [someUid, "other"] }), { "uidp.ids": [someUid, "other"] }],
    ["name of groups", () => getGroups({ name: "a b" }), { name: "a b" }],
    ["name of identities", () => getIdentities({ name: "A+B&c" }), { name: "A+B&c" }],
    ["name of roles", () => getRoles({ name: "viewer" }), { name: "viewer" }],
    ["name of repos", () => getRepos({ name: "static" }), { name: "static" }],
    ["orderBy and pageSize", () => getGroups({ orderBy: "name desc", pageSize: 7 }), { order_by: "name desc", page_size: "7" }],
    ["those of role bindings", () => getRoleBindings(bound), bound],
    ["name and digest of tags", () => getTags({ name: "latest", digest: "sha256:00" }), { name: "latest", digest: "sha256:00" }],
    ["the age of tags", () => getTags({ updatedSince }), { updated_since: updatedSince }],
    [
      "the sorts of tags",
      () => getTags({ includeReferrers: true, includeDates: true, includeEpochs: false }),
      { include_referrers: "true", include_dates: "true", include_epochs: "false" },
    ],
    ...Object.entries(advisories).map(([name, value]): [string, () => Promise<unknown>, Record<string, string | string[]>] => [
      `${name} of advisories`,
      () => getAdvisories({ [name]: value }),
      { [snakeCase(name)]: typeof value === "string" || value.length > 1 ? (value as string) : String(value) },
    ]),
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

describe("filters hold", () => {
  test("name", async () => {
    expect((await getGroups({ name: "storage" })).groups).toMatchObject([{ uid: teams[0], name: "storage" }]);
  });

  test("descendantsOf is the whole tree below, childrenOf one level", async () => {
    expect(await uidsOf({ descendantsOf: platform.root })).toHaveLength(1 + teams.length);
    expect(await uidsOf({ childrenOf: platform.root })).toEqual([engineering]);
  });

  test("ancestorsOf is the way up", async () => {
    expect(await uidsOf({ ancestorsOf: teams[0] ?? "" })).toEqual([platform.root, engineering]);
  });

  test("inRoot leaves custom roles out", async () => {
    const { roles } = await getRoles({ inRoot: true });
    expect(roles.map((role) => role.name)).toEqual(expect.arrayContaining(["viewer", "editor", "owner"]));
    expect(roles.filter((role) => role.uid.includes("/"))).toEqual([]);
  });

  test("uids select exactly those, and no uid selects nothing", async () => {
    const wanted = teams.slice(0, 2).sort();
    expect((await uidsOf({ uids: wanted })).sort()).toEqual(wanted);
    expect(await getGroups({ uids: [] })).toEqual({ groups: [] });
  });

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

  test("advisories by artifact and by what happened last", async () => {
    const { advisories } = await getAdvisories({ artifactNames: ["web-server"], latestEventType: "EVENT_TYPE_FILTER_FIXED" });
    expect(advisories.map((advisory) => advisory.advisoryId)).toEqual(["ADV-2026-0001"]);
    const found = await getAdvisories({ query: "PLANNER" });
    expect(found.advisories.map((advisory) => advisory.componentName)).toEqual(["planner"]);
  });

  test("also where the platform ignores them and answers everything", async () => {
    const everything = await platform.objects("groups");
    await platform.fault(
      { method: "GET", path: "/iam/v2beta1/groups$" },
      { rewrite: { groups: everything, totalCount: String(everything.length), nextPageToken: "" } },
      { times: 3 },
    );
    expect(await uidsOf({ name: "storage" })).toEqual([teams[0]]);
    expect(await uidsOf({ childrenOf: engineering })).toHaveLength(teams.length);
    expect(await uidsOf({ uids: [engineering] })).toEqual([engineering]);
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

  test("in a result is passed on", async () => {
    const [first] = await platform.objects("groups");
    await platform.fault({ path: "/iam/v2beta1/groups/" }, { rewrite: { kind: "ORG_KIND_GALAXY", moons: 3 } });
    expect(await getGroup({ uid: first?.uid ?? "" })).toMatchObject({ kind: "ORG_KIND_GALAXY", moons: 3 });
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

import { getAdvisory, getGroup, getIdentity, getRepo, getRole, getRoleBinding, getTag } from "../../sdk";
import { parametersOf, runErrorOf, usePlatform } from "./support";

const { platform, configure } = usePlatform();

let east: string;
let west: string;
let pipeline: string;
let viewer: string;
let binding: string;
let repo: string;

beforeAll(async () => {
  east = (await platform.create("groups", platform.root, { name: "east" })).uid;
  west = (await platform.create("groups", platform.root, { name: "west" })).uid;
  for (const parent of [east, west]) {
    await platform.create("groups", parent, { name: "team" });
    await platform.create("roles", parent, { name: "releaser", capabilities: ["CAP_REPO_LIST"] });
    await platform.create("repos", parent, { name: "images" });
  }
  await platform.create("roles", west, { name: "viewer", description: "not the built-in one", capabilities: ["CAP_REPO_LIST"] });
  const claimMatch = { issuer: "https://issuer.example.com", subject: "repo:acme/east" };
  pipeline = (await platform.create("identities", east, { name: "pipeline", claimMatch })).uid;
  viewer = (await platform.objects("roles")).find((role) => role.name === "viewer" && !role.uid.includes("/"))?.uid ?? "";
  // The same identity has another role in the same group, and another one has the same role there.
  const stranger = (await platform.create("identities", east, { name: "stranger", claimMatch })).uid;
  await platform.create("roleBindings", east, { identityUid: pipeline, roleUid: await platform.role("editor") });
  await platform.create("roleBindings", east, { identityUid: stranger, roleUid: viewer });
  binding = (await platform.create("roleBindings", east, { identityUid: pipeline, roleUid: viewer })).uid;
  await platform.create("advisories", platform.root, { advisoryId: "ADV-2026-0004-2", componentName: "of a longer id" });
  repo = (await platform.named("repos", "static")).uid;
});

beforeEach(() => platform.clearRequests());

test("by uid, one GET gives the flat object", async () => {
  expect(await getRoleBinding({ uid: binding })).toMatchObject({ uid: binding });
  expect((await platform.requests()).map(({ path }) => path)).toEqual([`/iam/v2beta1/roleBindings/${binding}`]);
});

describe("by natural key", () => {
  test("a group, an identity and a repo by name, anywhere or in one group", async () => {
    expect(await getGroup({ name: "east" })).toMatchObject({ uid: east, name: "east", verified: false, resourceLimits: {} });
    expect(await getIdentity({ name: "pipeline" })).toMatchObject({ uid: pipeline, claimMatch: { subject: "repo:acme/east" } });
    expect(await getIdentity({ name: "pipeline", parentUid: east })).toMatchObject({ uid: pipeline });
    expect(await getRepo({ name: "static" })).toMatchObject({ uid: repo, catalogTier: "CATALOG_TIER_BASE" });
    expect((await getRepo({ name: "images", parentUid: west })).uid).toMatch(`${west}/`);
    expect((await getGroup({ name: "team", parentUid: east })).uid).toMatch(`${east}/`);
  });

  test("parentPath is the path of the parent, and counts as its uid", async () => {
    const parentPath = "acme.example/east";
    expect((await getGroup({ name: "team", parentPath })).uid).toMatch(`${east}/`);
    expect(await getIdentity({ name: "pipeline", parentPath })).toMatchObject({ uid: pipeline });
    expect((await getRole({ name: "releaser", parentPath: "acme.example/west" })).uid).toMatch(`${west}/`);
    expect(await getRoleBinding({ parentPath, identityUid: pipeline, roleUid: viewer })).toMatchObject({ uid: binding });
    expect(await getGroup({ name: "east", parentPath: "acme.example" })).toMatchObject({ uid: east });
  });

  test("a path that leads nowhere says how far it exists, and what a program does that declares the group", async () => {
    expect(await runErrorOf(getGroup({ name: "team", parentPath: "acme.example/easter" }))).toMatch(
      /^getGroup: parentPath "acme\.example\/easter": "acme\.example" exists \(.*Did you mean "east"\?\nIf this program declares the group, pass the `uid` of that resource as parentUid\.$/,
    );
    expect(await runErrorOf(getGroup({ name: "teams", parentPath: "acme.example/east" }))).toMatch(
      /^getGroup: no group with name "teams" and parentPath "acme\.example\/east" is visible to these credentials\. Did you mean name "team"\?/,
    );
  });

  test("an argument that is undefined counts as left out", async () => {
    expect(await getGroup({ name: "east", parentUid: undefined })).toMatchObject({ uid: east });
  });

  test("a role by name is the built-in one, unless a group is named", async () => {
    expect(await getRole({ name: "viewer" })).toMatchObject({ uid: viewer });
    expect((await getRole({ name: "viewer" })).capabilities).toContain("CAP_IAM_GROUPS_LIST");
    expect(await getRole({ name: "viewer", parentUid: west })).toMatchObject({ description: "not the built-in one" });
  });

  test.each([
    ["no built-in role of that name", "viewer", (uid: string) => ({ uid, name: "another" })],
    ["no built-in role", "only-here", (uid: string) => ({ uid: `${west}/${uid.slice(0, 16)}` })],
  ])("a custom role is never taken for a built-in one where the platform shows %s", async (why, name, hidden) => {
    const custom = await platform.create("roles", east, { name, capabilities: ["CAP_REPO_LIST"] });
    const rows = (await platform.objects("roles")).filter(({ uid }) => uid.includes("/") || uid !== viewer);
    const shown = rows.map((row) => (row.uid.includes("/") ? row : { ...row, ...hidden(row.uid) }));
    const named = shown.filter((row) => row.name === name);
    await platform.fault({ path: "/roles$", query: "name=" }, { rewrite: { roles: named, totalCount: null } }, { times: 0 });
    await platform.fault({ path: "/roles$" }, { rewrite: { roles: shown, totalCount: null } }, { times: 0 });
    try {
      expect(await runErrorOf(getRole({ name }))).toMatch(
        new RegExp(`^getRole: name "${name}": .* ${why}\\. Pass .* as uid\\.$`),
      );
      expect(await getRole({ name, parentUid: east })).toMatchObject({ uid: custom.uid });
    } finally {
      await platform.clearFaults();
      await platform.delete("roles", custom.uid);
    }
  });

  test("a role binding by what it binds", async () => {
    expect(await getRoleBinding({ parentUid: east, identityUid: pipeline, roleUid: viewer })).toMatchObject({
      uid: binding,
      identityUid: pipeline,
      roleUid: viewer,
      identity: { name: "pipeline", subject: "repo:acme/east" },
      group: { name: "east" },
      role: { name: "viewer" },
    });
  });

  test.each(["latest", "1.1-20260104", "1.1-r2"])("the tag %s, hidden from plain lists or not", async (name) => {
    expect(await getTag({ name, repoUid: repo })).toMatchObject({ name });
    const [request] = await platform.requests();
    expect(parametersOf(request?.query ?? "")).toMatchObject({
      name,
      "uidp.children_of": repo,
      include_referrers: "true",
      include_dates: "true",
      include_epochs: "true",
    });
  });

  test("a referrer tag", async () => {
    const hidden = (await platform.objects("tags")).find((tag) => tag.name.startsWith("sha256-") && tag.uid.startsWith(repo));
    expect(await getTag({ name: hidden?.name ?? "", repoUid: repo })).toMatchObject({ uid: hidden?.uid });
  });

  test("an advisory by its published id", async () => {
    expect(await getAdvisory({ advisoryId: "ADV-2026-0004" })).toMatchObject({
      artifactName: "sql-database",
      componentName: "tls",
    });
  });

  test.each(["v2beta1", "v2"])("in version %s of the API", async (version) => {
    configure({ "platform:apiVersion": version });
    expect(await getGroup({ name: "east" })).toMatchObject({ uid: east });
    expect(await getGroup({ uid: east })).toMatchObject({ name: "east" });
    expect((await platform.requests()).every((request) => request.path.startsWith(`/iam/${version}/groups`))).toBe(true);
    configure();
  });
});

test("in the version that the platform serves, which is asked for once", async () => {
  configure({ "platform:apiVersion": "auto" });
  expect(await getGroup({ name: "east" })).toMatchObject({ uid: east });
  expect(await getGroup({ uid: east })).toMatchObject({ name: "east" });
  const paths = (await platform.requests()).map(({ path }) => path);
  expect(paths).toEqual(["/ping/v2/ping", "/iam/v2/groups", `/iam/v2/groups/${east}`]);
  configure();
});

describe("none is an error that says what was looked for and where", () => {
  const absent = () => `${east}/0000000000000000`;
  const unbound = () => ({ parentUid: west, identityUid: pipeline, roleUid: viewer });
  test.each<[string, () => Promise<unknown>, () => string]>([
    ["anywhere", () => getGroup({ name: "noone" }), () => 'getGroup: no group with name "noone" '],
    [
      "in a group",
      () => getIdentity({ name: "pipeline", parentUid: west }),
      () => `getIdentity: no identity with name "pipeline" and parentUid "${west}" `,
    ],
    ["in a repo", () => getTag({ name: "9", repoUid: repo }), () => `getTag: no tag with name "9" and repoUid "${repo}" `],
    ["bound", () => getRoleBinding(unbound()), () => `identityUid "${pipeline}" and roleUid "${viewer}" `],
    ["advised", () => getAdvisory({ advisoryId: "ADV-1" }), () => 'no advisory with advisoryId "ADV-1" '],
    ["by uid", () => getGroup({ uid: absent() }), () => `getGroup: no group ${absent()} `],
  ])("%s", async (where, read, expected) => {
    const message = await runErrorOf(read());
    expect(message).toContain(`${expected()}is visible`);
    expect(message.includes(", anywhere")).toBe(where === "anywhere");
  });

  test("a name that is nearly right is answered with a suggestion", async () => {
    expect(await runErrorOf(getRole({ name: "viewr" }))).toMatch(/no role with name "viewr" .* Did you mean name "viewer"\?/);
    expect(await runErrorOf(getRole({ name: "superuser" }))).not.toContain("Did you mean");
  });
});

describe("several are an error that names them and says how to narrow the search", () => {
  test("groups", async () => {
    const uids = (await platform.objects("groups")).filter((group) => group.name === "team").map((group) => group.uid);
    const message = await runErrorOf(getGroup({ name: "team" }));
    for (const part of ["getGroup: there are 2 ", '"team"', uids.join(" and "), "by parentUid, parentPath or uid."])
      expect(message).toContain(part);
  });

  test("custom roles, where no built-in one has the name", async () => {
    expect(await runErrorOf(getRole({ name: "releaser" }))).toMatch(/^getRole: there are 2 .*by parentUid, parentPath or uid\.$/);
    expect(await getRole({ name: "releaser", parentUid: west })).toMatchObject({ name: "releaser" });
  });

  test("two in one place, which only the uid distinguishes", async () => {
    await platform.create("repos", west, { name: "twin" });
    await platform.create("repos", west, { name: "twin" });
    expect(await runErrorOf(getRepo({ name: "twin", parentUid: west }))).toMatch(/there are 2 .*Name the one you mean by uid\.$/);
  });

  test("too many to read are counted", async () => {
    const crowd = (await platform.create("groups", platform.root, { name: "crowd" })).uid;
    for (let count = 0; count < 12; count++) await platform.create("groups", crowd, { name: "many" });
    const message = await runErrorOf(getGroup({ name: "many" }));
    expect(message).toMatch(/there are 12 .* and 2 more\./);
    expect(message.match(new RegExp(`${crowd}/`, "g"))).toHaveLength(10);
  });
});

describe("what the platform rejects", () => {
  test("is an error that names the data source and keeps the platform's message", async () => {
    await platform.fault({ path: "/iam/v2beta1/groups" }, { status: 403, code: 7, message: "not for you" });
    expect(await runErrorOf(getGroup({ uid: east }))).toMatch(/^getGroup: not for you/);
  });

  test("an answer about another object is not taken", async () => {
    await platform.fault({ path: "/iam/v2beta1/groups/" }, { rewrite: { uid: west } });
    expect(await runErrorOf(getGroup({ uid: east }))).toContain(`returned ${west}`);
  });

  test("a transient fault is retried", async () => {
    await platform.fault({ path: "/iam/v2beta1/groups" }, { status: 503, code: 14, message: "busy" });
    expect(await getGroup({ name: "east" })).toMatchObject({ uid: east });
  });
});

import { accessIn } from "../../access/effective";
import { connect, readConfiguration } from "../../provider/credentials";
import { listedKinds } from "../../inventory/kinds";
import { type PlatformInventory, readInventory } from "../../inventory/platform";
import { platformSnapshot } from "../../inventory/platform-snapshot";
import type { Reader } from "../../inventory/rows";
import { TestPlatform } from "../support/test-platform";

const claimMatch = { issuer: "https://issuer.example.com", subject: "someone" };

const platform = TestPlatform.forFile();
const uids = new Map<string, string>();
/** The uid of what the tests call `name`. */
const uid = (name: string) => uids.get(name) ?? "";

beforeAll(async () => {
  const make = async (name: string, kind: string, parent: string, fields: object) => {
    const made = await platform.create(kind, parent, fields);
    uids.set(name, made.uid);
    return made.uid;
  };
  const viewer = await platform.role("viewer");
  const team = await make("team", "groups", platform.root, { name: "team" });
  const shop = await make("shop", "groups", team, { name: "shop" });
  const ci = await make("ci", "identities", team, { name: "ci", claimMatch });
  await make("ci-viewer", "roleBindings", shop, { identityUid: ci, roleUid: viewer });
  const repo = await make("images", "repos", shop, { name: "images" });
  await make("latest", "tags", repo, { name: "latest", digest: `sha256:${"0".repeat(64)}` });
  await make("events group", "groups", shop, { name: "events" });
  await make("events", "subscriptions", shop, { sink: "https://sink.example.com" });
  await make("shop account", "accountAssociations", shop, { name: "shop", amazon: { account: "2".repeat(12) } });
  const oidc = { issuer: "https://sso.example.com", clientId: "c", pkceEnabled: true };
  const sso = await make("sso", "identityProviders", platform.root, { name: "sso", oidc, defaultRole: viewer });
  await make("admins", "externalGroupRoleMappings", sso, { externalGroupId: "admins", roleUid: viewer, scope: platform.root });
  await make("puller", "roles", team, { name: "puller", capabilities: ["CAP_REPO_LIST"] });
  await make("invite", "groupInvites", shop, { roleUid: viewer, ttl: "3600s" });
});

afterEach(() => platform.clearFaults());

const clientOf = (environment: Record<string, string> = {}) =>
  connect(readConfiguration(undefined, { ...platform.environment, ...environment }));

let readers = 0;
/** A client of an identity with `roles`, each in a group. @param isKnown whether the client knows whose its token is */
async function as(roles: readonly (readonly [string, string])[], isKnown = true): Promise<Reader> {
  const reader = await platform.create("identities", platform.root, { name: `reader-${++readers}`, claimMatch });
  for (const [role, group] of roles)
    await platform.create("roleBindings", group, { identityUid: reader.uid, roleUid: await platform.role(role) });
  const client = connect(
    readConfiguration(undefined, {
      PLATFORM_BASE_URL: platform.baseUrl,
      PLATFORM_TOKEN: await platform.apiToken({ identity: reader.uid }),
    }),
  );
  return {
    get requests() {
      return client.requests;
    },
    list: client.list.bind(client),
    listReadable: client.listReadable.bind(client),
    caller: () => Promise.resolve(isKnown ? { uid: reader.uid, from: "token" as const } : undefined),
  };
}

const found = (inventory: PlatformInventory) => inventory.objects.all.map(({ kind, uid: each }) => `${kind} ${each}`);

test("every object of every declared kind below the root is found, whatever its place", async () => {
  const inventory = await readInventory(clientOf(), platform.root);
  const wanted = [];
  for (const [kind, { collection, sharesUid }] of listedKinds)
    for (const row of await platform.objects(collection.segment))
      if (row.uid === platform.root ? kind === "iam:Group" || sharesUid : row.uid.startsWith(`${platform.root}/`))
        wanted.push(`${kind} ${row.uid}`);
  expect(found(inventory).sort()).toEqual(wanted.sort());
  expect([...new Set(inventory.objects.all.map(({ kind }) => kind))].sort()).toEqual([...listedKinds.keys()].sort());
  expect(inventory.unreadable).toEqual([]);
});

test("objects have paths of names, the group that they are in, and the inputs that would declare them", async () => {
  const { objects, around } = await readInventory(clientOf(), platform.root);
  const { name } = await platform.named("groups", "acme.example");
  const of = (kind: string, called: string) => objects.get(kind, uid(called));
  expect(of("iam:Identity", "ci")).toMatchObject({
    name: "ci",
    path: `${name}/team/ci`,
    place: uid("team"),
    value: { parentUid: uid("team"), name: "ci", claimMatch },
  });
  expect(of("registry:Tag", "latest")).toMatchObject({ path: `${name}/team/shop/images/latest`, place: uid("shop") });
  expect(of("iam:RoleBinding", "ci-viewer")).toMatchObject({ path: `${name}/team/shop`, place: uid("shop") });
  expect(of("iam:RoleBinding", "ci-viewer")).not.toHaveProperty("name");
  // A group and its account association share one uid.
  expect(of("iam:AccountAssociation", "shop")).toMatchObject({ path: `${name}/team/shop`, place: uid("shop") });
  expect(of("iam:Group", "shop")).toMatchObject({ path: `${name}/team/shop`, place: uid("team") });
  expect(around.get("iam:Role", await platform.role("viewer"))).toMatchObject({ name: "viewer" });
});

test("a person is known by the login that role bindings show, not by a name that people choose", async () => {
  const login = { issuer: "https://okta.example.com", subject: "eve" };
  const person = await platform.create("identities", "", { name: "zoe", claimMatch: login });
  const bound = { identityUid: person.uid, roleUid: await platform.role("viewer") };
  const binding = await platform.create("roleBindings", uid("shop"), bound);
  const { around } = await readInventory(clientOf(), uid("shop"));
  expect(around.get("iam:Identity", person.uid)).toEqual({
    kind: "iam:Identity",
    uid: person.uid,
    place: undefined,
    value: { claimMatch: login },
    row: { uid: person.uid },
  });
  await platform.delete("roleBindings", binding.uid);
});

test("a part of an organisation is read with the roles granted above it, and nothing beside it", async () => {
  const { objects, around, unreadable } = await readInventory(clientOf(), uid("shop"));
  expect(objects.all.every((object) => `${object.uid}/`.startsWith(`${uid("shop")}/`))).toBe(true);
  expect(around.get("iam:Group", uid("team"))).toMatchObject({ name: "team" });
  expect(around.get("iam:Identity", uid("ci"))?.value).toMatchObject({ claimMatch });
  expect(around.of("iam:RoleBinding").map(({ place }) => place)).toContain(platform.root);
  expect(around.has("iam:ExternalGroupRoleMapping", uid("admins"))).toBe(true);
  expect(unreadable).toEqual([]);
});

test("an identity provider beside the root has its mappings there, and its default role elsewhere", async () => {
  const beside = await platform.create("groups", platform.root, { name: "beside" });
  const oidc = { issuer: "https://beside.example.com", clientId: "c", pkceEnabled: true };
  const defaultRole = await platform.role("apk.pull");
  const provider = await platform.create("identityProviders", beside.uid, { name: "beside", oidc, defaultRole });
  const mapping = { externalGroupId: "beside", roleUid: await platform.role("viewer"), scope: platform.root };
  await platform.create("externalGroupRoleMappings", provider.uid, mapping);
  const client = clientOf();
  const snapshot = platformSnapshot(await readInventory(client, uid("shop")), client.now());
  expect(snapshot.unreadable).toEqual([]);
  expect(accessIn(snapshot, uid("shop"))).toContainEqual(
    expect.objectContaining({
      identity: expect.objectContaining({ identityProviderPath: "acme.example/beside/beside" }) as object,
    }),
  );
  await platform.delete("groups", beside.uid);
});

test("a mapping that does not say where it applies may apply here", async () => {
  const client = clientOf();
  const isMapping = (segment: string) => segment === "externalGroupRoleMappings";
  const listReadable = (async (...[collection, query]: Parameters<Reader["listReadable"]>) => {
    const { rows, unread } = await client.listReadable(collection, query);
    return { rows: rows.map((row) => (isMapping(collection.segment) ? { ...row, scope: "" } : row)), unread };
  }) as Reader["listReadable"];
  const reader = { requests: 0, caller: client.caller.bind(client), list: client.list.bind(client), listReadable };
  const inventory = await readInventory(reader, uid("shop"));
  expect(inventory.around.has("iam:ExternalGroupRoleMapping", uid("admins"))).toBe(true);
  expect(platformSnapshot(inventory, client.now()).unreadable.map(({ what }) => what)).toContain(
    `external group role mapping ${uid("admins")}`,
  );
});

test("only Lists are requested, and every request is counted", async () => {
  await platform.clearRequests();
  const { requests } = await readInventory(clientOf(), platform.root);
  const sent = await platform.requests();
  expect(requests).toBe(sent.length);
  for (const { method, path } of sent) expect([method, path]).toEqual(["GET", expect.stringMatching(/^\/\w+\/v2beta1\/\w+$/)]);
});

test("the number of requests does not grow with the number of objects of one page", async () => {
  const before = await readInventory(clientOf(), uid("team"));
  for (let count = 0; count < 20; count++) await platform.create("groups", uid("team"), { name: `more-${count}` });
  const after = await readInventory(clientOf(), uid("team"));
  expect(after.objects.size).toBe(before.objects.size + 20);
  expect(after.requests).toBe(before.requests);
});

test("a List that is forbidden is unreadable by its kind alone, and shows nothing", async () => {
  await platform.fault({ path: "/roleBindings$", query: "descendants" }, { status: 403, code: 7 }, { times: 0 });
  const inventory = await readInventory(clientOf(), platform.root);
  expect(inventory.unreadable).toEqual([
    {
      kind: "iam:RoleBinding",
      cause: "denied",
      kinds: ["iam:RoleBinding"],
      place: platform.root,
      what: expect.stringMatching(/^roleBindings in acme/) as string,
      reason: expect.stringContaining("CAP_IAM_ROLE_BINDINGS_LIST") as string,
    },
  ]);
  expect(inventory.shows("iam:RoleBinding", `${platform.root}/x`)).toBe(false);
  expect(inventory.shows("iam:Group", `${platform.root}/x`)).toBe(true);
  expect(inventory.objects.of("iam:Group").length).toBeGreaterThan(1);
});

test("an empty List proves nothing to somebody whose roles do not allow it", async () => {
  await platform.create("roles", uid("team"), { name: "groups only", capabilities: ["CAP_IAM_GROUPS_LIST"] });
  const inventory = await readInventory(
    await as([
      ["groups only", uid("shop")],
      ["viewer", uid("events group")],
    ]),
    uid("shop"),
  );
  const ofKind = (kind: string) => inventory.unreadable.find((part) => part.kind === kind);
  expect(ofKind("iam:Group")).toBeUndefined();
  for (const kind of ["iam:Identity", "iam:GroupInvite", "events:Subscription", "registry:Tag"])
    expect(ofKind(kind)).toMatchObject({
      what: expect.stringContaining("outside") as string,
      reason: expect.stringContaining("no role of these credentials") as string,
    });
});

test("a role in one part only leaves the rest unreadable, and says which part is read", async () => {
  const everywhere = [uid("shop"), platform.root].map((group) => ["viewer", group] as const);
  expect((await readInventory(await as(everywhere), platform.root)).unreadable).toEqual([]);
  const partial = await readInventory(await as([["viewer", uid("shop")]]), uid("shop"));
  expect(partial.unreadable.filter(({ kind }) => kind !== undefined)).toEqual([]);
  // Roles granted above are hidden, and that is said too.
  const above = expect.stringMatching(/^roleBindings, .* and externalGroupRoleMappings in .*, above$/) as string;
  expect(partial.unreadable.map(({ what }) => what)).toEqual([above, above]);
});

test("credentials of nobody known prove a List by an object that it shows in the root, or not at all", async () => {
  const inventory = await readInventory(await as([["viewer", platform.root]], false), platform.root);
  const kinds = inventory.unreadable.map(({ kind }) => kind);
  // The organisation has a role binding, an identity and a mapping at its root, and itself.
  for (const proven of ["iam:Group", "iam:Identity", "iam:RoleBinding", "registry:Repo"]) expect(kinds).not.toContain(proven);
  // Custom roles are shown in a group below only, so others may be hidden.
  expect(inventory.unreadable).toEqual([
    {
      kind: "iam:Role",
      kinds: ["iam:Role"],
      place: platform.root,
      what: expect.stringMatching(/^roles in acme.* outside acme[^/]*\/team$/) as string,
      reason: expect.stringContaining("PLATFORM_IDENTITY") as string,
    },
  ]);
  expect(inventory.shows("iam:Role", `${uid("shop")}/x`)).toBe(true);
  expect(inventory.shows("iam:Role", `${platform.root}/x`)).toBe(false);
});

test.each([true, false])("a role that is lost between two Lists leaves nothing proven (caller known: %s)", async (isKnown) => {
  const reader = await as([["viewer", platform.root]], isKnown);
  const newest = (await platform.objects("roleBindings")).toSorted((one, other) => created(one) - created(other)).at(-1);
  let isLost = false;
  const losing: Reader = {
    get requests() {
      return reader.requests;
    },
    caller: () => reader.caller(),
    list: (collection, query) => reader.list(collection, query),
    listReadable: async (collection, query) => {
      if (!isLost && collection.segment === "identities" && "descendantsOf" in query) {
        isLost = true;
        await platform.delete("roleBindings", newest?.uid ?? "");
      }
      return reader.listReadable(collection, query);
    },
  };
  const inventory = await readInventory(losing, platform.root);
  expect(isLost).toBe(true);
  const kinds = new Set(inventory.unreadable.map(({ kind }) => kind));
  expect([...listedKinds.keys()].filter((kind) => !kinds.has(kind))).toEqual([]);
  expect(inventory.shows("iam:Group", `${platform.root}/x`)).toBe(false);
});

const created = (row: Record<string, unknown>) => Date.parse(String(row["createTime"]));

test("a root that cannot be read is an error that names it", async () => {
  await platform.fault({ path: "/groups$" }, { status: 403, code: 7 }, { times: 0 });
  await expect(readInventory(clientOf(), platform.root)).rejects.toThrow(`Read group ${platform.root}: `);
});

const unknownRoot = "0".repeat(40);
test.each<[string, () => Record<string, string>, RegExp]>([
  ["is not visible", () => ({ PLATFORM_ORGANIZATION: unknownRoot }), /no such group.* address of the API/],
  [
    "is at an address that is none of the platform",
    () => ({
      PLATFORM_BASE_URL: `${platform.baseUrl}/v9`,
      PLATFORM_AUTH_URL: platform.baseUrl,
      PLATFORM_AUDIENCE: platform.baseUrl,
    }),
    /address of the API, and its version.* GET \/v9\/iam\//,
  ],
])("a root that %s is an error that names it", async (_, environment, reason) => {
  const root = environment()["PLATFORM_ORGANIZATION"] ?? platform.root;
  const message = expect.stringMatching(new RegExp(`^Read group ${root}: .*${reason.source}`)) as string;
  await expect(readInventory(clientOf(environment()), root)).rejects.toMatchObject({ message });
});

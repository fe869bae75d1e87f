import { unknownValue } from "../../provider/kinds/inputs";
import type { Inputs, Kind } from "../../provider/kinds/kind";
import { dynamicProvider, type DynamicProvider } from "../../provider/host/dynamic";
import type { Run } from "../../provider/resources/run";
import { failureOf, group, identity, ResourceFixture, role, roleBinding, type RunOptions } from "../support/resource-fixture";
import type { WireObject } from "../support/test-platform";

jest.setTimeout(60_000);

let fixture: ResourceFixture;
let rootName: string;
let team: WireObject;
let place: string;
let ci: WireObject;
let login: { issuer: string; subject: string };

beforeAll(async () => {
  fixture = await ResourceFixture.start();
  rootName = String((await fixture.platform.objects("groups")).find(({ uid }) => uid === fixture.platform.root)?.["name"]);
});
afterAll(() => fixture.close());

beforeEach(async () => {
  await fixture.reset();
  team = await fixture.platform.create("groups", fixture.platform.root, { name: fixture.name("team") });
  place = `${rootName}/${String(team["name"])}`;
  login = { issuer: "https://issuer.example", subject: fixture.name("subject") };
  ci = await fixture.platform.create("identities", team.uid, { name: "ci", claimMatch: login });
  await fixture.platform.clearRequests();
});

/** One process of the provider host, and what it prints. */
interface Process {
  of(kind: Kind): DynamicProvider;
  run: Run;
  printed: string[];
}

/** @param isUpdate whether its checks come with the mark of an update */
function startProcess(options: RunOptions = {}): Process {
  const printed: string[] = [];
  const run = fixture.run({ ...options, notify: (message) => printed.push(message) });
  return { of: (kind) => dynamicProvider(kind, () => run), run, printed };
}

const update = { __isUpdate: true };

/** Checks and creates as the engine does in an update. */
async function made(kind: Kind, news: Inputs, { of } = startProcess()) {
  const { inputs, failures } = await of(kind).check({}, { ...news, ...update });
  expect(failures).toEqual([]);
  const { id, outs } = await of(kind).create(inputs);
  return { id, inputs, outs };
}

/** What a diff of the program `news` says, in a preview or an update. */
async function diffed(
  kind: Kind,
  old: { id: string; inputs: Inputs; outs: Inputs },
  news: Inputs,
  mark: Inputs,
  { of } = startProcess(),
) {
  const { inputs, failures } = await of(kind).check(old.inputs, { ...news, ...mark });
  expect(failures).toEqual([]);
  return { inputs, diff: await of(kind).diff(old.id, old.outs, inputs) };
}

const roleOf = async (uid: string) => {
  const row = (await fixture.platform.objects("roleBindings")).find((each) => each.uid === uid);
  return (row?.["role"] as { uid?: string } | undefined)?.uid;
};

const named = () => ({ parentPath: place, identityRef: `${place}/ci`, roleName: "viewer" });

describe("create", () => {
  test("resolves every name, and state holds the text and the uid", async () => {
    const { id, inputs, outs } = await made(roleBinding, named());
    expect(inputs).toEqual(named());
    expect(outs).toMatchObject({ ...named(), parentUid: team.uid, identityUid: ci.uid, roleUid: fixture.viewer });
    expect(await roleOf(id)).toBe(fixture.viewer);
    expect(await fixture.platform.writes()).toMatchObject([{ method: "POST" }]);
  });

  test("asks for each List once, however many resources need it", async () => {
    const process = startProcess();
    const roles = ["viewer", "editor", "owner"];
    await Promise.all(roles.map((roleName) => made(roleBinding, { ...named(), roleName }, process)));
    const lists = (await fixture.platform.requests()).filter(
      ({ method, path }) => method === "GET" && /\/(roles|identities|groups)$/.test(path),
    );
    expect(lists.map(({ path, query }) => `${path}?${query}`).sort()).toEqual(
      [...new Set(lists.map(({ path, query }) => `${path}?${query}`))].sort(),
    );
  });

  test.each([
    ["a group", group, {}],
    ["a role", role, { capabilities: ["CAP_REPO_LIST"] }],
    ["an identity", identity, { claimMatch: { issuer: "https://issuer.example", subject: "x" } }],
  ])("makes %s under parentPath", async (_what, kind, more) => {
    const { id, outs } = await made(kind, { parentPath: place, name: fixture.name(), ...more });
    expect(id.startsWith(`${team.uid}/`)).toBe(true);
    expect(outs).toMatchObject({ parentPath: place, parentUid: team.uid });
  });
});

describe("roleName", () => {
  const custom = (parent: string, name: string) =>
    fixture.platform.create("roles", parent, { name, capabilities: ["CAP_REPO_LIST"] });
  const builtIn = async (name: string) =>
    (await fixture.platform.objects("roles")).find((row) => row["name"] === name && !row.uid.includes("/"))?.uid ?? "";
  const bound = async (roleName: string) => (await made(roleBinding, { ...named(), roleName })).outs["roleUid"];
  const refused = async (roleName: string) => (await failureOf(made(roleBinding, { ...named(), roleName }))).message;

  test("is a built-in role before a custom one of the same name", async () => {
    await custom(team.uid, "owner");
    expect(await bound("owner")).toBe(await builtIn("owner"));
  });

  test("is never a custom role in the place of a built-in one that the platform does not show", async () => {
    const other = await custom(team.uid, "guardener.admin");
    await fixture.platform.delete("roles", await builtIn("guardener.admin"));
    const message = await refused("guardener.admin");
    expect(message).toContain("shows these credentials no built-in role of that name");
    expect(message).not.toContain(other.uid);
  });

  test("is a custom role of the group or of one above, not of a neighbour", async () => {
    const [here, above, elsewhere] = [fixture.name("here"), fixture.name("above"), fixture.name("elsewhere")];
    const made = [
      await custom(team.uid, here),
      await custom(fixture.platform.root, above),
      await custom(await fixture.parent(), elsewhere),
    ];
    expect(await bound(here)).toBe(made[0]?.uid);
    expect(await bound(above)).toBe(made[1]?.uid);
    expect(await refused(elsewhere)).toContain(`only elsewhere (${made[2]?.uid})`);
  });

  test("with several candidates is refused, with the uid of each", async () => {
    const name = fixture.name("deployer");
    const [one, other] = [await custom(team.uid, name), await custom(fixture.platform.root, name)];
    const message = await refused(name);
    expect(message).toContain(one.uid);
    expect(message).toContain(other.uid);
    expect(message).toContain("Nothing was sent.");
    expect(await fixture.platform.writes()).toEqual([]);
  });

  test("that nothing has is refused, with the nearest name", async () => {
    expect(await refused("veiwer")).toContain('Did you mean "viewer"?');
    expect(await refused("zzzzzzzzzzzz")).toContain("The roles are ");
  });

  test("that is the uid of a role is refused with that advice", async () => {
    expect(await refused(fixture.viewer)).toContain("Pass it as roleUid");
  });

  test("is found although it is newer than the List that this run shares", async () => {
    const process = startProcess();
    await made(roleBinding, named(), process);
    const name = fixture.name("late");
    const late = await custom(team.uid, name);
    const { outs } = await made(roleBinding, { ...named(), roleName: name }, process);
    expect(outs["roleUid"]).toBe(late.uid);
  });
});

describe("parentPath", () => {
  const refused = async (parentPath: string) => (await failureOf(made(group, { parentPath, name: "x" }))).message;

  test("that does not exist is refused, with how far it does and what is there", async () => {
    const shop = fixture.name("shop");
    await fixture.platform.create("groups", team.uid, { name: shop });
    expect(await refused(`${place}/${shop}x/y`)).toMatch(
      new RegExp(`"${place}" exists \\(${team.uid}\\), but it has no group "${shop}x".*Did you mean "${shop}"\\?`),
    );
    expect(await refused("no-such-root/a")).toContain('no root organisation "no-such-root" is visible');
    expect(await fixture.platform.writes()).toEqual([]);
  });

  test("that means several groups is refused, with their uids", async () => {
    await fixture.platform.settings({ duplicateNames: true });
    const twin = await fixture.platform.create("groups", fixture.platform.root, { name: team["name"] });
    const message = await refused(place);
    expect(message).toContain(twin.uid);
    expect(message).toContain(team.uid);
  });

  test("of a group that this program declares is refused, before and after it exists", async () => {
    const process = startProcess();
    const declared = { parentUid: team.uid, name: "shop" };
    const { inputs } = await process.of(group).check({}, { ...declared, ...update });
    const child = { parentPath: `${place}/shop`, name: "child" };
    expect((await failureOf(made(group, child, process))).message).toContain("Pass the `uid` of that resource");
    await process.of(group).create(inputs);
    expect((await failureOf(made(group, { ...child, name: "other" }, process))).message).toContain(
      "Pass the `uid` of that resource",
    );
    expect(await fixture.children(group, team.uid)).toHaveLength(1);
  });

  test.each(["the group first", "the other resource first"])(
    "of a group in the same program is refused in previews too: %s",
    async (order) => {
      const shop = await made(group, { parentUid: team.uid, name: fixture.name("shop") });
      const child = await made(group, { parentPath: `${place}/${String(shop.outs["name"])}`, name: "child" });
      const preview = startProcess();
      await fixture.platform.clearRequests();
      const both = [shop, child].sort(() => (order === "the group first" ? 1 : -1)).reverse();
      const messages: string[] = [];
      for (const each of both) {
        await diffed(group, each, each.inputs, {}, preview).catch((error: Error) => messages.push(error.message));
      }
      expect(messages).toEqual([expect.stringContaining("this program itself declares")]);
      expect(await fixture.platform.requests()).toEqual([]);
    },
  );
});

describe("identityRef", () => {
  const bound = async (identityRef: unknown) => (await made(roleBinding, { ...named(), identityRef })).outs["identityUid"];

  test("finds an identity by exactly its issuer and subject, never by a pattern", async () => {
    await fixture.platform.create("identities", team.uid, {
      name: "any",
      claimMatch: { issuer: login.issuer, subjectPattern: ".*" },
    });
    expect(await bound(login)).toBe(ci.uid);
  });

  test("is a person where no identity has that login", async () => {
    const process = startProcess();
    const { outs } = await made(
      roleBinding,
      { ...named(), identityRef: { issuer: "https://people.example", subject: "zoe" } },
      process,
    );
    expect(outs["identityUid"]).not.toContain("/");
    expect(process.printed).toEqual([expect.stringContaining("it means the person")]);
  });

  test("with several candidates is refused, with path and uid of each", async () => {
    const twin = await fixture.platform.create("identities", await fixture.parent(), { name: "twin", claimMatch: login });
    const { message } = await failureOf(bound(login));
    expect(message).toContain(`"${place}/ci" (${ci.uid})`);
    expect(message).toContain(twin.uid);
  });

  test("that does not exist is refused with the nearest name", async () => {
    await fixture.platform.create("identities", team.uid, {
      name: "deployer",
      claimMatch: { issuer: "https://i.example", subject: "d" },
    });
    expect((await failureOf(bound(`${place}/deploier`))).message).toContain('Did you mean "deployer"?');
  });
});

describe("check", () => {
  const reasons = async (kind: Kind, news: Inputs) =>
    (await startProcess().of(kind).check({}, news)).failures.map(({ reason }) => reason);

  test("wants exactly one of each pair", async () => {
    expect(await reasons(roleBinding, { parentUid: "a", identityUid: "a/b" })).toEqual(["roleUid or roleName is required"]);
    expect(await reasons(roleBinding, { ...named(), roleUid: "r" })).toEqual([
      "exactly one of roleUid and roleName must be set; roleUid and roleName are set",
    ]);
    expect(await reasons(roleBinding, { ...named(), roleUid: unknownValue })).toHaveLength(1);
    expect(await reasons(roleBinding, { ...named(), roleUid: null })).toEqual([]);
    expect(await reasons(roleBinding, { ...named(), roleName: unknownValue })).toEqual([]);
    expect(await reasons(roleBinding, { ...named(), identityRef: { issuer: unknownValue, subject: "a" } })).toEqual([]);
  });

  test.each([
    [{ roleName: "" }, "roleName must not be empty"],
    [{ roleName: 7 }, "roleName must be a string"],
    [{ parentPath: "/acme" }, 'parentPath "/acme" must be names joined by single slashes'],
    [{ parentPath: "a//b" }, 'parentPath "a//b" must be names joined by single slashes'],
    [{ parentPath: "0123456789abcdef0123456789abcdef01234567/a" }, "is a uid"],
    [{ identityRef: "ci" }, 'identityRef "ci" must be the path of a group and the name of an identity in it'],
    [{ identityRef: 7 }, "identityRef must be a path"],
    [{ identityRef: { issuer: "https://i.example" } }, "identityRef.subject is required"],
    [{ identityRef: { issuer: "i", subject: "s" } }, "identityRef.issuer must be an https URL"],
    [
      { identityRef: { issuer: "https://i.example", subject: "s", uid: "x" } },
      "identityRef must be { issuer, subject } and nothing else",
    ],
  ])("refuses %j", async (wrong, message) => {
    const found = await reasons(roleBinding, { ...named(), ...wrong });
    expect(found.join("; ")).toContain(message);
  });

  test("finds two resources with the same texts, before anything exists", async () => {
    const { of } = startProcess();
    expect((await of(roleBinding).check({}, named())).failures).toEqual([]);
    expect((await of(roleBinding).check({}, named())).failures).toMatchObject([
      { reason: expect.stringContaining("another resource") as string },
    ]);
    expect((await of(roleBinding).check({}, { ...named(), roleName: "editor" })).failures).toEqual([]);
  });

  test("finds a resource with the uids of what another one names, once that is in state", async () => {
    const old = await made(roleBinding, named());
    const preview = startProcess();
    await diffed(roleBinding, old, named(), {}, preview);
    const uids = { parentUid: team.uid, identityUid: ci.uid, roleUid: fixture.viewer };
    expect((await preview.of(roleBinding).check({}, uids)).failures).toHaveLength(1);
  });
});

test("adopt, remembered by the check of names, takes over the object that they mean", async () => {
  const existing = await fixture.platform.create("roleBindings", team.uid, { identityUid: ci.uid, roleUid: fixture.viewer });
  expect((await failureOf(made(roleBinding, named()))).message).toContain(existing.uid);
  expect(await made(roleBinding, { ...named(), adopt: true })).toMatchObject({ id: existing.uid });
});

describe("diff", () => {
  const uids = () => ({ parentUid: team.uid, identityUid: ci.uid, roleUid: fixture.viewer });

  test.each([
    ["a preview", {}],
    ["an update", update],
  ])("of unchanged names says no change in %s and asks nothing", async (_when, mark) => {
    const old = await made(roleBinding, named());
    await fixture.platform.clearRequests();
    expect((await diffed(roleBinding, old, named(), mark)).diff).toMatchObject({ changes: false, replaces: [] });
    expect(await fixture.platform.requests()).toEqual([]);
  });

  test("of another role name is an update in place, and a preview asks nothing", async () => {
    const old = await made(roleBinding, named());
    await fixture.platform.clearRequests();
    const news = { ...named(), roleName: "editor" };
    expect((await diffed(roleBinding, old, news, {})).diff).toMatchObject({ changes: true, replaces: [] });
    expect(await fixture.platform.requests()).toEqual([]);
    const process = startProcess();
    const { inputs, diff } = await diffed(roleBinding, old, news, update, process);
    expect(diff).toMatchObject({ changes: true, replaces: [] });
    const { outs } = await process.of(roleBinding).update(old.id, old.outs, inputs);
    const editor = await fixture.platform.role("editor");
    expect(outs).toMatchObject({ roleName: "editor", roleUid: editor });
    expect(await roleOf(old.id)).toBe(editor);
    expect(await fixture.platform.writes()).toMatchObject([
      { method: "PATCH", query: "updateMask=role_uid", body: { roleUid: editor } },
    ]);
  });

  test("of another parentPath overstates in a preview, and in an update replaces only where it means another group", async () => {
    const old = await made(group, { parentPath: place, name: "child" });
    const same = { parentUid: team.uid, name: "child" };
    const byUid = await made(group, { parentUid: team.uid, name: "other" });
    const moved = { parentPath: rootName, name: "child" };
    expect((await diffed(group, old, moved, {})).diff).toEqual({
      changes: true,
      replaces: ["parentPath"],
      deleteBeforeReplace: false,
    });
    expect((await diffed(group, old, moved, update)).diff).toEqual({
      changes: true,
      replaces: ["parentPath"],
      deleteBeforeReplace: false,
    });
    expect((await diffed(group, old, same, {})).diff).toEqual({ changes: true, replaces: [], deleteBeforeReplace: false });
    const named = { parentPath: place, name: "other" };
    expect((await diffed(group, byUid, named, {})).diff).toMatchObject({ changes: true, replaces: ["parentPath"] });
    expect((await diffed(group, byUid, named, update)).diff).toMatchObject({ changes: true, replaces: [] });
  });

  test("of another form of the same objects writes nothing, in both directions", async () => {
    for (const [before, after] of [
      [named(), uids()],
      [uids(), named()],
    ] as const) {
      const old = await made(roleBinding, before);
      await fixture.platform.clearRequests();
      const process = startProcess();
      const { inputs, diff } = await diffed(roleBinding, old, after, update, process);
      expect(diff).toMatchObject({ changes: true, replaces: [] });
      const { outs } = await process.of(roleBinding).update(old.id, old.outs, inputs);
      expect(outs).toMatchObject({ ...after, ...uids() });
      expect(Object.keys(outs).filter((name) => /Name|Path|Ref/.test(name))).toEqual(
        Object.keys(after).filter((name) => /Name|Path|Ref/.test(name)),
      );
      expect(await fixture.platform.writes()).toEqual([]);
      await startProcess().of(roleBinding).delete(old.id, outs);
    }
  });

  test("of an unknown name is like one of an unknown uid", async () => {
    const [old, other] = [
      await made(roleBinding, named()),
      await made(roleBinding, { ...uids(), roleUid: await fixture.platform.role("editor") }),
    ];
    const byName = (await diffed(roleBinding, old, { ...named(), roleName: unknownValue }, {})).diff;
    const byUid = (await diffed(roleBinding, other, { ...uids(), roleUid: unknownValue }, {})).diff;
    expect({ ...byName, replaces: [] }).toEqual({ ...byUid, replaces: [] });
    expect([byName.replaces, byUid.replaces]).toEqual([["roleName"], ["roleUid"]]);
  });
});

describe("refresh", () => {
  const read = async (old: { id: string; outs: Inputs }, process = startProcess()) => ({
    ...(await process.of(roleBinding).read(old.id, old.outs)),
    ...process,
  });
  const custom = (name: string) => fixture.platform.create("roles", team.uid, { name, capabilities: ["CAP_REPO_LIST"] });

  test("finds no drift, returns names where the program has names, and both in state", async () => {
    const old = await made(roleBinding, named());
    const { inputs, props, printed } = await read(old);
    expect(inputs).toEqual(named());
    expect(props).toEqual(old.outs);
    expect(printed).toEqual([]);
  });

  test("finds another role of the same name as drift, and up puts the role back that the state had", async () => {
    const name = fixture.name("deployer");
    await custom(name);
    const old = await made(roleBinding, { ...named(), roleName: name });
    const twin = await fixture.platform.create("roles", fixture.platform.root, { name, capabilities: ["CAP_IAM_GROUPS_LIST"] });
    await fixture.platform.change("roleBindings", old.id, { roleUid: twin.uid });
    const process = startProcess();
    const { props = {} } = await read(old, process);
    expect(props).toMatchObject({ roleUid: twin.uid });
    expect((await process.of(roleBinding).diff(old.id, props, old.inputs)).changes).toBe(true);
    expect((await process.of(roleBinding).read(old.id, props)).props).toEqual(props);
    const next = startProcess();
    const { inputs } = await diffed(roleBinding, { ...old, outs: props }, old.inputs, update, next);
    const { outs } = await next.of(roleBinding).update(old.id, props, inputs);
    expect(outs).toEqual(old.outs);
    expect(await roleOf(old.id)).toBe(old.outs["roleUid"]);
  });

  test("warns once of a role that has another name now, and it is no difference", async () => {
    const name = fixture.name("deployer");
    const deployer = await custom(name);
    const old = await made(roleBinding, { ...named(), roleName: name });
    await fixture.platform.change("roles", deployer.uid, { name: fixture.name("renamed") });
    const process = startProcess();
    const { props = {} } = await read(old, process);
    await read(old, process);
    expect((await process.of(roleBinding).diff(old.id, props, old.inputs)).changes).toBe(false);
    expect(process.printed).toEqual([expect.stringMatching(new RegExp(`roleName "${name}".*${deployer.uid}`))]);
  });

  test("warns of a name that means another role now, and access stays", async () => {
    const name = fixture.name("deployer");
    const deployer = await custom(name);
    const old = await made(roleBinding, { ...named(), roleName: name });
    await fixture.platform.change("roles", deployer.uid, { name: fixture.name("renamed") });
    const impostor = await custom(name);
    const process = startProcess();
    const { props = {} } = await read(old, process);
    expect(process.printed).toEqual([expect.stringContaining(impostor.uid)]);
    expect((await process.of(roleBinding).diff(old.id, props, old.inputs)).changes).toBe(false);
    const again = startProcess();
    const { inputs } = await diffed(roleBinding, old, { ...old.inputs, identityRef: login }, update, again);
    await again.of(roleBinding).update(old.id, old.outs, inputs);
    expect(await roleOf(old.id)).toBe(deployer.uid);
  });
});

import { groupAccessLife } from "../../../provider/resources/group-access/life";
import { AccessFixture, type Declared } from "../../support/access-fixture";
import { expectFailure, failureOf, role, roleBinding } from "../../support/resource-fixture";

const access = AccessFixture.forFile();

const batchSizes = async () =>
  (await access.platform.writes())
    .filter(({ path }) => path.endsWith(":batchCreate"))
    .map(({ body }) => (body as { requests: unknown[] }).requests.length);

const writes = async () => (await access.platform.writes()).map(({ method }) => method);

const names = (count: number, stem = "member") => Array.from({ length: count }, (_, at) => `${stem}-${at}`);

describe("the first up", () => {
  test("gives each identity its role, and keeps the uids of roles and bindings", async () => {
    const stack = await access.brought({ access: { owner: ["zoe"], viewer: ["zoe", "max"] } });
    expect(await stack.members()).toEqual(["max viewer", "zoe owner", "zoe viewer"]);
    expect(stack.state).toMatchObject({
      id: stack.groupUid,
      outputs: { roleUids: { owner: access.roles.get("owner"), viewer: access.roles.get("viewer") } },
    });
    const { bindings } = stack.state?.outputs as { bindings: Record<string, Record<string, string>> };
    expect(Object.values(bindings).flatMap(Object.values).sort()).toEqual(await access.bindings(stack.groupUid));
    expect(await stack.refresh()).toBe(false);
  });

  test("sends members in batches of 25", async () => {
    const stack = await access.stack();
    await Promise.all(names(60).map((name) => access.person(name)));
    await access.platform.clearRequests();
    await stack.up({ access: { viewer: names(60) } });
    expect(await batchSizes()).toEqual([25, 25, 10]);
    expect(await stack.members()).toHaveLength(60);
  });

  test("takes over members that have access already, and writes nothing for them", async () => {
    const stack = await access.stack();
    const uid = await access.bind(stack.groupUid, "zoe", "owner");
    await access.platform.clearRequests();
    await stack.up({ access: { owner: ["zoe"] } });
    expect(await writes()).toEqual([]);
    expect(stack.state?.outputs).toMatchObject({ bindings: { owner: { zoe: uid } } });
  });

  test("fails while others have access, names them, and sends nothing", async () => {
    const stack = await access.stack();
    const uid = await access.bind(stack.groupUid, "max", "viewer");
    await access.platform.clearRequests();
    await expectFailure(
      stack.up({ access: { owner: ["zoe"] } }),
      "KEY_TAKEN",
      '"max"',
      "viewer",
      uid,
      "Nothing was sent",
      "exempt",
      "adopt: true",
    );
    expect(await writes()).toEqual([]);
    expect(stack.state).toBeUndefined();
  });

  test("with adopt keeps others and says so; the next refresh shows them, and its up removes them", async () => {
    const stack = await access.stack();
    await access.bind(stack.groupUid, "max", "viewer");
    const said: string[] = [];
    const declared = { access: { owner: ["zoe"] } };
    await stack.up({ ...declared, adopt: true }, { run: access.fixture.run({ notify: (text) => said.push(text) }) });
    expect(said.join()).toContain('"max"');
    expect(await stack.members()).toEqual(["max viewer", "zoe owner"]);
    await stack.up(declared);
    expect(await stack.members()).toContain("max viewer");
    expect(await stack.refresh()).toBe(true);
    expect(stack.known).toEqual(["max viewer", "zoe owner"]);
    await stack.up(declared);
    expect(await stack.members()).toEqual(["zoe owner"]);
  });

  test("without a visible group names the group", async () => {
    const stack = await access.stack(`${access.platform.root}/fedcba9876543210`);
    await expectFailure(stack.up({ access: { owner: ["zoe"] } }), "NOT_FOUND", "not found");
    expect(stack.state).toBeUndefined();
  });
});

describe("a refresh", () => {
  test("shows a member that was added by hand, by the name of the identity", async () => {
    const stack = await access.brought({ access: { owner: ["zoe"] } });
    await access.bind(stack.groupUid, "max", "owner");
    await access.bind(stack.groupUid, "max", "viewer");
    expect(await stack.refresh()).toBe(true);
    expect(stack.known).toEqual(["max owner", "max viewer", "zoe owner"]);
    // A second look changes no label.
    const { state } = stack;
    await stack.refresh();
    expect(stack.state).toEqual(state);
  });

  test("shows a member whose binding was deleted or changed by hand as missing, and the next up restores it", async () => {
    const stack = await access.brought({ access: { owner: ["zoe"], viewer: ["max"] } });
    await access.platform.delete("roleBindings", stack.binding("max", "viewer"));
    await access.platform.change("roleBindings", stack.binding("zoe", "owner"), {
      identityUid: await access.person("mallory"),
    });
    expect(await stack.refresh()).toBe(true);
    expect(stack.known).toEqual(["mallory owner"]);
    await stack.up({ access: { owner: ["zoe"], viewer: ["max"] } });
    expect(await stack.members()).toEqual(["max viewer", "zoe owner"]);
  });

  test("does not show members of groups above, below or beside", async () => {
    const stack = await access.brought({ access: { owner: ["zoe"] } });
    const below = await access.fixture.parent(stack.groupUid);
    await access.bind(below, "max", "viewer");
    await access.bind(await access.fixture.parent(), "max", "viewer");
    expect(await stack.refresh()).toBe(false);
  });

  test("of a deleted group drops the resource", async () => {
    const stack = await access.brought({ access: { owner: ["zoe"] } });
    for (const uid of await access.bindings(stack.groupUid)) await access.platform.delete("roleBindings", uid);
    await access.platform.delete("groups", stack.groupUid);
    await stack.refresh();
    expect(stack.state).toBeUndefined();
  });

  test.each([
    ["members in state", ["zoe"]],
    ["nobody in state", []],
  ])("of a List that shows nothing proves nothing: %s", async (_what, owners) => {
    const stack = await access.brought({ access: { owner: owners } });
    const { state } = stack;
    access.fixture.proxy.interfere = async ({ method, path }, forward) => {
      const answer = await forward();
      return method === "GET" && path.endsWith("/roleBindings")
        ? { ...answer, body: JSON.stringify({ roleBindings: [], totalCount: 0 }) }
        : answer;
    };
    expect((await failureOf(stack.refresh())).message).toMatch(/does not prove|no List shows/);
    expect(stack.state).toEqual(state);
  });
});

describe("an update", () => {
  test("sends exactly the gains and losses, gains first", async () => {
    const stack = await access.brought({ access: { owner: ["zoe"], viewer: names(3) } });
    await stack.up({ access: { owner: ["max"], viewer: [...names(2), "eve"] } });
    expect(await stack.members()).toEqual(["eve viewer", "max owner", "member-0 viewer", "member-1 viewer"]);
    expect(await writes()).toEqual(["POST", "DELETE", "DELETE"]);
    expect(await stack.refresh()).toBe(false);
  });

  test("of labels and of the way to write a role writes nothing", async () => {
    const stack = await access.brought({ access: { owner: ["zoe"] } });
    const run = access.fixture.run();
    const { state } = stack;
    await stack.up({ access: { [access.roles.get("owner") ?? ""]: ["zoe"] } }, { run });
    expect(await writes()).toEqual([]);
    expect(stack.state).not.toEqual(state);
    expect(await stack.refresh()).toBe(false);
  });

  test.each([
    ["removes whom the state does not show", undefined, ["zoe owner"]],
    ["with adopt keeps whom the state does not show until a refresh", true, ["eve owner", "eve viewer", "zoe owner"]],
  ])("%s, and names each", async (_what, adopt, members) => {
    const stack = await access.brought({ access: { owner: ["zoe"], viewer: ["max"] } });
    const unseen = [await access.bind(stack.groupUid, "eve", "viewer"), await access.bind(stack.groupUid, "eve", "owner")];
    const said: string[] = [];
    const declared = { access: { owner: ["zoe"] }, ...(adopt && { adopt }) };
    await stack.up(declared, { run: access.fixture.run({ notify: (text) => said.push(text) }) });
    expect(await stack.members()).toEqual(members);
    for (const binding of unseen) expect(said.join()).toContain(binding);
    expect(stack.known).toEqual(["zoe owner"]);
    await stack.up(declared, { refresh: true });
    expect(await stack.members()).toEqual(["zoe owner"]);
  });

  test("whose gain is rejected removes nobody, and keeps the gains that were made", async () => {
    const stack = await access.brought({ access: { viewer: ["zoe"] } });
    const [max, missing] = [await access.person("max"), `${access.platform.root}/ffffffffffffffff`];
    const inputs = { parentUid: stack.groupUid, access: { viewer: { max, missing } } };
    const run = access.fixture.run();
    const { state } = stack;
    await groupAccessLife.check(state?.inputs ?? {}, inputs, run);
    const error = await expectFailure(
      groupAccessLife.update(stack.groupUid, state?.outputs ?? {}, inputs, run),
      "INVALID_ARGUMENT",
      "Nothing was removed",
    );
    expect(error).toMatchObject({ uid: stack.groupUid, state: { access: { viewer: { max, zoe: await access.person("zoe") } } } });
    expect(await stack.members()).toEqual(["max viewer", "zoe viewer"]);
  });

  test("removes a binding that was changed by hand to somebody else, and says for whom it was", async () => {
    const stack = await access.brought({ access: { owner: ["zoe"], viewer: ["max"] } });
    await access.platform.change("roleBindings", stack.binding("max", "viewer"), { identityUid: await access.person("eve") });
    const said: string[] = [];
    await stack.up({ access: { owner: ["zoe"] } }, { run: access.fixture.run({ notify: (text) => said.push(text) }) });
    expect(await stack.members()).toEqual(["zoe owner"]);
    expect(said.join()).toMatch(/eve.*as viewer/);
  });
});

describe("roles", () => {
  test("with `roles`, other roles are left alone", async () => {
    const stack = await access.stack();
    await access.bind(stack.groupUid, "max", "viewer");
    await stack.up({ access: { owner: ["zoe"] }, roles: ["owner"] });
    await access.bind(stack.groupUid, "eve", "owner");
    await stack.up({ access: {}, roles: ["owner"] }, { refresh: true });
    expect(await stack.members()).toEqual(["max viewer"]);
    await stack.destroy();
    expect(await stack.members()).toEqual(["max viewer"]);
  });

  test("a managed role that was deleted and created again: its members are drift, and the program must name it", async () => {
    const stack = await access.stack();
    const inputs = { parentUid: stack.groupUid, name: "billing", capabilities: ["CAP_REPO_LIST"] };
    const { uid } = await access.fixture.colleague(role, inputs);
    await stack.up({ access: {}, roles: ["billing"] });
    await access.bind(stack.groupUid, "zoe", "owner");
    await access.platform.delete("roles", uid);
    const again = await access.fixture.colleague(role, inputs);
    await access.bind(stack.groupUid, "max", again.uid);
    expect(await stack.refresh()).toBe(true);
    expect(stack.known).toEqual([`max ${again.uid}`]);
    await expectFailure(stack.up({ access: {}, roles: ["billing"] }), "NOT_FOUND", "does not replace it");
    await stack.up({ access: {}, roles: [again.uid] });
    expect(await stack.members()).toEqual(["zoe owner"]);
  });

  test("members of a role that is no longer managed are removed, as the preview says", async () => {
    const stack = await access.brought({ access: { owner: ["zoe"], viewer: ["max"] } });
    await stack.up({ access: { owner: ["zoe"] }, roles: ["owner"] });
    expect(await stack.members()).toEqual(["zoe owner"]);
  });

  test("a name means the built-in role, else the custom one at or above the group", async () => {
    const stack = await access.stack();
    const capabilities = ["CAP_REPO_LIST"];
    const elsewhere = { parentUid: await access.fixture.parent(), name: "packer", capabilities };
    await access.fixture.colleague(role, elsewhere);
    const above = await access.fixture.colleague(role, { ...elsewhere, parentUid: access.platform.root });
    await access.fixture.colleague(role, { parentUid: stack.groupUid, name: "viewer", capabilities });
    await stack.up({ access: { viewer: ["zoe"], packer: ["max"] } });
    expect(stack.state?.outputs).toMatchObject({ roleUids: { viewer: access.roles.get("viewer"), packer: above.uid } });

    // From here on the name keeps its meaning.
    await access.fixture.colleague(role, { ...elsewhere, parentUid: stack.groupUid });
    await stack.up({ access: { viewer: ["zoe"], packer: ["eve"] } }, { refresh: true });
    expect(stack.state?.outputs).toMatchObject({ roleUids: { packer: above.uid } });
    const other = await access.stack(stack.groupUid);
    const { message } = await failureOf(other.up({ access: { packer: ["eve"] }, roles: ["packer"] }));
    expect(message).toMatch(/ 2 roles /);
    expect(message).toContain(above.uid);
    await stack.destroy();
  });

  test.each([
    ["viewr", /no built-in role.*Did you mean "viewer"/],
    ["ffffffffffffffff", /create access of group \S+\/parent-\d+: [^]*pass the role in `dependsOn`/],
  ])("an unknown role is named before anything is sent: %s", async (written, message) => {
    const stack = await access.stack();
    await access.platform.clearRequests();
    expect((await failureOf(stack.up({ access: { [written]: ["zoe"] } }))).message).toMatch(message);
    expect(await writes()).toEqual([]);
  });

  test("two texts for one role are rejected before anything is sent", async () => {
    const stack = await access.stack();
    const uid = access.roles.get("owner") ?? "";
    await Promise.all([access.person("zoe"), access.person("max")]);
    await access.platform.clearRequests();
    await expectFailure(stack.up({ access: { owner: ["zoe"], [uid]: ["max"] } }), "INVALID_INPUT", "mean the same role");
    expect(await writes()).toEqual([]);
  });
});

describe("exempt", () => {
  const exempts: [string, (uid: string) => Declared["exempt"]][] = [
    ["identities", () => ({ identities: ["max"] })],
    ["bindings", (uid) => ({ bindingUids: [uid] })],
    ["roles", () => ({ roles: ["viewer"] })],
  ];
  test.each(exempts)("%s are no drift, and are never removed", async (_what, exemptOf) => {
    const stack = await access.stack();
    const uid = await access.bind(stack.groupUid, "max", "viewer");
    const exempt = exemptOf(uid);
    await stack.up({ access: { owner: ["zoe"] }, ...(exempt && { exempt }) });
    expect(await stack.refresh()).toBe(false);
    await stack.up({ access: { owner: ["eve"] }, ...(exempt && { exempt }) }, { refresh: true });
    await stack.destroy();
    expect(await stack.members()).toEqual(["max viewer"]);
  });

  test.each(exempts)(
    "a member that moves from access to exempt %s keeps its binding, and the run says so",
    async (_what, exemptOf) => {
      const stack = await access.brought({ access: { owner: ["zoe"], viewer: ["max"] } });
      const exempt = exemptOf(stack.binding("max", "viewer"));
      const { run, told: said } = access.fixture.told();
      await stack.up({ access: { owner: ["zoe"] }, ...(exempt && { exempt }) }, { run });
      expect(said).toEqual([expect.stringMatching(/`exempt` .*: "max" as viewer/)]);
      await stack.destroy();
      expect(await stack.members()).toEqual(["max viewer"]);
    },
  );

  test.each(exempts)("%s cannot be declared, too: nothing is sent", async (_what, exemptOf) => {
    const stack = await access.brought({ access: { owner: ["zoe"], viewer: ["max"] } });
    const exempt = exemptOf(stack.binding("max", "viewer"));
    await access.platform.clearRequests();
    const declared: Declared = { access: { owner: ["zoe"], viewer: ["max", "eve"] }, ...(exempt && { exempt }) };
    await expectFailure(stack.up(declared), "INVALID_INPUT", "Remove it from one of the two");
    const uid = access.roles.get("viewer") ?? "";
    const byUid = exempt?.roles ? { exempt: { roles: [uid] } } : declared.exempt && { exempt: declared.exempt };
    await expectFailure(stack.up({ access: declared.access, ...byUid }), "INVALID_INPUT", "Remove it from one of the two");
    expect(await writes()).toEqual([]);
  });

  test("a destroy removes every member in the state, also one that a state of another release has as exempt", async () => {
    const stack = await access.brought({ access: { owner: ["zoe"] } });
    if (stack.state !== undefined) stack.state.outputs["exempt"] = { roles: ["owner"] };
    await stack.destroy();
    expect(await stack.members()).toEqual([]);
  });
});

describe("destroy", () => {
  test("removes the members, also one whose binding was replaced by hand, and nobody else", async () => {
    const stack = await access.brought({ access: { owner: ["zoe"], viewer: ["max"] } });
    await access.platform.delete("roleBindings", stack.binding("zoe", "owner"));
    await access.bind(stack.groupUid, "zoe", "owner");
    await access.bind(stack.groupUid, "eve", "viewer");
    await stack.destroy();
    expect(await stack.members()).toEqual(["eve viewer"]);
  });

  test("keeps the state if a deletion is not proven", async () => {
    const stack = await access.brought({ access: { owner: ["zoe"] } });
    const [uid = ""] = await access.bindings(stack.groupUid);
    access.fixture.proxy.interfere = ({ method, path }, forward) =>
      method === "DELETE" && path.endsWith(uid) ? { status: 200, headers: {}, body: "" } : forward();
    await expectFailure(stack.destroy(), "NOT_GONE", "still shows it");
    expect(stack.state).toBeDefined();
  });
});

test("the natural key of a member is that of a RoleBinding", () => {
  expect(roleBinding.naturalKey).toEqual(["identityUid", "roleUid"]);
});

test.each([
  ["deleted, without a refresh", true, 0],
  ["deleted, after a refresh", true, 1],
  ["deleted, after two refreshes", true, 2],
  ["hidden by its List", false, 0],
  ["hidden by its List, after two refreshes", false, 2],
])("a role of the same name never takes the place of one that was %s", async (_what, isDeleted, refreshes) => {
  const stack = await access.stack();
  const inputs = { parentUid: access.platform.root, name: access.fixture.name("packer"), capabilities: ["CAP_REPO_LIST"] };
  const first = await access.fixture.colleague(role, inputs);
  await stack.up({ access: { [inputs.name]: ["max"], viewer: ["zoe"] }, roles: [inputs.name, "viewer"] });
  if (isDeleted) {
    await access.platform.delete("roleBindings", stack.binding("max", inputs.name));
    await access.platform.delete("roles", first.uid);
  } else
    access.fixture.proxy.interfere = async ({ method, path }, forward) => {
      const answer = await forward();
      if (method !== "GET" || !path.endsWith("/roles")) return answer;
      const { roles } = JSON.parse(answer.body) as { roles: { uid: string }[] };
      return { ...answer, body: JSON.stringify({ roles: roles.filter(({ uid }) => uid !== first.uid) }) };
    };
  const other = await access.fixture.colleague(role, { ...inputs, parentUid: stack.groupUid });
  for (let count = 0; count < refreshes; count++) await stack.refresh();
  await access.person("eve");
  await access.platform.clearRequests();
  const declared: Declared = { access: { [inputs.name]: ["max"], viewer: ["zoe", "eve"] }, roles: [inputs.name, "viewer"] };
  await expectFailure(stack.up(declared), "NOT_FOUND", first.uid, "does not replace it", "Nothing was sent");
  expect(await access.platform.writes()).toEqual([]);
  // Its uid names the new role.
  await stack.up({ access: { [other.uid]: ["max"], viewer: ["zoe", "eve"] }, roles: [other.uid, "viewer"] });
  expect(await stack.members()).toEqual(["eve viewer", "max ?", "zoe viewer"]);
});

test("while roles cannot be read for a moment, an update changes nothing: a managed role may be gone", async () => {
  const stack = await access.brought({ access: { owner: ["zoe"], viewer: ["max"] } });
  await access.person("eve");
  await access.platform.clearRequests();
  await access.platform.fault({ method: "GET", path: "/roles$" }, { status: 501, code: 13 }, { times: 0 });
  await failureOf(stack.up({ access: { owner: ["zoe"], viewer: ["max", "eve"] } }));
  expect(await access.platform.writes()).toEqual([]);
  await access.platform.clearFaults();
  expect(await stack.members()).toEqual(["max viewer", "zoe owner"]);
});

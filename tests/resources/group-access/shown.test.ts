import type { WireRoleBinding } from "../../../provider/kinds/role-binding";
import { shownBy } from "../../../provider/resources/group-access/members";
import { AccessFixture } from "../../support/access-fixture";
import { role } from "../../support/resource-fixture";

const access = AccessFixture.forFile();

test("a refresh shows a member and a role whose names previews would hide", async () => {
  const stack = await access.brought({ access: { owner: ["zoe"] } });
  const hidden = { parentUid: stack.groupUid, name: "__packer", capabilities: ["CAP_REPO_LIST"] };
  const { uid } = await access.fixture.colleague(role, hidden);
  await access.bind(stack.groupUid, "__evil", uid);
  expect(await stack.refresh()).toBe(true);
  expect(stack.known).toEqual([`identity __evil ${uid}`, "zoe owner"]);
  await stack.up({ access: { owner: ["zoe"] } });
  expect(await stack.members()).toEqual(["zoe owner"]);
});

test("a refresh calls people without a name by their address, else by their login, else by their uid; the labels stay and are unique", async () => {
  const stack = await access.brought({ access: { owner: ["zoe"] } });
  const login = (subject: string) => ({ claimMatch: { issuer: "https://accounts.example", subject } });
  const people: [string, object][] = [
    ["eve@acme.example", { email: "eve@acme.example", ...login("108") }],
    ["eve@acme.example", { email: "eve@acme.example", ...login("109") }],
    ["110 (accounts.example)", login("110")],
    ["", { claimMatch: { issuerPattern: ".*accounts.*", subject: "111" } }],
  ];
  const uids: string[] = [];
  for (const [, fields] of people) {
    const { uid } = await access.platform.create("identities", await access.fixture.parent(), { name: "", ...fields });
    await access.platform.create("roleBindings", stack.groupUid, { identityUid: uid, roleUid: access.roles.get("viewer") });
    uids.push(uid);
  }
  expect(await stack.refresh()).toBe(true);
  const { viewer } = (stack.state?.outputs as { access: { viewer: Record<string, string> } }).access;
  const labelOf = (uid: string | undefined) => Object.keys(viewer).find((label) => viewer[label] === uid);
  expect(uids.slice(0, 2).map(labelOf).sort()).toEqual(["eve@acme.example", expect.stringMatching(/^eve@acme.example \(.+\)$/)]);
  expect(labelOf(uids[2])).toBe("110 (accounts.example)");
  expect(labelOf(uids[3])).toBe(uids[3]);
  const { state } = stack;
  await stack.refresh();
  expect(stack.state).toEqual(state);
  await stack.up({ access: { owner: ["zoe"] } });
  expect(await stack.members()).toEqual(["zoe owner"]);
});

test.each([
  ["a person by the verified address", "a".repeat(40), { email: "eve@acme.example" }, "eve@acme.example"],
  ["a person without one by the login", "a".repeat(40), { email: "" }, "108 (accounts.example)"],
  ["an identity in a group by its name", `${"a".repeat(40)}/${"b".repeat(16)}`, { email: "" }, "boss@acme.example"],
])("people choose their names, so a binding calls %s", (_, uid, shown, called) => {
  const identity = { uid, name: "boss@acme.example", issuer: "https://accounts.example", subject: "108", ...shown };
  const row = { uid: `${"c".repeat(40)}/${"d".repeat(16)}`, identity, role: { uid: "e".repeat(40), name: "owner" } };
  expect(shownBy(row as unknown as WireRoleBinding).identityName).toBe(called);
});

test("a refresh keeps two identities of one name apart", async () => {
  const stack = await access.brought({ access: { owner: ["zoe"] } });
  const { uid } = await access.platform.create("identities", await access.fixture.parent(), {
    name: "zoe",
    claimMatch: { issuer: "https://issuer.example", subject: "another" },
  });
  await access.platform.create("roleBindings", stack.groupUid, { identityUid: uid, roleUid: access.roles.get("owner") });
  await stack.refresh();
  expect(stack.known).toEqual([`zoe (${uid}) owner`, "zoe owner"]);
  await stack.up({ access: { owner: ["zoe"] } });
  expect(await stack.members()).toEqual(["zoe owner"]);
});

test.each([
  ["an organisation", true],
  ["another group", false],
])("of %s: who was found in it, and who is about to be removed from it, is told in words", async (_, isRoot) => {
  const stack = await access.stack(isRoot ? access.platform.root : undefined);
  const said: string[] = [];
  const run = () => access.fixture.run({ notify: (text) => said.push(text) });
  const declared = { access: { viewer: ["zoe"] }, roles: ["viewer"] };
  await access.bind(stack.groupUid, "max", "viewer");
  await stack.up({ ...declared, adopt: true });
  await stack.refresh(run());
  expect(said.join("\n")).toMatch(
    /somebody else has given access .*"max".* as viewer .*all of it if this resource has left the program/,
  );
  said.length = 0;
  await stack.up(declared, { run: run() });
  expect(said.join("\n").includes('the update takes access to all of it from "max" as viewer')).toBe(isRoot);
  said.length = 0;
  await stack.up(declared, { run: run() });
  expect(said).toEqual([]);
});

import { AccessFixture, type Declared } from "../../support/access-fixture";
import { failureOf, role } from "../../support/resource-fixture";

let access: AccessFixture;

beforeAll(async () => {
  access = await AccessFixture.start();
});
afterAll(() => access.fixture.close());
beforeEach(() => access.fixture.reset());

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
    const { bindings } = stack.state?.outputs as { bindings: Record<string, Record<string, string>> };
    await access.platform.delete("roleBindings", bindings[inputs.name]?.["max"] ?? "");
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
  const { message } = await failureOf(stack.up(declared));
  for (const part of [first.uid, "does not replace it", "Nothing was sent"]) expect(message).toContain(part);
  expect(await access.platform.writes()).toEqual([]);
  // Its uid names the new role.
  await stack.up({ access: { [other.uid]: ["max"], viewer: ["zoe", "eve"] }, roles: [other.uid, "viewer"] });
  expect(await access.members(stack.groupUid)).toEqual(["eve viewer", "max ?", "zoe viewer"]);
});

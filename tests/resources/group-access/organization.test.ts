import { AccessFixture } from "../../support/access-fixture";

let access: AccessFixture;

beforeAll(async () => {
  access = await AccessFixture.start();
});
afterAll(() => access.fixture.close());

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
  expect(said.join("\n").includes('the update takes access of all of it from "max" as viewer')).toBe(isRoot);
  said.length = 0;
  await stack.up(declared, { run: run() });
  expect(said).toEqual([]);
});

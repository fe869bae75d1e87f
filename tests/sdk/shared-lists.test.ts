import * as pulumi from "@pulumi/pulumi";
import { getGroups, getIdentity, getRole, getRoleOutput, getRoles, Group } from "../../sdk";
import { runErrorOf, settled, usePlatform } from "./support";

const use = usePlatform();

/** Begins the run of a program. */
async function startRun(preview: boolean): Promise<void> {
  await pulumi.runtime.setMocks(
    {
      call: ({ inputs }) => inputs as object,
      newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as object }),
    },
    "project",
    "stack",
    preview,
  );
  await pulumi.runtime.runInPulumiStack(() => Promise.resolve());
  await use.platform.clearRequests();
}

const asked = async () => (await use.platform.requests()).map(({ path }) => path.split("/").at(-1));

test.each([
  ["a preview", true],
  ["an up", false],
])("in %s, one List answers all who ask the same", async (_what, preview) => {
  await startRun(preview);
  for (let turn = 0; turn < 3; turn++) {
    await getRole({ name: "viewer" });
    await settled(getRoleOutput({ name: "viewer" }));
  }
  expect(await asked()).toEqual(["roles"]);
});

test("other filters are another question", async () => {
  await startRun(true);
  await Promise.all([getRole({ name: "viewer" }), getRole({ name: "editor" }), getRoles(), getRoles({ inRoot: true })]);
  expect(await asked()).toEqual(["roles", "roles", "roles", "roles"]);
});

test("each caller has rows of its own", async () => {
  await startRun(true);
  const { roles } = await getRoles();
  for (const role of roles) Reflect.set(role, "name", "spoilt");
  expect((await getRoles()).roles.map(({ name }) => name)).toContain("viewer");
});

test("a List that failed is asked again", async () => {
  await startRun(true);
  await use.platform.fault({ path: "/roles$" }, { status: 403 });
  await runErrorOf(getRoles());
  expect((await getRoles()).roles).not.toEqual([]);
});

test("the next run of the same process asks anew", async () => {
  for (let run = 0; run < 2; run++) {
    await startRun(false);
    await getRoles();
    expect(await asked()).toEqual(["roles"]);
  }
});

test("what a run may be changing is asked anew once the program has declared something", async () => {
  await startRun(false);
  await getGroups();
  await getGroups();
  expect(await asked()).toEqual(["groups"]);
  new Group("team", { parentUid: use.platform.root });
  await use.platform.create("groups", use.platform.root, { name: "new" });
  expect((await getGroups()).groups.map(({ name }) => name)).toContain("new");
  await runErrorOf(getIdentity({ name: "new" }));
  await use.platform.create("identities", use.platform.root, { name: "new" });
  expect(await getIdentity({ name: "new" })).toMatchObject({ name: "new" });
});

test("a preview changes nothing, so it asks once all the same", async () => {
  await startRun(true);
  new Group("team", { parentUid: use.platform.root });
  await getGroups();
  await getGroups();
  expect(await asked()).toEqual(["groups"]);
});

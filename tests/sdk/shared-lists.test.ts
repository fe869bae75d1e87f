import * as pulumi from "@pulumi/pulumi";
import { getGroups, getGroupsOutput, getRole, getRoleOutput, getRoles, Group } from "../../sdk";
import { playEngine, runErrorOf, settled, usePlatform } from "./support";

const { platform } = usePlatform();

/** Begins the run of a program. */
async function startRun(preview: boolean, make: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  await playEngine({
    newResource: async ({ name, type, inputs }) => {
      if (type.startsWith("other:")) await make();
      return { id: `${name}-id`, state: inputs as object };
    },
    preview,
    isReal: true,
  });
  await pulumi.runtime.runInPulumiStack(() => Promise.resolve());
  await platform.clearRequests();
}

const asked = async () => (await platform.requests()).map(({ path }) => path.split("/").at(-1));

test("in a preview, one List answers all that ask the same", async () => {
  await startRun(true);
  for (let turn = 0; turn < 3; turn++) {
    await getRole({ name: "viewer" });
    await settled(getRoleOutput({ name: "viewer" }));
  }
  expect(await asked()).toEqual(["roles"]);
});

test("in an up, one List answers all that ask the same at once", async () => {
  await startRun(false);
  const outputs = Array.from({ length: 20 }, () => settled(getRoleOutput({ name: "viewer" })));
  await Promise.all([...outputs, getRole({ name: "viewer" })]);
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
  await platform.fault({ path: "/roles$" }, { status: 403 });
  await runErrorOf(getRoles());
  expect((await getRoles()).roles).not.toEqual([]);
});

test("the next run of the same process asks again", async () => {
  for (let run = 0; run < 2; run++) {
    await startRun(false);
    await getRoles();
    expect(await asked()).toEqual(["roles"]);
  }
});

test("in an up, a later call sees what was created meanwhile", async () => {
  await startRun(false);
  await getGroups();
  await platform.create("groups", platform.root, { name: "new" });
  expect((await getGroups()).groups.map(({ name }) => name)).toContain("new");
});

class Command extends pulumi.CustomResource {
  constructor() {
    super("other:index:Command", "make", {});
  }
}

test("in an up, what depends on a resource is read after it, whatever others have read", async () => {
  await startRun(false, async () => {
    await before;
    await platform.create("groups", platform.root, { name: "made by another provider" });
  });
  const before = settled(getGroupsOutput());
  const { value } = await settled(getGroupsOutput({}, { dependsOn: [new Command()] }));
  expect(value?.groups.map(({ name }) => name)).toContain("made by another provider");
});

test("a preview changes nothing, so it asks once", async () => {
  await startRun(true);
  new Group("team", { parentUid: platform.root });
  await getGroups();
  await getGroups();
  expect(await asked()).toEqual(["groups"]);
});

import { claimMatch } from "./programs";
import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";
import { longTest } from "../support/tier";

useProject("", { shared: true });

const text = (value: string) => JSON.stringify(value);

/** The objects in state, by logical name. */
async function logicalNames(): Promise<Record<string, string | undefined>> {
  const resources = await project.resources();
  return Object.fromEntries(resources.map(({ urn, id }) => [urn.split("::").at(-1) ?? "", id]));
}

test("get fills the inputs and outputs of an identity and a role binding, and writes nothing", async () => {
  const identity = await platform.create("identities", platform.root, { name: "ci", description: "Pipeline", claimMatch });
  const roleUid = await platform.role("viewer");
  const binding = await platform.create("roleBindings", platform.root, { identityUid: identity.uid, roleUid });
  await project.program(`
    const ci = Identity.get("ci", ${text(identity.uid)});
    const binding = RoleBinding.get("binding", ${text(binding.uid)});
    exports.ci = {
      uid: ci.uid, parentUid: ci.parentUid, name: ci.name, description: ci.description, claimMatch: ci.claimMatch, createTime: ci.createTime,
    };
    exports.binding = {
      uid: binding.uid, parentUid: binding.parentUid, identityUid: binding.identityUid, roleUid: binding.roleUid,
      identity: binding.identity, group: binding.group, role: binding.role, createTime: binding.createTime,
    };
  `);
  await platform.clearRequests();
  await succeed(project.up());
  expect(await platform.writes()).toEqual([]);
  expect(await project.output("ci")).toEqual({
    uid: identity.uid,
    parentUid: platform.root,
    name: "ci",
    description: "Pipeline",
    claimMatch,
    createTime: identity["createTime"],
  });
  const organization = (await platform.objects("groups")).find((group) => group.uid === platform.root);
  expect(await project.output("binding")).toEqual({
    uid: binding.uid,
    parentUid: platform.root,
    identityUid: identity.uid,
    roleUid,
    identity: { name: "ci" },
    group: { name: organization?.name },
    role: { name: "viewer" },
    createTime: binding["createTime"],
  });
  // What was only read is not deleted when the program drops it.
  await project.program("");
  await succeed(project.up());
  expect(await platform.writes()).toEqual([]);
});

longTest.each([
  ["Identity", "identity"],
  ["RoleBinding", "role binding"],
])("%s.get of a missing object fails, says which, and leaves nothing in state", async (kind, noun) => {
  await project.program(`${kind}.get("lost", root + "/00000000000000ff");`);
  const { output } = await fail(project.up());
  expect(output).toContain(`${noun} ${platform.root}/00000000000000ff not found`);
  expect(await logicalNames()).toEqual({});
});

longTest(
  "an object that leaves the program and is read with get under another logical name is deleted, as the preview says",
  async () => {
    await project.program(`new Group("declared", { parentUid: root });`);
    await succeed(project.up());
    const { uid } = await platform.named("groups", "declared");
    await project.program(`Group.get("got", ${text(uid)});`);
    expect((await succeed(project.preview())).steps).toEqual(["read Group got", "delete Group declared"]);
    expect((await succeed(project.up())).steps).toEqual(["read Group got", "delete Group declared"]);
    expect(await platform.groupNames()).toEqual([]);
    // The read came before the delete, so state still has it; the next run finds that it is gone.
    expect((await fail(project.preview())).output).toContain(`group ${uid} not found`);
  },
);

longTest("an object that is read with get under the logical name that it had is kept, and is unmanaged afterwards", async () => {
  await project.program(`new Group("declared", { parentUid: root });`);
  await succeed(project.up());
  const { uid } = await platform.named("groups", "declared");
  await platform.clearRequests();
  await project.program(`Group.get("declared", ${text(uid)});`);
  expect((await succeed(project.up())).steps).toEqual(["read Group declared"]);
  await succeed(project.destroy("--run-program"));
  expect(await platform.writes()).toEqual([]);
  expect(await platform.groupNames()).toEqual(["declared"]);
  expect(await logicalNames()).toEqual({});
});

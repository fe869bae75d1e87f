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

test("get fills the inputs and outputs of what it reads, also of the access of a group, and writes nothing; what was only read is not deleted", async () => {
  const description = "Pipeline";
  const group = await platform.create("groups", platform.root, { name: "shop", description });
  const identity = await platform.create("identities", group.uid, { name: "ci", description, claimMatch });
  const roleUid = await platform.role("viewer");
  const binding = await platform.create("roleBindings", group.uid, { identityUid: identity.uid, roleUid });
  await project.program(`
    const top = Group.get("top", root);
    const shop = Group.get("shop", ${text(group.uid)});
    const ci = Identity.get("ci", ${text(identity.uid)});
    const binding = RoleBinding.get("binding", ${text(binding.uid)});
    const { access } = GroupAccess.get("access", ${text(group.uid)});
    exports.all = {
      top: { parentUid: top.parentUid },
      shop: { uid: shop.uid, parentUid: shop.parentUid, name: shop.name, description: shop.description },
      ci: { uid: ci.uid, parentUid: ci.parentUid, name: ci.name, description: ci.description, claimMatch: ci.claimMatch, createTime: ci.createTime },
      binding: {
        uid: binding.uid, parentUid: binding.parentUid, identityUid: binding.identityUid, roleUid: binding.roleUid,
        identity: binding.identity, group: binding.group, role: binding.role, createTime: binding.createTime,
      },
      access,
    };
  `);
  await platform.clearRequests();
  await succeed(project.up());
  expect(await project.output("all")).toEqual({
    top: {},
    shop: { uid: group.uid, parentUid: platform.root, name: "shop", description },
    ci: { uid: identity.uid, parentUid: group.uid, name: "ci", description, claimMatch, createTime: identity["createTime"] },
    binding: {
      uid: binding.uid,
      parentUid: group.uid,
      identityUid: identity.uid,
      roleUid,
      identity: { name: "ci" },
      group: { name: "shop" },
      role: { name: "viewer" },
      createTime: binding["createTime"],
    },
    access: { viewer: { ci: identity.uid } },
  });
  await project.program("");
  await succeed(project.up());
  expect(await platform.writes()).toEqual([]);
});

test("get by a path is the uid in the program and in state; one that leads nowhere ends the run with the missing part, without a stack", async () => {
  const group = await platform.create("groups", platform.root, { name: "by-path" });
  await project.program(`
    const found = Group.get("found", "acme.example/by-path");
    exports.all = { uid: found.uid, id: found.id, name: found.name };
  `);
  await succeed(project.up());
  expect(await project.output("all")).toEqual({ uid: group.uid, id: group.uid, name: "by-path" });
  expect((await logicalNames())["found"]).toBe(group.uid);
  await project.program('Group.get("gone", "acme.example/by-paht");');
  const { output } = await fail(project.preview(), 'it has no group "by-paht"', 'Did you mean "by-path"?');
  expect(output).not.toMatch(/^\s+at /m);
  await project.program("");
  await succeed(project.up());
});

longTest(
  "an object that leaves the program and is read with get under another logical name is deleted, as the preview says",
  async () => {
    await project.program(`new Group("declared", { parentUid: root });`);
    await succeed(project.up());
    const { uid } = await platform.named("groups", "declared");
    await project.program(`Group.get("got", ${text(uid)});`);
    for (const command of [() => project.preview(), () => project.up()])
      expect((await succeed(command())).steps).toEqual(["read Group got", "delete Group declared"]);
    expect(await platform.groupNames()).not.toContain("declared");
    // The read came before the delete, so state still has it; the next run finds that it is gone.
    await fail(project.preview(), `group ${uid} not found`);
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
  expect(await platform.groupNames()).toContain("declared");
  expect(await logicalNames()).toEqual({});
});

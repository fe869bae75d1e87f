import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";
import { longTest } from "../support/tier";

useProject();

const declare = (args = "") => `new Group("colleagues", { parentUid: root, description: "Made by hand" ${args} });`;

longTest("an object that exists is not taken without adopt; the error names its uid and the options", async () => {
  const { uid } = await platform.create("groups", platform.root, { name: "colleagues", description: "Made by hand" });
  await project.program(declare());
  const { output } = await fail(project.up());
  expect(output).toContain(uid);
  expect(output).toContain("`adopt: true`");
  expect(output).toContain("`aliases`");
  expect(await platform.writes()).toEqual([]);
  expect(await project.resources()).toEqual([]);
});

test("adopt takes over an equal object without a write, and is neither in state nor a diff afterwards", async () => {
  const { uid } = await platform.create("groups", platform.root, { name: "colleagues", description: "Made by hand" });
  await project.program(declare(", adopt: true"));
  await succeed(project.up());
  expect(await platform.writes()).toEqual([]);
  expect((await project.resources()).map((resource) => resource.id)).toEqual([uid]);
  expect((await project.resources())[0]?.inputs).not.toHaveProperty("adopt");
  await project.program(declare());
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  await succeed(project.destroy("--run-program"));
  expect(await platform.groupNames()).toEqual([]);
});

longTest("adopt rejects an object that differs, and names the differences", async () => {
  await platform.create("groups", platform.root, { name: "colleagues", description: "Something else" });
  await project.program(declare(", adopt: true"));
  const { output } = await fail(project.up());
  expect(output).toContain('the platform has description "Something else"');
  expect(await platform.writes()).toEqual([]);
});

longTest("adopt takes over identities and role bindings too", async () => {
  const claimMatch = { issuer: "https://gitlab.com", subject: "project_path:acme/shop:ref_type:branch:ref:main" };
  const identity = await platform.create("identities", platform.root, { name: "ci", claimMatch });
  const role = await platform.role("viewer");
  const binding = await platform.create("roleBindings", platform.root, { identityUid: identity.uid, roleUid: role });
  await project.program(`
    const ci = new Identity("ci", { parentUid: root, claimMatch: ${JSON.stringify(claimMatch)} });
    new RoleBinding("ci-viewer", { parentUid: root, identityUid: ci.uid, roleUid: ${JSON.stringify(role)} });
  `);
  project.environment["PLATFORM_ADOPT"] = "true";
  await succeed(project.up());
  expect((await project.resources()).map((resource) => resource.id).sort()).toEqual([identity.uid, binding.uid].sort());
  expect(await platform.writes()).toEqual([]);
});

longTest("a logical rename with adopt keeps the object, also after a run that failed in the middle", async () => {
  await project.program(declare());
  await succeed(project.up());
  const { uid } = await platform.named("groups", "colleagues");
  await platform.clearRequests();
  await project.program(
    declare(", adopt: true").replace('"colleagues"', '"renamed"').replace("parentUid", 'name: "colleagues", parentUid'),
  );
  await succeed(project.up());
  expect(await platform.writes()).toEqual([]);
  expect((await platform.named("groups", "colleagues")).uid).toBe(uid);
  expect((await project.resources()).map((resource) => resource.urn.split("::").at(-1))).toEqual(["renamed"]);

  // Another rename, whose run fails after the new name took the object and before the old name is deleted.
  await project.program(`
    const again = new Group("again", { parentUid: root, name: "colleagues", description: "Made by hand", adopt: true });
    new Group("broken", { parentUid: again.uid, name: "taken" });
  `);
  await platform.create("groups", uid, { name: "taken" });
  await fail(project.up());
  expect((await project.resources()).map((resource) => resource.id)).toEqual([uid, uid]);
  await project.program(`new Group("again", { parentUid: root, name: "colleagues", description: "Made by hand", adopt: true });`);
  await succeed(project.up());
  expect((await platform.named("groups", "colleagues")).uid).toBe(uid);
  expect((await project.resources()).map((resource) => resource.urn.split("::").at(-1))).toEqual(["again"]);
});

longTest("a resource that is removed from the program is deleted, also by up --refresh", async () => {
  await project.program(`${declare()} new Group("other", { parentUid: root });`);
  await succeed(project.up());
  await project.program(declare());
  await succeed(project.up("--refresh", "--run-program"));
  expect(await platform.groupNames()).toEqual(["colleagues"]);
});

longTest("up --replace with PLATFORM_ADOPT keeps the object", async () => {
  await project.program(declare());
  await succeed(project.up());
  const { uid } = await platform.named("groups", "colleagues");
  project.environment["PLATFORM_ADOPT"] = "true";
  const urn = (await project.resources())[0]?.urn ?? "";
  await succeed(project.up("--replace", urn));
  expect((await platform.named("groups", "colleagues")).uid).toBe(uid);
  expect((await project.resources()).map((resource) => resource.id)).toEqual([uid]);
});

import { fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

useProject(program);

const declared = ["CAP_REPO_LIST", "CAP_TAG_LIST", "CAP_MANIFEST_LIST"];
const sorted = [...declared].sort();
const text = (value: unknown) => JSON.stringify(value);

/** A role, and a binding of it to an identity. */
function program(capabilities = declared): string {
  return `
    const team = new Group("team", { parentUid: root });
    const ci = new Identity("ci", { parentUid: team.uid, claimMatch: { issuer: "https://gitlab.com", subject: "ci" } });
    const puller = new Role("puller", { parentUid: team.uid, description: "Pulls", capabilities: ${text(capabilities)} });
    new RoleBinding("ci-puller", { parentUid: team.uid, identityUid: ci.uid, roleUid: puller.uid });
    exports.puller = { uid: puller.uid, parentUid: puller.parentUid, name: puller.name, capabilities: puller.capabilities };
  `;
}

test("up makes a role and its binding; the same set in another order is no change; a new set is one update", async () => {
  const { steps } = await succeed(project.up());
  expect(steps.sort()).toEqual(["create Group team", "create Identity ci", "create Role puller", "create RoleBinding ci-puller"]);
  const puller = await platform.named("roles", "puller");
  expect(puller).toMatchObject({ description: "Pulls", capabilities: sorted });
  const bindings = await platform.objects("roleBindings");
  expect(bindings).toContainEqual(expect.objectContaining({ role: expect.objectContaining({ uid: puller.uid }) as unknown }));
  const team = await platform.named("groups", "team");
  expect(await project.output("puller")).toEqual({
    uid: puller.uid,
    parentUid: team.uid,
    name: "puller",
    capabilities: sorted,
  });

  await platform.clearRequests();
  for (const same of [declared, [...declared].reverse(), [...declared, "CAP_TAG_LIST"]]) {
    await project.program(program(same));
    expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  }
  expect(await platform.requests()).toEqual([]);

  await project.program(program(["CAP_REPO_LIST"]));
  expect((await succeed(project.up())).steps).toEqual(["update Role puller"]);
  expect(await platform.writes()).toMatchObject([
    { method: "PATCH", query: "updateMask=capabilities", body: { capabilities: ["CAP_REPO_LIST"] } },
  ]);
});

test("a capability added by hand is drift, found with exit code 7 and repaired by up --refresh", async () => {
  await succeed(project.up());
  const puller = await platform.named("roles", "puller");
  await platform.change("roles", puller.uid, { capabilities: [...declared, "CAP_IAM_ROLE_BINDINGS_CREATE"] });
  const drift = await project.drift();
  expect(drift).toMatchObject({ code: 7, steps: ["update Role puller"] });
  await succeed(project.up("--refresh", "--run-program"));
  expect((await platform.named("roles", "puller"))["capabilities"]).toEqual(sorted);
  expect(await succeed(project.drift())).toMatchObject({ steps: [] });
});

test("a role with a binding from elsewhere is not deleted; the error names the binding; then destroy leaves nothing", async () => {
  await succeed(project.up());
  const puller = await platform.named("roles", "puller");
  const binding = await platform.create("roleBindings", platform.root, {
    identityUid: platform.identity,
    roleUid: puller.uid,
  });
  const { output } = await fail(project.destroy("--run-program"));
  expect(output).toContain(binding.uid);
  expect((await project.resources()).map(({ id }) => id)).toContain(puller.uid);
  expect((await platform.objects("roles")).map(({ uid }) => uid)).toContain(puller.uid);

  await platform.delete("roleBindings", binding.uid);
  await succeed(project.destroy("--run-program"));
  expect(await project.resources()).toEqual([]);
  expect((await platform.objects("roles")).filter(({ uid }) => uid.includes("/"))).toEqual([]);
});

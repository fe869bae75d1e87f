import { claimMatch, type Declared, organization } from "./programs";
import { Project } from "./project";
import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";

useProject(organization());

test("a preview sends nothing; up makes what is declared; a second up changes nothing and sends nothing", async () => {
  const preview = await succeed(project.preview());
  expect(preview.steps.sort()).toEqual([
    "create Group engineering",
    "create Group security",
    "create Group team",
    "create Identity ci",
    "create Identity nightly",
    "create RoleBinding binding",
  ]);
  expect(await platform.writes()).toEqual([]);

  await succeed(project.up());
  expect(await platform.groupNames()).toEqual(["engineering", "security", "team"]);
  const engineering = await platform.named("groups", "engineering");
  const team = await platform.named("groups", "team");
  const ci = await platform.named("identities", "ci");
  expect(engineering["description"]).toBe("Everyone who builds");
  expect(team.uid.startsWith(`${engineering.uid}/`)).toBe(true);
  expect(ci).toMatchObject({ description: "Pipeline", claimMatch });
  const bindings = (await platform.objects("roleBindings")).filter((binding) => binding.uid.startsWith(`${team.uid}/`));
  expect(bindings).toMatchObject([{ identity: { uid: ci.uid }, role: { name: "viewer" } }]);
  expect(await project.output("team")).toBe(team.uid);
  expect(await project.output("bound")).toBe("ci");

  await platform.clearRequests();
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect((await platform.requests()).map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /iam/v2beta1/roles"]);
  expect((await succeed(project.drift())).steps).toEqual([]);
});

test("state holds no token, no path of this machine and at most 120 bytes of __provider", async () => {
  await succeed(project.up());
  const text = await project.stateText();
  expect(text).not.toMatch(/eyJ[\w-]{10,}/);
  for (const resource of await project.resources()) {
    expect(JSON.stringify(resource)).not.toContain(process.cwd());
    expect(resource).not.toHaveProperty("stackTrace");
    expect(resource).not.toHaveProperty("sourcePosition");
    expect(String(resource.inputs["__provider"]).length).toBeLessThanOrEqual(120);
    expect(resource.outputs).not.toHaveProperty("adopt");
  }
});

const updates: [string, Declared, { updateMask: string; body: object }][] = [
  ["a group's description", { engineering: "Builders" }, { updateMask: "description", body: { description: "Builders" } }],
  ["a group's description that is cleared", { engineering: "" }, { updateMask: "description", body: { description: "" } }],
  ["a group's name", { engineeringName: "builders" }, { updateMask: "name", body: { name: "builders" } }],
  ["an identity's name", { identityName: "main pipeline" }, { updateMask: "name", body: { name: "main pipeline" } }],
  ["an identity's description", { identityDescription: "" }, { updateMask: "description", body: { description: "" } }],
  [
    "one claim of a match, which is one field",
    { claimMatch: { ...claimMatch, subject: "repo:acme/shop:environment:production" } },
    { updateMask: "claim_match", body: { claimMatch: { ...claimMatch, subject: "repo:acme/shop:environment:production" } } },
  ],
];

test("each field is updated in place, by a mask and a body of exactly that field", async () => {
  await succeed(project.up());
  const declared: Declared = {};
  for (const [what, change, { updateMask, body }] of updates) {
    await project.program(organization(Object.assign(declared, change)));
    await platform.clearRequests();
    const { steps } = await succeed(project.up());
    expect([what, steps.map((step) => step.split(" ")[0])]).toEqual([what, ["update"]]);
    const writes = (await platform.writes()).map(({ method, query, body: sent }) => ({
      method,
      query: Object.fromEntries(new URLSearchParams(query)),
      sent,
    }));
    expect([what, writes]).toEqual([what, [{ method: "PATCH", query: { updateMask }, sent: body }]]);
  }
  expect((await succeed(project.drift())).steps).toEqual([]);
});

test("a binding's identity and role change in place", async () => {
  await succeed(project.up());
  const before = (await platform.objects("roleBindings")).map((binding) => binding.uid).sort();
  await project.program(organization({ role: "editor", boundIdentity: "nightly" }));
  await platform.clearRequests();
  expect((await succeed(project.up())).steps).toEqual(["update RoleBinding binding"]);
  const nightly = await platform.named("identities", "nightly");
  expect(await platform.writes()).toMatchObject([
    {
      method: "PATCH",
      query: "updateMask=identity_uid%2Crole_uid",
      body: { identityUid: nightly.uid, roleUid: await platform.role("editor") },
    },
  ]);
  expect((await platform.objects("roleBindings")).map((binding) => binding.uid).sort()).toEqual(before);
});

test("a rename of the top group previews as exactly one update", async () => {
  await succeed(project.up());
  await project.program(organization({ engineeringName: "builders" }));
  expect((await succeed(project.preview())).steps).toEqual(["update Group engineering"]);
});

test("a new parent replaces the group and everything in it; the old ones are gone afterwards", async () => {
  await succeed(project.up());
  const old = await platform.named("groups", "team");
  await project.program(organization({ teamParent: "security" }));
  const { steps } = await succeed(project.up());
  expect(steps).toContain("create-replacement Group team");
  expect(steps).toContain("delete-replaced Group team");
  const team = await platform.named("groups", "team");
  expect(team.uid.startsWith(`${(await platform.named("groups", "security")).uid}/`)).toBe(true);
  expect((await platform.objects("roleBindings")).filter((binding) => binding.uid.startsWith(`${old.uid}/`))).toEqual([]);
  expect((await succeed(project.drift())).steps).toEqual([]);
});

test.each([[["--run-program"]], [[]]])(
  "destroy %j deletes bindings, identities and groups in order and leaves nothing",
  async (flags: string[]) => {
    await succeed(project.up());
    await platform.clearRequests();
    await succeed(project.destroy(...flags));
    expect(await platform.groupNames()).toEqual([]);
    expect((await platform.objects("identities")).map((identity) => identity.uid)).toEqual([platform.identity]);
    expect(await project.resources()).toEqual([]);
    const deleted = (await platform.writes()).map(
      ({ method, path, status }) => `${method} ${path.split("/")[3] ?? ""} ${status}`,
    );
    expect(deleted.slice(0, 1)).toEqual(["DELETE roleBindings 200"]);
    expect(deleted.every((line) => line.startsWith("DELETE ") && line.endsWith(" 200"))).toBe(true);
  },
);

test("a delete that something else blocks names it, and state keeps the group", async () => {
  await succeed(project.up());
  const team = await platform.named("groups", "team");
  await platform.create("repos", team.uid, { name: "left-behind" });
  const { output } = await fail(project.destroy("--run-program"));
  expect(output).toContain('repo "left-behind"');
  expect((await project.resources()).map((resource) => resource.id)).toContain(team.uid);
});

test("get reads an object with its inputs; get of a missing object fails and says which", async () => {
  await succeed(project.up());
  const engineering = await platform.named("groups", "engineering");
  const reader = await Project.create(
    `const found = Group.get("found", ${JSON.stringify(engineering.uid)});
     const top = Group.get("top", root);
     exports.found = { name: found.name, parentUid: found.parentUid, description: found.description };
     exports.top = { parentUid: top.parentUid };`,
    platform.environment,
  );
  try {
    await succeed(reader.up());
    expect(await reader.output("found")).toEqual({
      name: "engineering",
      parentUid: platform.root,
      description: "Everyone who builds",
    });
    expect(await reader.output("top")).toEqual({});
    await reader.program(`Group.get("lost", root + "/00000000000000ff");`);
    const { output } = await fail(reader.up());
    expect(output).toContain(`group ${platform.root}/00000000000000ff not found`);
  } finally {
    await reader.remove();
  }
});

test("two stacks side by side on one organisation do not touch each other's objects", async () => {
  const other = await Project.create(
    `new Group("other", { parentUid: root }); new Group("other-2", { parentUid: root });`,
    platform.environment,
  );
  try {
    await Promise.all([succeed(project.up()), succeed(other.up())]);
    expect(await platform.groupNames()).toEqual(["engineering", "other", "other-2", "security", "team"]);
    await Promise.all([succeed(project.destroy("--run-program")), succeed(other.drift())]);
    expect(await platform.groupNames()).toEqual(["other", "other-2"]);
  } finally {
    await other.remove();
  }
});

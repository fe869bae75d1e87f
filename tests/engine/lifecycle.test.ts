import { claimMatch, type Declared, organization } from "./programs";
import { Project } from "./project";
import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";
import { testedVersion } from "../support/api-version";
import { longTest } from "../support/tier";

useProject(organization());

async function expectNothingLeft(): Promise<void> {
  expect(await platform.groupNames()).toEqual([]);
  expect((await platform.objects("identities")).map((identity) => identity.uid)).toEqual([platform.identity]);
  expect(await project.resources()).toEqual([]);
}

/** Each write, with its status. */
const writes = async () =>
  (await platform.writes()).map(({ method, path, status }) => `${method} ${path.split("/")[3] ?? ""} ${status}`);
const isDeleted = /^DELETE \w+ 200$/;

test("a preview sends nothing; up makes what is declared; a second up changes nothing and writes nothing; state holds nothing secret; destroy deletes in order and leaves nothing", async () => {
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
  expect((await platform.requests()).map(({ method, path }) => `${method} ${path}`)).toEqual([
    `GET /iam/${testedVersion()}/roles`,
  ]);
  expect((await succeed(project.drift())).steps).toEqual([]);

  // No token, no path of this machine, and at most 120 bytes of code.
  const text = await project.stateText();
  expect(text).not.toMatch(/eyJ[\w-]{10,}/);
  for (const resource of await project.resources()) {
    expect(JSON.stringify(resource)).not.toContain(process.cwd());
    expect(resource).not.toHaveProperty("stackTrace");
    expect(resource).not.toHaveProperty("sourcePosition");
    expect(String(resource.inputs["__provider"]).length).toBeLessThanOrEqual(120);
    expect(resource.outputs).not.toHaveProperty("adopt");
  }

  await platform.clearRequests();
  await succeed(project.destroy("--run-program"));
  await expectNothingLeft();
  const sent = await writes();
  expect(sent[0]).toBe("DELETE roleBindings 200");
  expect(sent.filter((line) => !isDeleted.test(line))).toEqual([]);
});

/** A changed field: of which resource, and the mask and the body of the request that updates it. */
type Update = [resource: string, change: Declared, updateMask: string, body: (nightly: string, editor: string) => object];

const subject = "repo:acme/shop:environment:production";

/** Every field of every kind; the changes of one round are made together, each to another object. */
const rounds: Update[][] = [
  [
    ["Group engineering", { engineering: "Builders" }, "description", () => ({ description: "Builders" })],
    ["Identity ci", { identityName: "main pipeline" }, "name", () => ({ name: "main pipeline" })],
  ],
  [
    ["Group engineering", { engineering: "" }, "description", () => ({ description: "" })],
    ["Identity ci", { identityDescription: "" }, "description", () => ({ description: "" })],
  ],
  [
    ["Group engineering", { engineeringName: "builders" }, "name", () => ({ name: "builders" })],
    // One claim of a match, which is one field.
    [
      "Identity ci",
      { claimMatch: { ...claimMatch, subject } },
      "claim_match",
      () => ({ claimMatch: { ...claimMatch, subject } }),
    ],
    [
      "RoleBinding binding",
      { role: "editor", boundIdentity: "nightly" },
      "identity_uid,role_uid",
      (identityUid, roleUid) => ({ identityUid, roleUid }),
    ],
  ],
];

test("each field is updated in place, by a mask and a body of exactly that field; a renamed parent previews as an update alone", async () => {
  await succeed(project.up());
  await project.program(organization({ engineeringName: "builders" }));
  expect((await succeed(project.preview())).steps).toEqual(["update Group engineering"]);
  const uids = async () => (await project.resources()).map(({ id }) => id).sort();
  const before = await uids();
  const [nightly, editor] = [(await platform.named("identities", "nightly")).uid, await platform.role("editor")];
  const declared: Declared = {};
  for (const round of rounds) {
    for (const [, change] of round) Object.assign(declared, change);
    await project.program(organization(declared));
    const expected = round.map(([resource]) => `update ${resource}`).sort();
    await platform.clearRequests();
    expect((await succeed(project.up())).steps.sort()).toEqual(expected);
    const sent = (await platform.writes()).map(({ method, query, body }) => [
      method,
      new URLSearchParams(query).toString(),
      body,
    ]);
    const updates = round.map(([, , updateMask, body]) => {
      return ["PATCH", new URLSearchParams({ updateMask }).toString(), body(nightly, editor)];
    });
    expect(sent).toHaveLength(updates.length);
    expect(sent).toEqual(expect.arrayContaining(updates));
  }
  expect(await uids()).toEqual(before);
  expect((await succeed(project.drift())).steps).toEqual([]);
});

longTest("a new parent replaces the group and everything in it; the old ones are gone afterwards", async () => {
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

test("a delete that something else blocks names it, and state keeps the group; then destroy leaves nothing, without the program too", async () => {
  await succeed(project.up());
  await platform.clearRequests();
  const team = await platform.named("groups", "team");
  const repo = await platform.create("repos", team.uid, { name: "left-behind" });
  const { output } = await fail(project.destroy());
  expect(output).toContain('repo "left-behind"');
  const sent = await writes();
  expect(sent[0]).toBe("DELETE roleBindings 200");
  expect(sent.filter((line) => !isDeleted.test(line) && line !== "DELETE groups 400")).toEqual([]);
  expect((await project.resources()).map((resource) => resource.id)).toContain(team.uid);

  await platform.delete("repos", repo.uid);
  await platform.clearRequests();
  await succeed(project.destroy());
  await expectNothingLeft();
  expect((await writes()).filter((line) => !isDeleted.test(line))).toEqual([]);
});

longTest("get reads an object with its inputs; get of a missing object fails and says which", async () => {
  const description = "Everyone who builds";
  const engineering = await platform.create("groups", platform.root, { name: "engineering", description });
  await project.program(
    `const found = Group.get("found", ${JSON.stringify(engineering.uid)});
     const top = Group.get("top", root);
     exports.found = { name: found.name, parentUid: found.parentUid, description: found.description };
     exports.top = { parentUid: top.parentUid };`,
  );
  await succeed(project.up());
  expect(await project.output("found")).toEqual({ name: "engineering", parentUid: platform.root, description });
  expect(await project.output("top")).toEqual({});
  await project.program(`Group.get("lost", root + "/00000000000000ff");`);
  const { output } = await fail(project.up());
  expect(output).toContain(`group ${platform.root}/00000000000000ff not found`);
});

longTest("two stacks side by side on one organisation do not touch each other's objects", async () => {
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

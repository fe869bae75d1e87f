import { claimMatch, type Declared, organization } from "./programs";
import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";
import { testedVersion } from "../support/api-version";
import { longTest } from "../support/tier";

useProject(organization());

/** Each write, with its status. */
const writes = async () =>
  (await platform.writes()).map(({ method, path, status }) => `${method} ${path.split("/")[3] ?? ""} ${status}`);
const isDeleted = /^DELETE \w+ 200$/;
const bindingsIn = async (group: string) =>
  (await platform.objects("roleBindings")).filter(({ uid }) => uid.startsWith(`${group}/`));

/** Expects a state without anything secret, and without what differs from machine to machine. */
async function expectPlainState(): Promise<void> {
  expect(await project.storedState()).not.toMatch(/eyJ[\w-]{10,}/);
  for (const resource of await project.resources()) {
    expect(JSON.stringify(resource)).not.toContain(process.cwd());
    expect(resource).not.toHaveProperty("stackTrace");
    expect(resource).not.toHaveProperty("sourcePosition");
    expect(String(resource.inputs["__provider"]).length).toBeLessThanOrEqual(120);
    expect(resource.outputs).not.toHaveProperty("adopt");
  }
}

test("preview sends nothing; up makes what is declared; a second one changes nothing, writes nothing; a change is one request with exactly its fields; destroy deletes in order, stops at what is in the way, and then leaves nothing", async () => {
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
  expect(await bindingsIn(team.uid)).toMatchObject([{ identity: { uid: ci.uid }, role: { name: "viewer" } }]);
  expect([await project.output("team"), await project.output("bound")]).toEqual([team.uid, "ci"]);
  await expectPlainState();

  await platform.clearRequests();
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  const asked = (await platform.requests()).map(({ method, path }) => `${method} ${path}`);
  expect(asked).toEqual([`GET /iam/${testedVersion()}/roles`]);
  expect((await succeed(project.drift())).steps).toEqual([]);

  // A renamed parent is an update alone, also in the preview.
  const declared: Declared = { engineeringName: "builders" };
  await project.program(organization(declared));
  expect((await succeed(project.preview())).steps).toEqual(["update Group engineering"]);
  const newMatch = { ...claimMatch, subject: "repo:acme/shop:environment:production" };
  await project.program(organization({ ...declared, claimMatch: newMatch, role: "editor", boundIdentity: "nightly" }));
  await platform.clearRequests();
  const ids = async () => (await project.resources()).map(({ id }) => id).sort();
  const before = await ids();
  await succeed(project.up());
  const nightly = await platform.named("identities", "nightly");
  const sent = (await platform.writes()).map(({ method, query, body }) => [method, decodeURIComponent(query), body]);
  expect(sent.sort()).toEqual([
    ["PATCH", "updateMask=claim_match", { claimMatch: newMatch }],
    ["PATCH", "updateMask=identity_uid,role_uid", { identityUid: nightly.uid, roleUid: await platform.role("editor") }],
    ["PATCH", "updateMask=name", { name: "builders" }],
  ]);
  expect(await ids()).toEqual(before);

  await platform.clearRequests();
  const repo = await platform.create("repos", team.uid, { name: "left-behind" });
  await fail(project.destroy("--run-program"), 'repo "left-behind"');
  const refused = await writes();
  expect(refused[0]).toBe("DELETE roleBindings 200");
  expect(refused.filter((line) => !isDeleted.test(line) && line !== "DELETE groups 400")).toEqual([]);
  expect((await project.resources()).map(({ id }) => id)).toContain(team.uid);
  await platform.delete("repos", repo.uid);
  await platform.clearRequests();
  await succeed(project.destroy());
  expect((await writes()).filter((line) => !isDeleted.test(line))).toEqual([]);
  expect(await platform.groupNames()).toEqual([]);
  expect((await platform.objects("identities")).map(({ uid }) => uid)).toEqual([platform.identity]);
  expect(await project.resources()).toEqual([]);
});

longTest("a new parent replaces the group and everything in it; the old ones are gone afterwards", async () => {
  await succeed(project.up());
  const old = await platform.named("groups", "team");
  await project.program(organization({ teamParent: "security" }));
  const { steps } = await succeed(project.up());
  expect(steps).toEqual(expect.arrayContaining(["create-replacement Group team", "delete-replaced Group team"]));
  const team = await platform.named("groups", "team");
  expect(team.uid.startsWith(`${(await platform.named("groups", "security")).uid}/`)).toBe(true);
  expect(await bindingsIn(old.uid)).toEqual([]);
  expect((await succeed(project.drift())).steps).toEqual([]);
});

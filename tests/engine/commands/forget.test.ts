import { expectEnd } from "../../support/cli";
import type { WireObject } from "../../support/test-platform";
import { fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

useProject();

const claimMatch = (subject: string) => ({ issuer: "https://issuer.example", subject });
const refreshed = ["--refresh", "--run-program"];

/** The runner of one department, which it owns: it sees no identity but those in there. */
async function department(): Promise<WireObject> {
  const made = await platform.create("groups", platform.root, { name: "department" });
  const ci = await platform.create("groups", platform.root, { name: "ci" });
  const runner = await platform.create("identities", ci.uid, { name: "runner", claimMatch: claimMatch("runner") });
  await platform.create("roleBindings", made.uid, { identityUid: runner.uid, roleUid: await platform.role("owner") });
  // Set, but empty: two sources of credentials would be an error.
  Object.assign(project.environment, { PLATFORM_IDENTITY: "", PLATFORM_OIDC_TOKEN_FILE: "" });
  project.environment["PLATFORM_TOKEN"] = await platform.apiToken({ identity: runner.uid });
  return made;
}

const declaredIdentity = (parent: string) =>
  `new Identity("ci", { parentUid: ${parent}, name: "ci", claimMatch: ${JSON.stringify(claimMatch("deploy"))} })`;

/** The resource of a class in the state. */
async function stated(type: string): Promise<{ urn: string; uid: string }> {
  const found = (await project.resources()).find((resource) => resource.type.endsWith(`:${type}`));
  if (found === undefined) throw new Error(`no ${type} is in the state`);
  return { urn: found.urn, uid: found.id ?? "" };
}

test("the only identity of a department, deleted by hand, stops every refresh until forget removes it; the next up makes it again", async () => {
  const { uid: parent } = await department();
  await project.program(`${declaredIdentity(JSON.stringify(parent))};`);
  await succeed(project.up());
  const { urn, uid } = await stated("Identity");
  expectEnd(await project.command("forget", uid, "--yes"), 1, { stdout: "It exists", stderr: "[NOT_GONE]" });

  await platform.delete("identities", uid);
  await platform.letTimePass();
  const says = [
    "no other identity in",
    "answers, and a role of these credentials",
    "[NOT_GONE]",
    `pulumi-platform forget ${uid}`,
  ];
  for (let run = 0; run < 2; run++) await fail(project.up(...refreshed), ...says);
  expect((await stated("Identity")).uid).toBe(uid);

  await succeed(project.pulumi("state", "protect", urn, "--yes"));
  expectEnd(await project.command("forget", uid, "--yes"), 1, { stdout: "gone by every sign", stderr: "protect" });
  expect((await stated("Identity")).uid).toBe(uid);
  await succeed(project.pulumi("state", "unprotect", urn, "--yes"));

  await platform.clearRequests();
  expectEnd(await project.command("forget", uid, "--yes"), 0, {
    stdout: `Removed from the state of stack test: ${urn}`,
  });
  expect(await platform.writes()).toEqual([]);
  expect(await project.resources()).toEqual([]);
  expect((await succeed(project.up(...refreshed))).steps).toEqual(["create Identity ci"]);
  const made = (await platform.objects("identities")).find(({ name }) => name === "ci");
  expect(made).toMatchObject({ uid: (await stated("Identity")).uid, claimMatch: claimMatch("deploy") });
  expect((await succeed(project.up())).steps).toEqual([]);
});

test("a group deleted by hand, whose content answers 403, is forgotten with it; the next up makes all of it again, with its access", async () => {
  const { uid: parent } = await department();
  const viewer = await platform.role("viewer");
  await project.program(`
    const team = new Group("team", { parentUid: ${JSON.stringify(parent)}, name: "team" });
    const ci = ${declaredIdentity("team.uid")};
    new RoleBinding("grant", { parentUid: team.uid, identityUid: ci.uid, roleUid: ${JSON.stringify(viewer)} });
  `);
  await succeed(project.up());
  const [group, identity, binding] = [await stated("Group"), await stated("Identity"), await stated("RoleBinding")];
  for (const [collection, { uid }] of [
    ["roleBindings", binding],
    ["identities", identity],
    ["groups", group],
  ] as const)
    await platform.delete(collection, uid);
  await platform.letTimePass();
  for (const { uid } of [binding, identity]) await platform.fault({ path: `${uid}$` }, { status: 403, code: 7 }, { times: 0 });

  await fail(
    project.up(...refreshed),
    "is gone",
    "So it was probably deleted too.",
    "[NOT_GONE]",
    `pulumi-platform forget ${identity.uid}`,
  );
  expect([await stated("Identity"), await stated("RoleBinding")]).toEqual([identity, binding]);
  expectEnd(await project.command("forget", identity.uid, "--yes"), 1, { stderr: ["--dependents", binding.urn] });

  const ended = expectEnd(await project.command("forget", identity.urn, "--dependents", "--yes", "--json"), 0, { stdout: "{" });
  expect((JSON.parse(ended.stdout) as { removed: string[] }).removed).toEqual([binding.urn, identity.urn]);
  await succeed(project.up(...refreshed));
  const [made] = (await platform.objects("roleBindings")).filter(
    ({ uid }) => uid.startsWith(`${parent}/`) && uid.split("/").length === 4,
  );
  expect(made).toMatchObject({ identity: { uid: (await stated("Identity")).uid }, role: { uid: viewer } });
  expect((await succeed(project.up())).steps).toEqual([]);
});

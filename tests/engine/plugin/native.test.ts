import { fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

useProject("", { door: "native" });

/** A group with a description. */
const group = (description: string, options = "") =>
  `const team = new Group("team", { parentUid: root, description: ${JSON.stringify(description)} }, { ${options} });\nexports.uid = team.uid;`;

test("a group is made, read, changed and deleted; the state has no path, no token and no provider text", async () => {
  await project.program(group("first"));
  expect((await succeed(project.preview())).steps).toEqual(["create Group team"]);
  expect(await platform.writes()).toEqual([]);
  await succeed(project.up());
  const { uid } = await platform.named("groups", "team");
  expect(await project.output("uid")).toBe(uid);
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect((await succeed(project.drift())).steps).toEqual([]);

  const [resource] = await project.resources();
  expect(resource).toMatchObject({ type: "platform:iam:Group", id: uid, inputs: { name: "team", description: "first" } });
  const text = await project.stateText();
  expect(text).not.toMatch(/eyJ[\w-]{10,}|__provider/);
  expect(resource).not.toHaveProperty("stackTrace");
  expect(JSON.stringify(resource)).not.toContain(process.cwd());

  await platform.change("groups", uid, { description: "by hand" });
  const drift = await fail(project.drift("--diff"));
  expect([drift.code, drift.steps]).toEqual([7, ["update Group team"]]);
  expect(drift.output).toMatch(/~ description: "first" +=> "by hand"/);
  await project.program(group("second"));
  const changed = await succeed(project.up("--refresh", "--diff"));
  expect(changed.output).toMatch(/~ description: "by hand" => "second"/);
  expect((await platform.named("groups", "team"))["description"]).toBe("second");
  await succeed(project.destroy());
  expect(await platform.groupNames()).toEqual([]);
});

test("a login that somebody else has changed stops an up of something else; an unattended up --refresh names it once, and repairs it", async () => {
  const program = (description: string) => `
    const claimMatch = { issuer: "https://issuer.example", subject: "ci" };
    new Identity("ci", { parentUid: root, description: "${description}", claimMatch });`;
  await project.program(program("first"));
  await succeed(project.up());
  const { uid } = await platform.named("identities", "ci");
  await platform.change("identities", uid, { claimMatch: { issuer: "https://evil.example" } });
  await project.program(program("second"));
  expect((await fail(project.up())).output).toMatch(/claimMatch.issuer is "https:\/\/evil.example" on the platform/);
  const { output } = await succeed(project.up("--refresh", "--run-program"));
  // While it runs, the engine repeats the last message beside the resource.
  expect(output.split("Diagnostics:")[1]?.split("https://evil.example")).toHaveLength(2);
  expect((await platform.named("identities", "ci"))["claimMatch"]).toMatchObject({ issuer: "https://issuer.example" });
});

test("replaceOnChanges replaces: what was replaced is gone from the platform, with its access", async () => {
  const program = (description: string, roleName: string) =>
    project.program(`
      const replace = { replaceOnChanges: ["*"] };
      const team = new Group("team", { parentUid: root, description: "${description}" }, { ...replace, deleteBeforeReplace: true });
      const claimMatch = { issuer: "https://issuer.example", subject: "ci" };
      const ci = new Identity("ci", { parentUid: root, name: "ci-${description}", claimMatch }, replace);
      new RoleBinding("ci", { parentUid: root, identityUid: ci.uid, roleName: "${roleName}" }, replace);`);
  const objects = async () =>
    (await Promise.all(["groups", "identities", "roleBindings"].map((kind) => platform.objects(kind)))).flat();
  const before = (await objects()).map(({ uid }) => uid);
  const made = async () => (await objects()).map(({ uid }) => uid).filter((uid) => !before.includes(uid));
  await program("first", "viewer");
  await succeed(project.up());
  const first = await made();
  await program("second", "editor");
  await succeed(project.up());
  const second = await made();
  expect(second.filter((uid) => first.includes(uid))).toEqual([]);
  expect(second.sort()).toEqual((await project.resources()).map(({ id }) => id).sort());
  expect(second).toHaveLength(3);

  // A role that was changed by hand is one by name in the program: its text is the same.
  const [bound] = (await project.resources()).filter(({ type }) => type.endsWith(":RoleBinding"));
  await platform.change("roleBindings", String(bound?.id), { roleUid: await platform.role("owner") });
  const drift = await fail(project.drift("--diff"));
  expect([drift.code, drift.output]).toEqual([7, expect.stringMatching(/~ role +: \{\s+~ name: "editor" => "owner"/)]);
  expect(drift.output).toMatch(/~ roleUid *: "\w{40}" => "\w{40}"/);
  const repair = await succeed(project.preview("--refresh", "--diff"));
  expect(repair.output).toMatch(/- role +: \{\s+- name: "owner"/);
  expect(repair.output).toMatch(/\+ roleName *: "editor"/);
  expect(`${drift.output}${repair.output}`).not.toMatch(/"editor" => "editor"/);
});

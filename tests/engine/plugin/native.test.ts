import path from "node:path";
import { endWith, fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { longTest } from "../../support/tier";

useProject("", { door: "native" });

/** A group with a description. */
const group = (description: string, options = "") =>
  `const team = new Group("team", { parentUid: root, description: ${JSON.stringify(description)} }, { ${options} });\nexports.uid = team.uid;`;

test("a group is made, read, changed and deleted, with differences field by field; the state has no path, no token and no provider text", async () => {
  await project.program(group("first"));
  await succeed(project.up());
  const { uid } = await platform.named("groups", "team");
  expect(await project.output("uid")).toBe(uid);

  const [resource] = await project.resources();
  expect(resource).toMatchObject({ type: "platform:iam:Group", id: uid, inputs: { name: "team", description: "first" } });
  expect(await project.storedState()).not.toMatch(/eyJ[\w-]{10,}|__provider/);
  expect(resource).not.toHaveProperty("stackTrace");
  expect(JSON.stringify(resource)).not.toContain(process.cwd());

  await platform.change("groups", uid, { description: "by hand" });
  const drift = await endWith(7, project.drift("--diff"));
  expect(drift.steps).toEqual(["update Group team"]);
  expect(drift.output).toMatch(/~ description: "first" +=> "by hand"/);
  await project.program(group("second"));
  const changed = await succeed(project.up("--refresh", "--diff"));
  expect(changed.output).toMatch(/~ description: "by hand" => "second"/);
  expect((await platform.named("groups", "team"))["description"]).toBe("second");
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  await succeed(project.destroy());
  expect(await platform.groupNames()).toEqual([]);
});

test("the engine's own check accepts schema.json, and rejects one with a missing type", async () => {
  await succeed(project.pulumi("schema", "check", path.resolve(__dirname, "../../../schema.json")));
  const resource = { properties: { claimMatch: { $ref: "#/types/platform:iam:NoSuchType" } } };
  await project.file("broken.json", JSON.stringify({ name: "platform", resources: { "platform:iam:Group": resource } }));
  await fail(project.pulumi("schema", "check", path.join(project.folder, "broken.json")), "NoSuchType");
});

longTest(
  "a login that somebody else has changed stops an up of something else; an unattended up --refresh names it once, and repairs it",
  async () => {
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
  },
);

longTest("replaceOnChanges replaces: what was replaced is gone from the platform, with its access", async () => {
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
  const drift = await endWith(7, project.drift("--diff"));
  expect(drift.output).toMatch(/~ role +: \{\s+~ name: "editor" => "owner"/);
  expect(drift.output).toMatch(/~ roleUid *: "\w{40}" => "\w{40}"/);
  const repair = await succeed(project.preview("--refresh", "--diff"));
  expect(repair.output).toMatch(/- role +: \{\s+- name: "owner"/);
  expect(repair.output).toMatch(/\+ roleName *: "editor"/);
  expect(`${drift.output}${repair.output}`).not.toMatch(/"editor" => "editor"/);
});

longTest("one logical name through both doors is refused in the program, before the state moves", async () => {
  const program = (body: string) => project.program(`const native = require("pulumi-platform/native");\n${body}`, "dynamic");
  await program('new Group("team", { parentUid: root });');
  await succeed(project.up());
  const before = await project.resources();
  await platform.clearRequests();
  await program('new Group("team", { parentUid: root });\nnew native.Group("team", { parentUid: root, name: "other" });');
  await fail(project.up(), "pulumi-platform/native");
  expect(await platform.writes()).toEqual([]);
  expect((await project.resources()).map(({ urn, id }) => [urn, id])).toEqual(before.map(({ urn, id }) => [urn, id]));
});

import { login } from "../../support/named-objects";
import { longTest } from "../../support/tier";
import { fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

useProject("", { door: "native" });

const place = "acme.example/team";
const options = ["--yes", "--skip-preview", "--generate-code=false", "--protect=false"];
const take = (type: string, name: string, id: string) => project.pulumi("import", `platform:iam:${type}`, name, id, ...options);
const program = (options: (id: string) => object = () => ({})) => `
  const team = new Group("team", { parentUid: root, description: "By hand" }, ${JSON.stringify(options(place))});
  const ci = new Identity("ci", { parentUid: team.uid, claimMatch: ${JSON.stringify(login)} }, ${JSON.stringify(options(`${place}/ci`))});
  new RoleBinding("ci-viewer", { parentUid: team.uid, identityUid: ci.uid, roleUid: "${uids.viewer}" },
    ${JSON.stringify(options(`${place}|${place}/ci|viewer`))});
`;

let uids: { team: string; ci: string; binding: string; viewer: string };

beforeEach(async () => {
  const team = await platform.create("groups", platform.root, { name: "team", description: "By hand" });
  const ci = await platform.create("identities", team.uid, { name: "ci", claimMatch: login });
  const viewer = await platform.role("viewer");
  const binding = await platform.create("roleBindings", team.uid, { identityUid: ci.uid, roleUid: viewer });
  uids = { team: team.uid, ci: ci.uid, binding: binding.uid, viewer };
  await platform.clearRequests();
});

const ids = async () =>
  Object.fromEntries((await project.resources()).map(({ urn, id }): [string, unknown] => [urn.split("::").at(-1) ?? "", id]));
const all = () => ({ team: uids.team, ci: uids.ci, "ci-viewer": uids.binding });

test("pulumi import takes a group, an identity and a role binding by path; the state has the uids, and nothing differs", async () => {
  const missing = await fail(take("Group", "team", "acme.example/taem"), 'it has no group "taem"', 'Did you mean "team"?');
  expect(missing.output).not.toMatch(/^\s+at /m);
  await succeed(take("Group", "team", place));
  await succeed(take("Identity", "ci", `${place}/ci`));
  await succeed(take("RoleBinding", "ci-viewer", `${place}|${place}/ci|viewer`));
  expect(await ids()).toEqual(all());
  expect(await project.storedState()).not.toContain(place);
  await project.program(program());
  expect((await succeed(project.preview("--expect-no-changes"))).steps).toEqual([]);
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect((await succeed(project.drift())).steps).toEqual([]);
  expect(await platform.writes()).toEqual([]);
});

test("pulumi import --file takes paths; one that means several objects is refused with their uids", async () => {
  const resources = [
    { type: "platform:iam:Group", name: "team", id: place },
    { type: "platform:iam:Identity", name: "ci", id: `${place}/ci` },
    { type: "platform:iam:RoleBinding", name: "ci-viewer", id: `platform:organization/team|${uids.ci}|viewer` },
  ];
  const takeFile = async (entries: object[]) => {
    await project.file("import.json", JSON.stringify({ resources: entries }));
    return project.pulumi("import", "--file", "import.json", ...options);
  };
  await platform.settings({ duplicateNames: true });
  const twin = await platform.create("identities", uids.team, { name: "ci", claimMatch: login });
  await fail(takeFile(resources.slice(1, 2)), "AMBIGUOUS", uids.ci, twin.uid);
  await platform.delete("identities", twin.uid);
  await succeed(takeFile(resources));
  expect(await ids()).toEqual(all());
  await project.program(program());
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
});

test("the option import takes a path, once, and also one for a resource that the state has: the object is never deleted", async () => {
  await succeed(take("Group", "team", uids.team));
  await project.program(program((id) => ({ import: id })));
  await platform.clearRequests();
  expect((await succeed(project.up())).output).toContain("is kept: this run has imported it by its name");
  expect(await platform.writes()).toEqual([]);
  expect(await ids()).toEqual(all());
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  await project.program(program());
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect((await succeed(project.drift())).steps).toEqual([]);
  expect(await platform.writes()).toEqual([]);
  await succeed(project.destroy());
  expect(await platform.groupNames()).not.toContain("team");
});

longTest("destroy --run-program deletes a resource that gets an import option with a path only then", async () => {
  await platform.delete("groups", uids.team);
  const { uid } = await platform.create("groups", platform.root, { name: "team", description: "By hand" });
  await succeed(take("Group", "team", uid));
  await project.program(`new Group("team", { parentUid: root, description: "By hand" }, { import: "${place}" });`);
  await succeed(project.destroy("--run-program"));
  expect(await project.resources()).toEqual([]);
  expect(await platform.groupNames()).not.toContain("team");
});

test("get by a path is the uid in the program; a declared resource that becomes such a get is kept", async () => {
  await succeed(take("Group", "team", uids.team));
  await project.program(`
    const team = Group.get("team", "${place}");
    const ci = Identity.get("ci", "${place}/ci");
    exports.all = { team: team.uid, id: team.id, description: team.description, ci: ci.uid };
  `);
  await platform.clearRequests();
  expect((await succeed(project.up())).steps.sort()).toEqual(["read Group team", "read Identity ci"]);
  expect(await project.output("all")).toEqual({ team: uids.team, id: uids.team, description: "By hand", ci: uids.ci });
  expect(await platform.writes()).toEqual([]);
});

import { Project } from "../project";
import { fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { longTest } from "../../support/tier";

let uids: { group: string; identity: string };

const claimMatch = { issuer: "https://issuer.example", subject: "ci" };
const program = (options: (uid: string) => object, description = "By hand") => `
  const team = new Group("team", { parentUid: root, description: "${description}" }, ${JSON.stringify(options(uids.group))});
  const claimMatch = ${JSON.stringify(claimMatch)};
  new Identity("ci", { parentUid: team.uid, claimMatch }, ${JSON.stringify(options(uids.identity))});
`;
const importing = (uid: string) => ({ import: uid });

useProject("", { door: "native" });

beforeEach(async () => {
  const group = await platform.create("groups", platform.root, { name: "team", description: "By hand" });
  const identity = await platform.create("identities", group.uid, { name: "ci", claimMatch });
  uids = { group: group.uid, identity: identity.uid };
  await platform.clearRequests();
});

longTest("the option import takes objects over without a write, and nothing differs afterwards", async () => {
  await project.program(program(importing));
  expect((await succeed(project.up())).steps).toEqual(["import Group team", "import Identity ci"]);
  await project.program(program(() => ({})));
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect((await succeed(project.drift())).steps).toEqual([]);
  expect(await platform.writes()).toEqual([]);
});

longTest("an object that two resources of the program import is rejected", async () => {
  const option = JSON.stringify(importing(uids.group));
  const same = `new Group("copy", { parentUid: root, name: "team", description: "By hand" }, ${option});`;
  await project.program(program(importing) + same);
  await fail(project.preview(), 'group "team"', "[KEY_TAKEN]");
});

longTest("an object of which the program says something else is changed in the same up, and preview says so", async () => {
  await project.program(program(importing, "Another"));
  const steps = ["import Group team", "update Group team", "import Identity ci"];
  expect((await succeed(project.preview())).steps).toEqual(expect.arrayContaining(["import Group team", "import Identity ci"]));
  expect(await platform.writes()).toEqual([]);
  expect((await succeed(project.up())).steps.sort()).toEqual([...steps].sort());
  expect(await platform.writes()).toHaveLength(1);
  expect((await platform.named("groups", "team"))["description"]).toBe("Another");
});

test("pulumi import takes an object over by type, name and the uid that a list shows; one that does not exist is an error", async () => {
  const plugin = ["--package", "./bin/pulumi-resource-platform"];
  const query = ["--all", "--name", "team", "--children-of", platform.root];
  const listed = await succeed(project.pulumi("do", ...plugin, "platform:iam:Group", "list", ...query));
  expect(JSON.parse(listed.stdout)).toEqual([{ id: uids.group, name: "team" }]);
  const options = ["--yes", "--skip-preview", "--generate-code=false", "--protect=false"];
  const take = (uid: string) => project.pulumi("import", "platform:iam:Group", "team", uid, ...options);
  const missing = await fail(take(`${platform.root}/00000000000000ff`));
  expect(missing.output).not.toMatch(/^\s+at /m);
  await succeed(take(uids.group));
  expect((await project.resources()).map(({ type, id }) => [type, id])).toEqual([["platform:iam:Group", uids.group]]);
  await project.program('new Group("team", { parentUid: root, description: "By hand" });');
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect(await platform.writes()).toEqual([]);
});

longTest(
  "destroy right after pulumi import deletes the object, although only the stack's configuration has the settings",
  async () => {
    const configured = await Project.create("", {}, "native");
    try {
      await configured.config({
        "platform:baseUrl": platform.baseUrl,
        "platform:identity": platform.identity,
        "platform:oidcTokenFile": platform.oidcTokenFile,
      });
      const options = ["--yes", "--skip-preview", "--generate-code=false", "--protect=false"];
      await succeed(configured.pulumi("import", "platform:iam:Group", "team", uids.group, ...options));
      await platform.delete("identities", uids.identity);
      await succeed(configured.destroy());
      expect(await platform.groupNames()).not.toContain("team");
    } finally {
      await configured.remove();
    }
  },
);

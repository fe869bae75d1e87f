import { TestPlatform } from "../../support/test-platform";
import { Project } from "../project";
import { succeed } from "../succeed";
import { longTest } from "../../support/tier";

let platform: TestPlatform;
let project: Project;
let uids: { group: string; identity: string };

const program = (options: (uid: string) => string) => `
  const team = new Group("team", { parentUid: root, description: "By hand" }, ${options(uids.group)});
  new Identity("ci", { parentUid: team.uid, claimMatch: { issuer: "https://issuer.example", subject: "ci" } }, ${options(uids.identity)});
`;

beforeEach(async () => {
  platform = await TestPlatform.start();
  const maker = await Project.create("", platform.environment, "dynamic");
  await maker.program(`
    const team = new Group("team", { parentUid: root, description: "By hand" });
    const ci = new Identity("ci", { parentUid: team.uid, claimMatch: { issuer: "https://issuer.example", subject: "ci" } });
    exports.group = team.uid;
    exports.identity = ci.uid;`);
  await succeed(maker.up());
  uids = { group: String(await maker.output("group")), identity: String(await maker.output("identity")) };
  await maker.remove();
  await platform.clearRequests();
  project = await Project.create("", platform.environment, "native");
});

afterEach(async () => {
  await project.remove();
  await platform.close();
});

longTest("the option import takes objects over without a write, and nothing differs afterwards", async () => {
  await project.program(program((uid) => `{ import: ${JSON.stringify(uid)} }`));
  expect((await succeed(project.up())).steps).toEqual(["import Group team", "import Identity ci"]);
  await project.program(program(() => "{}"));
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect((await succeed(project.drift())).steps).toEqual([]);
  expect(await platform.writes()).toEqual([]);
});

longTest("an object that two resources of the program import is rejected", async () => {
  const option = `{ import: ${JSON.stringify(uids.group)} }`;
  const same = `new Group("copy", { parentUid: root, name: "team", description: "By hand" }, ${option});`;
  await project.program(program((uid) => `{ import: ${JSON.stringify(uid)} }`) + same);
  const { code, output } = await project.preview();
  expect(code).not.toBe(0);
  expect(output).toContain('another resource of this program declares the same group "team"');
});

longTest("an object of which the program says something else is changed in the same up, and preview says so", async () => {
  const other = program((uid) => `{ import: ${JSON.stringify(uid)} }`).replace("By hand", "Another");
  await project.program(other);
  const steps = ["import Group team", "update Group team", "import Identity ci"];
  expect((await succeed(project.preview())).steps).toEqual(expect.arrayContaining(["import Group team", "import Identity ci"]));
  expect(await platform.writes()).toEqual([]);
  expect((await succeed(project.up())).steps.sort()).toEqual([...steps].sort());
  expect(await platform.writes()).toHaveLength(1);
  expect((await platform.named("groups", "team"))["description"]).toBe("Another");
});

test("pulumi import takes an object over by type, name and the uid that a list shows; one that does not exist is an error", async () => {
  const listed = await project.pulumi(
    "do",
    "--package",
    "./bin/pulumi-resource-platform",
    "platform:iam:Group",
    "list",
    "--all",
    "--name",
    "team",
    "--children-of",
    platform.root,
  );
  expect([listed.code, JSON.parse(listed.output)]).toEqual([0, [{ id: uids.group, name: "team" }]]);
  const take = (uid: string) =>
    project.pulumi(
      "import",
      "platform:iam:Group",
      "team",
      uid,
      "--yes",
      "--skip-preview",
      "--generate-code=false",
      "--protect=false",
    );
  const missing = await take(`${uids.group.split("/")[0] ?? ""}/00000000000000ff`);
  expect(missing.code).not.toBe(0);
  expect(missing.output).not.toMatch(/^\s+at /m);
  const taken = await take(uids.group);
  expect([taken.code, taken.output]).toEqual([0, expect.any(String)]);
  expect((await project.resources()).map(({ type, id }) => [type, id])).toEqual([["platform:iam:Group", uids.group]]);
  await project.program('new Group("team", { parentUid: root, description: "By hand" });');
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect(await platform.writes()).toEqual([]);
});

import { TestPlatform } from "../support/test-platform";
import { PipelineRunner } from "./pipeline-runner";
import { Project } from "./project";

const program = `
  const shop = new Group("shop", { parentUid: root, description: "What customers see" });
  const ci = new Identity("ci", {
    parentUid: shop.uid, claimMatch: platform.githubActions({ repository: "acme/shop", branch: "main" }),
  });
`;
const granting = (role: string) =>
  `${program} new RoleBinding("ci", { parentUid: shop.uid, identityUid: ci.uid, roleName: "${role}" });`;

let platform: TestPlatform;
let project: Project;
let runner: PipelineRunner;

beforeAll(async () => {
  platform = await TestPlatform.start();
  project = await Project.create(granting("viewer"), platform.environment);
  runner = await PipelineRunner.create(project);
});
afterAll(async () => {
  await project.remove();
  await platform.close();
});

const comments = { REPOSITORY: "acme/access", PULL_REQUEST: "7" };
const issues = { RUN_URL: "https://github.com/acme/access/actions/runs/1" };

test("main: what the program declares is applied", async () => {
  expect(await runner.job("access-deploy.yml", "up")).toMatchObject({ code: 0, gh: [] });
  expect(await platform.groupNames()).toEqual(["shop"]);
});

test("a pull request's comment is written once, and then kept up to date", async () => {
  await project.file("review.md", "Nobody gains anything.\n");
  const first = await runner.job("access-preview.yml", "comment", comments);
  expect(first).toMatchObject({ code: 0 });
  expect(first.gh.at(-1)).toBe("api --method POST repos/acme/access/issues/7/comments --field body=@comment.md --silent");
  expect(await runner.body()).toBe("<!-- pulumi-platform review -->\nNobody gains anything.\n");
  const second = await runner.job("access-preview.yml", "comment", comments, "41\n42\n");
  expect(second.gh.at(-1)).toBe("api --method PATCH repos/acme/access/issues/comments/42 --field body=@comment.md --silent");
});

test.each([
  { what: "drift opens an issue", code: "7", found: "", last: "issue create --title Access differs", ends: 7 },
  {
    what: "drift that is already reported updates its issue",
    code: "7",
    found: "12\n",
    last: "issue edit 12 --body-file",
    ends: 7,
  },
  { what: "what could not be read is reported too", code: "1", found: "", last: "issue create", ends: 1 },
  { what: "no drift closes the issue", code: "0", found: "12\n", last: "issue close 12 --comment No drift any more", ends: 0 },
])("$what", async ({ code, found, last, ends }) => {
  await project.file("drift.md", "One finding.\n");
  const result = await runner.job("access-drift.yml", "report", { ...issues, CODE: code }, found);
  expect(result.gh.at(-1)).toContain(last);
  expect(result.code).toBe(ends);
  if (ends !== 0)
    expect(await runner.body()).toContain("One finding.\n\nFound by https://github.com/acme/access/actions/runs/1.");
  if (ends === 1) expect(await runner.body()).toContain("**Drift could not be told.**");
});

test("no drift and no issue: nothing is asked of GitHub but whether there is one", async () => {
  const { gh, code } = await runner.job("access-drift.yml", "report", { ...issues, CODE: "0" });
  expect(gh).toHaveLength(1);
  expect(code).toBe(0);
});

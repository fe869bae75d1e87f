import { readFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { PipelineRunner } from "./pipeline-runner";
import { endWith, fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { longTest } from "../../support/tier";

const program = `
  const shop = new Group("shop", { parentUid: root, description: "What customers see" });
  const ci = new Identity("ci", {
    parentUid: shop.uid, claimMatch: platform.githubActions({ repository: "acme/shop", branch: "main" }),
  });
`;
const granting = (role: string) =>
  `${program} new RoleBinding("ci", { parentUid: shop.uid, identityUid: ci.uid, roleName: "${role}" });`;

let runner: PipelineRunner;

useProject(granting("viewer"), { shared: true });
beforeAll(async () => {
  const acme = await platform.create("groups", platform.root, { name: "acme" });
  project.environment["PLATFORM_ORGANIZATION"] = acme.uid;
  const login = { issuer: platform.issuer, subject: "reader" };
  const reader = await platform.create("identities", platform.root, { name: "reader", claimMatch: login });
  await platform.create("roleBindings", platform.root, { identityUid: reader.uid, roleUid: await platform.role("viewer") });
  await project.config({ "platform:identity": platform.identity, "platform:readOnlyIdentity": reader.uid });
  runner = await PipelineRunner.create(project);
});

const read = (file: string) => readFile(path.join(project.folder, file), "utf8");
const comments = { REPOSITORY: "acme/access", PULL_REQUEST: "7" };
const issues = { RUN_URL: "https://github.com/acme/access/actions/runs/1" };

test("main: what the program declares is rehearsed by the reader and applied by the writer", async () => {
  const writer = { ...project.environment };
  await readOnlyRuns();
  await succeed(runner.job("access-deploy.yml", "rehearse", { GH_REPO: "acme/access" }));
  expect(await read("rehearsal.md")).toContain("Compared with no pull request");
  Object.assign(project.environment, writer);
  delete project.environment["PLATFORM_OIDC_TOKEN"];
  expect((await succeed(runner.job("access-deploy.yml", "up"))).gh).toEqual([]);
  expect(await platform.groupNames()).toEqual(["acme", "shop"]);
});

/** From here on, jobs get tokens of an identity that may only read, as those of pull requests and of the night do. */
async function readOnlyRuns(): Promise<void> {
  delete project.environment["PLATFORM_OIDC_TOKEN_FILE"];
  delete project.environment["PLATFORM_IDENTITY"];
  project.environment["PLATFORM_OIDC_TOKEN"] = await platform.oidcToken({ subject: "reader" });
}

test("a pull request that makes somebody an owner: the check fails, the comment is that of the guide, and an up is refused; the night finds no drift; nothing is written", async () => {
  await readOnlyRuns();
  await platform.clearRequests();
  await succeed(runner.job("access-drift.yml", "drift"));
  expect(await runner.outputs()).toEqual(["code=0"]);
  await project.program(granting("owner"));
  await endWith(7, runner.job("access-preview.yml", "review"));
  await runner.job("access-preview.yml", "comment", comments);
  const guide = readFileSync(path.resolve(__dirname, "../../../docs/guides/pipelines.md"), "utf8");
  const [, recording] = /```text\n(<!-- pulumi-platform review -->\n[^]*?)```/.exec(guide) ?? [];
  expect(await runner.body()).toBe(recording);
  project.environment["PLATFORM_READ_ONLY"] = "true";
  await fail(project.up(), "PLATFORM_READ_ONLY", "Nothing was sent");
  delete project.environment["PLATFORM_READ_ONLY"];
  expect(await platform.writes()).toEqual([]);
});

longTest("a pull request that changes no access passes the check and says so", async () => {
  await project.program(granting("viewer").replace("What customers see", "All that customers see"));
  await succeed(runner.job("access-preview.yml", "review"));
  expect(await read("review.md")).toContain("No access changes");
});

longTest(
  "GitLab and Kubernetes: a review to read, no drift as a test report and as a Job, and an update of the default branch",
  async () => {
    await succeed(runner.gitlab("review"));
    expect(await read("review.md")).toContain("No access changes");
    expect((await succeed(runner.gitlab("drift"))).stdout).toContain("No drift");
    expect(await read("drift.xml")).toContain("<testsuites");
    expect((await succeed(runner.cronJob())).stdout).toContain("No drift");
    await succeed(runner.gitlab("rehearse", { CI_PIPELINE_SOURCE: "web" }));
    const writer = { PLATFORM_OIDC_TOKEN: await readFile(platform.oidcTokenFile, "utf8"), PLATFORM_IDENTITY: platform.identity };
    await succeed(runner.gitlab("up", writer));
    expect(await platform.named("groups", "shop")).toMatchObject({ description: "All that customers see" });
  },
);

longTest("a program that does not run fails the check, and the comment says that nothing is known", async () => {
  await rm(path.join(project.folder, "review.md"), { force: true });
  await project.program("throw new Error('broken');");
  await fail(runner.job("access-preview.yml", "review"));
  expect(await read("review.md")).toMatch(/[Tt]he preview failed/);
});

longTest("the night: an owner that was added by hand, then what cannot be read; nothing is written", async () => {
  await platform.clearRequests();
  const night = async () => {
    await succeed(runner.job("access-drift.yml", "drift"));
    return { outputs: await runner.outputs(), text: await read("drift.md") };
  };
  const [shop, ci] = [await platform.named("groups", "shop"), await platform.named("identities", "ci")];
  await platform.create("roleBindings", shop.uid, { identityUid: ci.uid, roleUid: await platform.role("owner") });
  expect(await night()).toEqual({ outputs: ["code=7"], text: expect.stringContaining("is owner of") as string });
  const sarif = JSON.parse(await read("drift.sarif")) as { runs: [{ results: object[] }] };
  expect(sarif.runs[0].results).toHaveLength(1);
  await platform.fault({ path: "/roleBindings$", query: "descendants" }, { status: 403, code: 7 }, { times: 0 });
  expect(await night()).toEqual({ outputs: ["code=1"], text: expect.stringContaining("Cannot tell") as string });
  expect(await platform.writes()).toEqual([]);
});

longTest("a pull request's comment is written once, and then kept up to date", async () => {
  await project.file("review.md", "Nobody gains anything.\n");
  const first = await succeed(runner.job("access-preview.yml", "comment", comments));
  expect(first.gh.at(-1)).toBe("api --method POST repos/acme/access/issues/7/comments --field body=@comment.md --silent");
  expect(await runner.body()).toBe("<!-- pulumi-platform review -->\nNobody gains anything.\n");
  const second = await runner.job("access-preview.yml", "comment", comments, "41\n42\n");
  expect(second.gh.at(-1)).toBe("api --method PATCH repos/acme/access/issues/comments/42 --field body=@comment.md --silent");
});

longTest.each([
  { what: "drift opens an issue", code: "7", found: "", last: "issue create --title Access differs", ends: 7 },
  { what: "reported drift updates its issue", code: "7", found: "12\n", last: "issue edit 12 --body-file", ends: 7 },
  { what: "what could not be read is reported too", code: "1", found: "", last: "issue create", ends: 1 },
  { what: "a job that failed before its check is reported too", code: "", found: "", last: "issue create", ends: 1 },
  { what: "no drift closes the issue", code: "0", found: "12\n", last: "issue close 12 --comment No drift any more", ends: 0 },
])("$what", async ({ code, found, last, ends }) => {
  if (code === "") await rm(path.join(project.folder, "drift.md"), { force: true });
  else await project.file("drift.md", "One finding.\n");
  const result = await endWith(ends, runner.job("access-drift.yml", "report", { ...issues, CODE: code }, found));
  expect(result.gh.at(-1)).toContain(last);
  const finding = code === "" ? "" : "One finding.\n";
  if (ends !== 0) expect(await runner.body()).toContain(`${finding}\nFound by https://github.com/acme/access/actions/runs/1.`);
  if (ends === 1) expect(await runner.body()).toContain("**The drift check failed.**");
});

longTest("no drift and no issue: nothing is asked of GitHub but whether there is one", async () => {
  const { gh } = await succeed(runner.job("access-drift.yml", "report", { ...issues, CODE: "0" }));
  expect(gh).toHaveLength(1);
});

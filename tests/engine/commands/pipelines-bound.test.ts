import { readFile } from "node:fs/promises";
import path from "node:path";
import { PipelineRunner } from "./pipeline-runner";
import { endWith, fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { longTest } from "../../support/tier";

const granting = (role: string) => `
  const shop = new Group("shop", { parentUid: root });
  const ci = new Identity("ci", {
    parentUid: shop.uid, claimMatch: platform.githubActions({ repository: "acme/shop", branch: "main" }),
  });
  new RoleBinding("ci", { parentUid: shop.uid, identityUid: ci.uid, roleName: ${role} });
`;
const merged = { GH_REPO: "acme/access" };

let runner: PipelineRunner;
let writer: Record<string, string | undefined>;
let deployer: string;

useProject(granting('"viewer"'), { shared: true });
beforeAll(async () => {
  const login = { issuer: platform.issuer, subject: "reader" };
  const reader = await platform.create("identities", platform.root, { name: "reader", claimMatch: login });
  await platform.create("roleBindings", platform.root, { identityUid: reader.uid, roleUid: await platform.role("viewer") });
  const role = { name: "deployer", capabilities: ["CAP_REPO_LIST"] };
  deployer = (await platform.create("roles", platform.root, role)).uid;
  await project.config({ "platform:identity": platform.identity, "platform:readOnlyIdentity": reader.uid });
  runner = await PipelineRunner.create(project);
  writer = { ...project.environment };
});

const read = (file: string) => readFile(path.join(project.folder, file), "utf8");

/** Runs jobs with the token of a pull request, which the writer does not accept. */
async function asReader<Result>(run: () => Promise<Result>): Promise<Result> {
  const { PLATFORM_OIDC_TOKEN_FILE: _, PLATFORM_IDENTITY: __, ...others } = writer;
  replaceEnvironment({ ...others, PLATFORM_OIDC_TOKEN: await platform.oidcToken({ subject: "reader" }) });
  try {
    return await run();
  } finally {
    replaceEnvironment(writer);
  }
}

function replaceEnvironment(values: Record<string, string | undefined>): void {
  for (const name of Object.keys(project.environment)) Reflect.deleteProperty(project.environment, name);
  Object.assign(project.environment, values);
}

/** The checks of a pull request that changes the program, which pass. */
async function pullRequest(program: string): Promise<void> {
  await project.program(program);
  await asReader(() => succeed(runner.job("access-preview.yml", "review")));
  expect(await runner.upload("access-preview.yml", "review")).toEqual(["review.md", "rehearsal.json"]);
}

/** The rehearsal after the merge. */
const rehearse = (variables: Record<string, string> = merged) =>
  asReader(() => runner.job("access-deploy.yml", "rehearse", variables, "abc"));
const up = () => runner.job("access-deploy.yml", "up");

/** The names of the roles that bindings give `ci`. */
async function rolesOfCi(): Promise<string[]> {
  const bindings = (await platform.objects("roleBindings")) as unknown as { identity: Named; role: Named }[];
  return bindings.filter(({ identity }) => identity.name === "ci").map(({ role }) => role.name);
}

interface Named {
  readonly name: string;
}

test("a merge that is as its pull request is applied, and only by the job that someone has approved", async () => {
  await platform.clearRequests();
  await pullRequest(granting('"viewer"'));
  const { gh } = await succeed(rehearse());
  expect(gh).toContain("run download abc --name review --dir reviewed");
  expect(await read("rehearsal.md")).toContain("are as in the rehearsal in reviewed/rehearsal");
  expect(await platform.writes()).toEqual([]);
  await succeed(up());
  expect(await rolesOfCi()).toEqual(["viewer"]);
});

test("a role that changed between the pull request and the merge ends with 7; without the comparison, the approver sees the rehearsal of today", async () => {
  await pullRequest(granting('"deployer"'));
  await platform.change("roles", deployer, { capabilities: ["CAP_REPO_LIST", "CAP_REPO_CREATE"] });
  await endWith(7, rehearse());
  expect(await read("rehearsal.md")).toMatch(/^\*\*Differs from .*\n\n- changed since:.* role acme\\.example\/deployer/);
  expect(await rolesOfCi()).toEqual(["viewer"]);
  await runner.upload("access-preview.yml", "none");
  await succeed(rehearse({ ...merged, GITHUB_EVENT_NAME: "workflow_dispatch" }));
  expect(await read("rehearsal.md")).toContain("Compared with no pull request");
  await succeed(up());
  expect(await rolesOfCi()).toEqual(["deployer"]);
});

test("a program that asks for more in the real run passes every check before it, and ends with NOT_REHEARSED", async () => {
  const lying = '!pulumi.runtime.isDryRun() && process.env.PLATFORM_REHEARSAL === undefined ? "owner" : "viewer"';
  await pullRequest(granting(lying));
  await succeed(rehearse());
  await fail(up(), "NOT_REHEARSED");
  expect(await rolesOfCi()).not.toContain("owner");
});

longTest("GitLab and Kubernetes: the same walk", async () => {
  await pullRequest(granting('"editor"'));
  const merge = {
    CI_PIPELINE_SOURCE: "push",
    CI_COMMIT_MESSAGE: "Merge branch 'x' into 'main'\n\nSee merge request acme/access!7",
  };
  const gitlab = { ...merge, CI_API_V4_URL: "https://gitlab.com/api/v4", CI_PROJECT_ID: "1", CI_JOB_TOKEN: "token" };
  const { stdout } = await asReader(() => succeed(runner.gitlab("rehearse", gitlab)));
  expect(stdout).toContain("are as in the rehearsal in reviewed.json");
  expect(await read("gh.log")).toContain(
    "/projects/1/jobs/artifacts/refs%2Fmerge-requests%2F7%2Fhead/raw/rehearsal.json?job=review",
  );
  await succeed(runner.gitlab("up"));
  expect(await rolesOfCi()).toEqual(["editor"]);
  await pullRequest(granting('"viewer"'));
  expect((await asReader(() => succeed(runner.kubernetes("access-rehearse")))).stdout).toContain("are as in the rehearsal in");
  await succeed(runner.kubernetes("access-up"));
  expect(await rolesOfCi()).toEqual(["viewer"]);
  await project.program(granting('"editor"'));
  await asReader(() => endWith(7, runner.kubernetes("access-rehearse")));
  await fail(runner.kubernetes("access-up"), "volume.json");
});

import { fail } from "./succeed";
import { platform, project, useProject } from "./use-project";
import { longTest } from "../support/tier";

useProject(`new Group("g", { parentUid: root });`);

const stackLine = /^\s+at .*\.js:\d+/m;

test("every wrong argument of a resource is reported at once, in preview, before anything is sent", async () => {
  await project.program(`
    new Identity("ci", {
      parentUid: "", name: "", description: "two\\nlines", descripton: "x",
      claimMatch: { issuer: "http://issuer.example", subject: "" },
    });
  `);
  const { output } = await fail(project.preview(), '"descripton"', '"description"');
  const problems = [...output.matchAll(/ has a problem: "?([\w.]+)"? .* \[INVALID_INPUT\]$/gm)];
  expect(output.match(/ has a problem: /g)).toHaveLength(problems.length);
  const properties = new Set(problems.map(([, property]) => property));
  expect([...properties].sort()).toEqual(
    ["parentUid", "name", "description", "descripton", "claimMatch.issuer", "claimMatch.subject"].sort(),
  );
  expect(output).not.toContain("{<nil>}");
  expect(output).not.toMatch(stackLine);
  expect(await platform.requests()).toEqual([]);
});

test("a name that a pipeline would run as commands of its log reaches no diagnostic as such", async () => {
  const name = "::error::mistaken ##[group]x ##vso[task.complete]y";
  await platform.create("roles", platform.root, { name, capabilities: ["CAP_REPO_LIST"] });
  const declared = JSON.stringify({ name, capabilities: ["CAP_REPO_LIST"] });
  await project.program(`
    new Role("taken", { parentUid: root, ...${declared} });
    new RoleBinding("b", { parentUid: root, identityRef: "acme.example/nobody", roleName: ${JSON.stringify(`${name}s`)} });
  `);
  for (const { output } of [await project.preview(), await fail(project.up())]) {
    expect(output).toContain(String.raw`\u{23}#[group]`);
    expect(output).not.toMatch(/^\s*::|##[\w.-]*\[/m);
  }
});

test("an address where nothing listens is named, and nothing is in state", async () => {
  project.environment["PLATFORM_BASE_URL"] = "http://127.0.0.1:9";
  expect((await fail(project.up())).output).toMatch(/http:\/\/127\.0\.0\.1:9.* \[CREDENTIALS\]$/m);
  expect(await project.resources()).toEqual([]);
});

longTest("a data source that cannot log in says so, without a stack trace", async () => {
  project.environment["PLATFORM_BASE_URL"] = "http://127.0.0.1:9";
  await project.program(`const { uid } = platform.getGroupOutput({ uid: root }); new Group("g", { parentUid: uid });`);
  const { output } = await fail(project.preview());
  expect(output).toMatch(/getGroup: .*http:\/\/127\.0\.0\.1:9.* \[CREDENTIALS\]$/m);
  expect(output).not.toMatch(stackLine);
});

longTest(
  "a token in the stack's config is a clear error in preview, and never reaches state, with --skip-preview neither",
  async () => {
    const secret = "abcdefgh12345678";
    await project.config({ "platform:token": secret });
    for (const command of [() => project.preview(), () => project.up()]) {
      const { output } = await fail(command(), "PLATFORM_TOKEN");
      expect(output).not.toContain(secret);
      expect(output).not.toMatch(stackLine);
    }
    expect(await project.stateText()).not.toContain(secret);
  },
);

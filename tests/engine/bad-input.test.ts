import { TestPlatform } from "../support/test-platform";
import { Project } from "./project";
import { fail, succeed } from "./succeed";
import { longTest } from "../support/tier";

let platform: TestPlatform;
let project: Project;

beforeAll(async () => {
  platform = await TestPlatform.start();
});

afterAll(async () => {
  await platform.close();
});

beforeEach(async () => {
  project = await Project.create("", { ...platform.environment });
});

afterEach(async () => {
  await project.remove();
});

test("every wrong argument of a resource is reported at once, in preview, before anything is sent", async () => {
  await platform.clearRequests();
  await project.program(`
    new Identity("ci", {
      parentUid: "", name: "", description: "two\\nlines", descripton: "x",
      claimMatch: { issuer: "http://issuer.example", subject: "" },
    });
  `);
  const { output } = await fail(project.preview());
  expect(output).toContain("parentUid must not be empty");
  expect(output).toContain("name must not be empty");
  expect(output).toContain("description must not contain control characters");
  expect(output).toContain("claimMatch.issuer must be an https URL");
  expect(output).toContain("claimMatch.subject must not be empty");
  expect(output).toContain('"descripton" is not an argument of identity; did you mean "description"?');
  expect(output.match(/ has a problem: .* \[INVALID_INPUT\]$/gm)).toHaveLength(output.match(/ has a problem: /g)?.length ?? 0);
  expect(output).not.toContain("{<nil>}");
  expect(output).not.toMatch(/^\s+at .*\.js:\d+/m);
  expect(await platform.requests()).toEqual([]);
});

longTest(
  "a logical name that is not a valid name is rejected with the reason, and so is a parent that is not a uid",
  async () => {
    await project.program(`new Group("Upper Case", { parentUid: "not a uid" });`);
    const { output } = await fail(project.preview());
    expect(output).toContain('"Upper Case" may contain only lowercase letters');
    expect(output).toContain("the logical name");
    expect(output).toContain('"not a uid" is not a uid');
  },
);

const wrongConfigurations: [string, Record<string, string>, Record<string, string>, string][] = [
  ["no base URL", {}, { PLATFORM_BASE_URL: "" }, "platform:baseUrl"],
  ["a token in the stack's config", { "platform:token": "abcdefgh12345678" }, {}, "PLATFORM_TOKEN"],
  ["two sources of credentials", {}, { PLATFORM_TOKEN: "abcdefgh12345678" }, "Only one source of credentials"],
  ["no source of credentials", {}, { PLATFORM_OIDC_TOKEN_FILE: "" }, "No credentials"],
  ["a misspelt key", { "platform:baseUri": "https://x.example" }, {}, "platform:baseUrl"],
  ["plain http to another machine", {}, { PLATFORM_BASE_URL: "http://api.example" }, "https"],
];

longTest.each(wrongConfigurations)(
  "%s is a clear error in preview, once, without a stack or the secret",
  async (_what, config, environment, expected) => {
    await project.program(`new Group("g", { parentUid: root });`);
    await project.config(config);
    Object.assign(project.environment, environment);
    const { output } = await fail(project.preview());
    expect(output).toContain(expected);
    expect(output).not.toContain("abcdefgh12345678");
    expect(output).not.toMatch(/^\s+at .*\.js:\d+/m);
  },
);

longTest("a token in the stack's config never reaches state, with --skip-preview neither", async () => {
  await project.program(`new Group("g", { parentUid: root });`);
  await project.config({ "platform:token": "abcdefgh12345678" });
  const { output } = await fail(project.up());
  expect(output).toContain("PLATFORM_TOKEN");
  expect(await project.stateText()).not.toContain("abcdefgh12345678");
});

test("an address where nothing listens is named, and nothing is in state", async () => {
  await project.program(`new Group("g", { parentUid: root });`);
  project.environment["PLATFORM_BASE_URL"] = "http://127.0.0.1:9";
  expect((await fail(project.up())).output).toMatch(/http:\/\/127\.0\.0\.1:9.* \[CREDENTIALS\]$/m);
  expect(await project.resources()).toEqual([]);
  const source = `require("pulumi-platform").getGroupOutput({ uid: root })`;
  await project.program(`new Group("g", { parentUid: ${source}.uid });`);
  const { output } = await fail(project.preview());
  expect(output).toMatch(/getGroup: .*http:\/\/127\.0\.0\.1:9.* \[CREDENTIALS\]$/m);
  expect(output).not.toMatch(/^\s+at .*\.js:\d+/m);
});

longTest("an expired OIDC token is rejected before it is sent, and an identity that does not match is explained", async () => {
  await project.program(`new Group("g", { parentUid: root });`);
  Object.assign(project.environment, { PLATFORM_OIDC_TOKEN_FILE: "" });
  project.environment["PLATFORM_OIDC_TOKEN"] = await platform.oidcToken({ subject: "someone", expiresInSeconds: -60 });
  expect((await fail(project.up())).output).toMatch(/expired/);
  project.environment["PLATFORM_OIDC_TOKEN"] = await platform.oidcToken({ subject: "someone-else" });
  const { output } = await fail(project.up());
  expect(output).toContain("someone-else");
  expect(output).toContain("claimMatch");
  expect(output).not.toContain(project.environment["PLATFORM_OIDC_TOKEN"]);
});

longTest("a wrong base URL and a server that answers HTML are named as such", async () => {
  await project.program(`new Group("g", { parentUid: root });`);
  await platform.fault({ path: "^/iam/" }, { status: 200, body: "<html>Welcome</html>", contentType: "text/html" }, { times: 0 });
  try {
    expect((await fail(project.up())).output).toContain("Check the API address");
  } finally {
    await platform.clearFaults();
  }
  expect(await platform.writes()).toEqual([]);
});

longTest("a 401 in the middle of a run is answered with a fresh token", async () => {
  await project.program(`
    const first = new Group("first", { parentUid: root });
    const second = new Group("second", { parentUid: first.uid });
    new Group("third", { parentUid: second.uid });
  `);
  await platform.fault({ method: "POST", path: "^/iam/" }, { status: 401, code: 16, message: "token revoked" }, { skip: 1 });
  await succeed(project.up());
  expect(await platform.groupNames()).toEqual(["first", "second", "third"]);
  await succeed(project.destroy());
});

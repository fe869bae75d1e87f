import type { ReviewDocument } from "../../../cli/documents/review";
import type { Ended } from "../../support/cli";
import { TestPlatform } from "../../support/test-platform";
import { fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

// Reviewers of a pull request rely on this: a review that lets an update pass has seen all its effects. Each test asks
// the platform afterwards whether access has changed.

const other = TestPlatform.forFile();
const login = (subject: string) => `claimMatch: { issuer: "https://issuer.example", subject: "${subject}" }`;

/** How the reviews of the program end that lists what it cannot decide: of a file, or of a preview that the command runs itself. */
async function reviews(...runs: string[][]): Promise<[code: number, document: ReviewDocument][]> {
  const { stdout } = await succeed(project.pulumi("preview", "--json", "--show-sames"));
  await project.file("preview.json", stdout);
  const ended: Ended[] = [];
  for (const flags of runs) {
    const from = flags.includes("--refresh") ? [] : ["--file", "preview.json"];
    ended.push(await project.command("review", "--json", ...from, ...flags));
  }
  return ended.map(({ code, stdout: document, stderr }) => {
    if (document === "") throw new Error(stderr);
    return [code, JSON.parse(document) as ReviewDocument];
  });
}

const any = ["--fail-on", "any"];
const strict = ["--fail-on", "high", "--strict"];
const refreshing = ["--fail-on", "any", "--refresh"];

/** The undecided facts of reviews of the program, each with the exit code. */
const openIn = async (...runs: string[][]) =>
  (await reviews(...runs)).map(([code, document]) => [code, document.undecided.map(({ what }) => what).sort()] as const);

/** The document of a review that passes the gate. */
async function passing(...flags: string[]): Promise<ReviewDocument> {
  const [[code, document] = [-1, undefined]] = await reviews([...any, ...flags]);
  if (code !== 0 || document === undefined) throw new Error(`exit code ${code}: ${JSON.stringify(document)}`);
  return document;
}

const ownersOf = async (on: TestPlatform) => {
  const owner = await on.role("owner");
  const bindings = await on.objects("roleBindings");
  return bindings
    .filter(({ role }) => (role as { uid?: string }).uid === owner)
    .map(({ identity }) => (identity as { name: string }).name);
};

describe("through the plugin", () => {
  useProject("", { door: "native" });

  const owned = (more: string, first = "", options = "") => `
    ${first}
    const a = new Identity("a", { parentUid: root, name: "ci", ${login("ci")} }, { ${options} });
    new RoleBinding("own", { parentUid: root, identityUid: a.uid, roleName: "owner" });
    ${more}
    exports.uid = a.uid;`;

  // A preview that fails leaves a review nothing to pass.
  test("an owner's login that a second resource imports and changes fails in every preview, in one update and in two", async () => {
    await project.program(owned(""));
    await succeed(project.up());
    const uid = String(await project.output("uid"));
    const taking = (options: string) =>
      owned(
        "",
        `const b = new Identity("b", { parentUid: root, name: "ci2", ${login("mallory")} }, { ${options} });`,
        "dependsOn: [b]",
      );
    const refused = ["KEY_TAKEN", '"b" and "a" of this program both own identity'];
    await project.program(taking(`import: "${uid}"`));
    await fail(project.pulumi("preview"), ...refused);
    await fail(project.pulumi("up", "--yes"), ...refused);
    const flags = ["--yes", "--skip-preview", "--generate-code=false", "--protect=false"];
    await succeed(project.pulumi("import", "platform:iam:Identity", "b", uid, ...flags));
    await project.program(taking(""));
    await fail(project.pulumi("preview"), ...refused);
    await fail(project.pulumi("up", "--yes"), ...refused);
    expect((await platform.named("identities", "ci"))["claimMatch"]).toMatchObject({ subject: "ci" });
  });

  test("a role that a second resource imports and extends fails in every preview", async () => {
    const role = (name: string, title: string, capability: string, options = "") =>
      `const ${name} = new Role("${name}", { parentUid: root, name: "${title}", capabilities: ["${capability}"] }, { ${options} });`;
    await project.program(`${role("r", "deployer", "CAP_REPO_LIST")} exports.uid = r.uid;`);
    await succeed(project.up());
    const option = `import: "${String(await project.output("uid"))}"`;
    const extended = role("s", "deployer2", "CAP_IAM_ROLE_BINDINGS_CREATE", option);
    await project.program(extended + role("r", "deployer", "CAP_REPO_LIST", "dependsOn: [s]"));
    for (const command of [["preview"], ["up", "--yes"]])
      await fail(project.pulumi(...command), "KEY_TAKEN", '"s" and "r" of this program both own role');
    expect((await platform.named("roles", "deployer"))["capabilities"]).toEqual(["CAP_REPO_LIST"]);
  });

  test("another logical name by an import changes nothing, is decided, and warns of no refusal", async () => {
    await project.program(owned(""));
    await succeed(project.up());
    const uid = String(await project.output("uid"));
    await project.program(owned("").replace('"a"', '"renamed"').replace("{  }", `{ import: "${uid}" }`));
    expect(await passing()).toMatchObject({ changes: [], warnings: [], unknown: [], bounds: "exact" });
    await succeed(project.up());
    expect((await platform.named("identities", "ci")).uid).toBe(uid);
    expect(await ownersOf(platform)).toContain("ci");
    await succeed(project.drift());
  });

  test("a resource of another version of the plugin is undecided", async () => {
    const group = (options: string) => `new Group("g", { parentUid: root }, { ${options} });`;
    await project.program(group('version: "9.9.9"'));
    expect(await openIn(any)).toEqual([[8, ["what g does"]]]);
    await project.program(group('pluginDownloadURL: "https://plugins.example"'));
    expect(await openIn(any)).toEqual([[8, ["what g does"]]]);
    await project.program(group('provider: new platform.Provider("p", {}, { version: "9.9.9" })'));
    expect(await openIn(any)).toEqual([[8, ["what g does"]]]);
  });

  test("access on another platform is undecided until nothing changes there", async () => {
    await givesElsewhere();
  });
});

describe("through the dynamic provider host", () => {
  useProject("");

  const identity = `const a = new Identity("a", { parentUid: root, name: "ci", ${login("ci")} });`;

  test("a text of the program that makes an owner is undecided, in a type of its own and in one of ours", async () => {
    await project.program(`${identity} exports.uid = a.uid;`);
    await succeed(project.up());
    const text = `exports.handler = () => require("pulumi-platform/provider").roleBinding`;
    const args = `parentUid: root, identityUid: a.uid, roleUid: "${await platform.role("owner")}"`;
    for (const type of ["pulumi-nodejs:other:Thing", "pulumi-nodejs:dynamic:Resource"]) {
      await project.program(`${identity} new pulumi.CustomResource("${type}", "x", { ${args}, __provider: '${text}' });`);
      expect(await openIn(any, strict, refreshing)).toEqual(Array(3).fill([8, ["what x does"]]));
    }
    await succeed(project.up());
    expect(await ownersOf(platform)).toContain("ci");
    await project.program(identity);
    expect(await openIn(any)).toEqual([[8, ["what x does"]]]);
    await succeed(project.up());
    expect(await ownersOf(platform)).not.toContain("ci");

    const swapped = `exports.handler = () => { const p = require("pulumi-platform/provider").roleBinding;
      return { ...p, check: p.check, create: (inputs) => p.create({ ...inputs, roleUid: "${await platform.role("owner")}", roleName: undefined }) }; }`;
    await project.program(`${identity} new RoleBinding("x", { parentUid: root, identityUid: a.uid, roleUid: "${await platform.role("viewer")}" }, {
      transformations: [({ props, opts }) => ({ opts, props: { ...props, __provider: ${JSON.stringify(swapped)} } })] });`);
    expect(await openIn(any)).toEqual([[8, ["what x does"]]]);
    await succeed(project.up());
    expect(await ownersOf(platform)).toContain("ci");
  });

  test("access on another platform is undecided until nothing changes there", async () => {
    await givesElsewhere();
  });

  test("settings of the stack that change are told, and another platform than the one that is read is undecided", async () => {
    await project.config({ "platform:baseUrl": platform.baseUrl, "platform:breakGlass": platform.identity });
    await project.program(identity);
    await succeed(project.up());
    expect((await passing("--stack", "test")).warnings).toEqual([]);
    await succeed(project.pulumi("config", "rm", "platform:breakGlass"));
    const told = (await passing("--stack", "test")).warnings.map(({ message }) => message);
    expect(told).toEqual([`the settings of the stack change: platform:breakGlass from ${platform.identity} to none`]);
    await project.config({ "platform:baseUrl": other.baseUrl });
    const { stdout } = await project.pulumi("preview", "--json", "--show-sames");
    await project.file("preview.json", stdout);
    const gate = await project.command("review", "--file", "preview.json", "--fail-on", "any");
    expect(gate).toMatchObject({
      code: 8,
      stderr: expect.stringContaining(`${other.baseUrl}/ (platform:baseUrl)`) as string,
    });
  });
});

/** The example of `Provider`: what is looked up on the platform of the stack has nothing to do with what `up` gives on the other one. */
async function givesElsewhere(): Promise<void> {
  const { baseUrl, identity, oidcTokenFile, root } = other;
  const args = JSON.stringify({ baseUrl, identity, oidcTokenFile });
  const there = (role: string, name: string) => `
    const staging = new platform.Provider("staging", ${args});
    const parentUid = ${JSON.stringify(root)};
    const mallory = new Identity("mallory", { parentUid, name: "${name}", ${login("mallory")} }, { provider: staging });
    new RoleBinding("given", { parentUid, identityUid: mallory.uid, roleName: "${role}" }, { provider: staging });`;
  const name = `mallory-${project.door}`;
  await project.program(there("viewer", name));
  expect(await openIn(any, strict)).toEqual(Array(2).fill([8, ["what given does", "what mallory does"]]));
  await succeed(project.up());
  expect((await passing()).changes).toEqual([]);
  await project.program(there("owner", name));
  await platform.clearRequests();
  expect(await openIn(any, refreshing)).toEqual(Array(2).fill([8, ["what given does"]]));
  expect((await platform.requests()).filter(({ path, query }) => `${path}${query}`.includes(root))).toEqual([]);
  await succeed(project.up());
  expect(await ownersOf(other)).toContain(name);
  expect(await ownersOf(platform)).not.toContain(name);
}

import { copyFile } from "node:fs/promises";
import path from "node:path";
import { head } from "../plugin/remote";
import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { longTest } from "../../support/tier";

interface Reviewed {
  readonly undecided: readonly unknown[];
  readonly errors: readonly string[];
  readonly changes: readonly { readonly message: string }[];
}

useProject();

async function review(stack = "test"): Promise<Reviewed> {
  const { stdout, stderr } = await project.command("review", "--stack", stack, "--json");
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Reviewed;
}

longTest.each(["every-kind", "organization", "organization-file"])(
  "a review of the example %s leaves nothing undecided, before its first update and after it",
  async (name) => {
    if (name === "organization-file")
      await copyFile(path.resolve(__dirname, `../../../examples/${name}/acme.yaml`), path.join(project.folder, "acme.yaml"));
    await project.example(name);
    await succeed(project.pulumi("config", "set", "--secret", "clientSecret", "x"));
    const first = await review();
    expect(first).toMatchObject({ undecided: [], errors: [] });
    expect(first.changes).not.toEqual([]);
    await succeed(project.up());
    expect(await review()).toMatchObject({ undecided: [], changes: [] });
  },
);

longTest("a review decides components that the plugin constructs", async () => {
  const program = (role: string) => `${head}
    remote("Organization", "acme", {
      parentUid: root,
      groups: { shop: { identities: { ci: { claimMatch: login } }, access: { ${role}: ["ci"] } } },
    });`;
  await project.program(program("viewer"), "native");
  expect(await review()).toMatchObject({ undecided: [], errors: [], changes: [{}] });
  await succeed(project.up());
  await succeed(project.drift());
  await project.program(program("editor"), "native");
  expect(await review()).toMatchObject({ undecided: [], errors: [], changes: [{}, {}] });
});

longTest("a review of the example teams leaves nothing undecided", async () => {
  await project.program('module.exports = { groups: { engineering: new Group("engineering", { parentUid: root }).uid } };');
  await succeed(project.up());
  await project.example("teams");
  await succeed(project.pulumi("stack", "init", "checkout"));
  const values = { organizationStack: "organization/test/test", division: "engineering", "services[0]": "basket" };
  for (const [key, value] of Object.entries(values))
    await succeed(project.pulumi("config", "set", "--stack", "checkout", "--path", key, value));
  expect(await review("checkout")).toMatchObject({ undecided: [], errors: [], changes: [{}] });
});

longTest("a new identity with its access, a removed binding and a changed role are decided", async () => {
  const shop = 'const shop = new Group("shop", { parentUid: root });';
  const identity = (name: string) =>
    `const ${name} = new Identity("${name}", { parentUid: shop.uid, claimMatch: platform.githubActions({ repository: "acme/${name}", branch: "main" }) });`;
  const binding = (name: string, role: string) =>
    `new RoleBinding("${name}", { parentUid: shop.uid, identityUid: ${name}.uid, roleName: "${role}" });`;
  await project.program([shop, identity("ci"), binding("ci", "viewer")].join("\n"));
  await succeed(project.up());
  expect((await platform.named("identities", "ci")).uid).toBeDefined();
  const updates = [
    [shop, identity("ci"), binding("ci", "viewer"), identity("bot"), binding("bot", "editor")],
    [shop, identity("ci")],
    [shop, identity("ci"), binding("ci", "owner")],
  ];
  for (const lines of updates) {
    await project.program(lines.join("\n"));
    const { undecided, errors, changes } = await review();
    expect({ undecided, errors }).toEqual({ undecided: [], errors: [] });
    expect(changes).not.toEqual([]);
  }
});

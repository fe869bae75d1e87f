import { TestPlatform } from "../../support/test-platform";
import { Project } from "../project";
import { succeed } from "../succeed";

test("a RoleBinding of another provider that a GroupAccess does not list fails before anything is sent for it", async () => {
  const platform = await TestPlatform.start();
  const project = await Project.create(
    `module.exports = (async () => {
      const shop = new Group("shop", { parentUid: root });
      const identity = (name) => new Identity(name, { parentUid: root, claimMatch: { issuer: "https://gitlab.com", subject: name } }).uid;
      const [zoe, max] = ["zoe", "max"].map(identity);
      const roleUid = (await platform.getRole({ name: "viewer" })).uid;
      const provider = new platform.Provider("other", { audience: ${JSON.stringify(platform.baseUrl)} });
      const access = new GroupAccess("shop", { parentUid: shop.uid, access: { owner: { zoe } } });
      new RoleBinding("max-viewer", { parentUid: shop.uid, identityUid: max, roleUid }, { provider, dependsOn: [access] });
    })();`,
    platform.environment,
  );
  const { code, output } = await project.up();
  const shop = await platform.named("groups", "shop");
  const bindings = (await platform.objects("roleBindings")).filter(({ uid }) => uid.startsWith(shop.uid));
  expect(code).not.toBe(0);
  expect(output).toContain("manages that group and does not list it");
  expect(bindings).toHaveLength(1);
  await platform.close();
  await project.remove();
});

test("roles that move between resources of two providers are never without a binding, and nothing is written", async () => {
  const platform = await TestPlatform.start();
  const program = (body: string) => `
    module.exports = (async () => {
      const shop = new Group("shop", { parentUid: root });
      const identity = (name) => new Identity(name, { parentUid: root, claimMatch: { issuer: "https://gitlab.com", subject: name } }).uid;
      const [zoe, max, eve] = ["zoe", "max", "eve"].map(identity);
      const roleUid = (await platform.getRole({ name: "viewer" })).uid;
      const at = (name) => ({ provider: new platform.Provider(name, { audience: ${JSON.stringify(platform.baseUrl)} }) });
      const [one, two] = [at("one"), at("two")];
      const parentUid = shop.uid;
      ${body}
    })();`;
  const all = `new GroupAccess("all", { parentUid, access: { owner: { zoe }, editor: { eve }, viewer: { max } } }, one);`;
  const others = `
    new GroupAccess("editors", { parentUid, roles: ["editor"], access: { editor: { eve } } }, two);
    new RoleBinding("max", { parentUid, identityUid: max, roleUid, adopt: true }, two);`;
  const owners = `{ parentUid, roles: ["owner"], access: { owner: { zoe } } }, one`;
  const shrunk = `new GroupAccess("all", ${owners}); ${others}`;
  const apart = `new GroupAccess("owners", ${owners}); ${others}`;
  const swapped = apart.replaceAll("one", "three").replaceAll("two", "one").replaceAll("three", "two");
  const project = await Project.create(program(all), platform.environment);
  try {
    await succeed(project.up());
    const bindings = async () => (await platform.objects("roleBindings")).map(({ uid }) => uid).sort();
    const before = await bindings();
    await platform.clearRequests();
    for (const body of [shrunk, apart, swapped]) {
      await project.program(program(body));
      await succeed(project.up());
      expect(await bindings()).toEqual(before);
    }
    expect((await platform.writes()).filter(({ path }) => path.includes("/roleBindings"))).toEqual([]);
    expect((await succeed(project.up())).steps).toEqual([]);
  } finally {
    await platform.close();
    await project.remove();
  }
});

test("with --target, a removal waits for no resource of another group, and says for which of its own group it waits", async () => {
  const platform = await TestPlatform.start();
  const program = (...members: string[]) => `
    const identity = (name) => new Identity(name, { parentUid: root, claimMatch: { issuer: "https://gitlab.com", subject: name } }).uid;
    const [zoe, max, eve] = ["zoe", "max", "eve"].map(identity);
    const [shop, press] = ["shop", "press"].map((name) => new Group(name, { parentUid: root }).uid);
    new GroupAccess("press", { parentUid: press, access: { viewer: { zoe } } });
    new RoleBinding("root", { parentUid: root, identityUid: max, roleName: "viewer" });
    new GroupAccess("shop", { parentUid: shop, roles: ["viewer"], access: { viewer: { ${members.join(", ")} } } });`;
  const own = `new RoleBinding("eve", { parentUid: shop, identityUid: eve, roleName: "editor" });`;
  const project = await Project.create(program("zoe", "max", "eve"), platform.environment);
  try {
    await succeed(project.up());
    const access =
      (await project.resources()).find(({ urn }) => urn.endsWith("::shop") && urn.includes("GroupAccess"))?.urn ?? "";
    await project.program(program("zoe", "max"));
    const removed = await succeed(project.up("--target", access));
    expect(removed.steps).toEqual(["update GroupAccess shop"]);
    expect(removed.output).not.toContain("waits up to");
    await project.program(program("zoe") + own);
    const waited = await succeed(project.up("--target", access));
    expect(waited.steps).toEqual(["update GroupAccess shop"]);
    expect(waited.output).toContain('waits up to 15 s until the engine has checked RoleBinding "eve"');
  } finally {
    await platform.close();
    await project.remove();
  }
});

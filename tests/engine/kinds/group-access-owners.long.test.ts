import { fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

useProject();

/** A group, who may have access to it, two providers besides that of the stack, and `body`. */
const program = (body: string) => `
  const people = ["zoe", "max", "eve"];
  const identity = (name) => new Identity(name, { parentUid: root, claimMatch: { issuer: "https://gitlab.example", subject: name } }).uid;
  const [zoe, max, eve] = people.map(identity);
  const [shop, press] = ["shop", "press"].map((name) => new Group(name, { parentUid: root }).uid);
  const at = (name) => ({ provider: new platform.Provider(name, { audience: ${JSON.stringify(platform.baseUrl)} }) });
  const [one, two] = [at("one"), at("two")];
  ${body}`;

const declare = (body: string) => project.program(program(body));
const bindings = async () => (await platform.objects("roleBindings")).map(({ uid }) => uid).sort();
const writesOfBindings = async () => (await platform.writes()).filter(({ path }) => path.includes("/roleBindings"));

test("a RoleBinding of another provider that a GroupAccess does not list fails before anything is sent for it", async () => {
  const before = await bindings();
  await declare(`
    const access = new GroupAccess("shop", { parentUid: shop, access: { owner: { zoe } } });
    new RoleBinding("max-viewer", { parentUid: shop, identityUid: max, roleName: "viewer" }, { ...one, dependsOn: [access] });`);
  await fail(project.up(), "max-viewer", "`access`");
  expect(await bindings()).toHaveLength(before.length + 1);
});

test("roles that move between resources of two providers are never without a binding, and nothing is written", async () => {
  const others = `
    new GroupAccess("editors", { parentUid: shop, roles: ["editor"], access: { editor: { eve } } }, two);
    new RoleBinding("max", { parentUid: shop, identityUid: max, roleName: "viewer", adopt: true }, two);`;
  const owners = `{ parentUid: shop, roles: ["owner"], access: { owner: { zoe } } }, one`;
  const apart = `new GroupAccess("owners", ${owners}); ${others}`;
  const swapped = apart.replaceAll("one", "three").replaceAll("two", "one").replaceAll("three", "two");
  await declare(
    `new GroupAccess("all", { parentUid: shop, access: { owner: { zoe }, editor: { eve }, viewer: { max } } }, one);`,
  );
  await succeed(project.up());
  const before = await bindings();
  await platform.clearRequests();
  for (const body of [`new GroupAccess("all", ${owners}); ${others}`, apart, swapped]) {
    await declare(body);
    await succeed(project.up());
    expect(await bindings()).toEqual(before);
  }
  expect(await writesOfBindings()).toEqual([]);
  expect((await succeed(project.up())).steps).toEqual([]);
});

test("with --target, a removal waits for no resource of another group, and says for which of its own group it waits", async () => {
  const body = (...members: string[]) => `
    new GroupAccess("press", { parentUid: press, access: { viewer: { zoe } } });
    new RoleBinding("root", { parentUid: root, identityUid: max, roleName: "viewer" });
    new GroupAccess("shop", { parentUid: shop, roles: ["viewer"], access: { viewer: { ${members.join(", ")} } } });`;
  await declare(body("zoe", "max", "eve"));
  await succeed(project.up());
  const { urn = "" } = (await project.resources()).find(({ urn }) => /GroupAccess::shop$/.test(urn)) ?? {};
  await declare(body("zoe", "max"));
  const removed = await succeed(project.up("--target", urn));
  expect(removed.steps).toEqual(["update GroupAccess shop"]);
  expect(removed.output).not.toContain("waits up to");
  await declare(`${body("zoe")} new RoleBinding("eve", { parentUid: shop, identityUid: eve, roleName: "editor" });`);
  const waited = await succeed(project.up("--target", urn));
  expect(waited.steps).toEqual(["update GroupAccess shop"]);
  expect(waited.output).toMatch(/waits up to 15 s .*RoleBinding "eve"/);
});

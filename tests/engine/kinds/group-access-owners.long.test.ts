import type { WireObject } from "../../support/test-platform";
import { succeed } from "../succeed";
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

/** Who has which role in the group `shop`, as `identity role` by uid. */
async function members(): Promise<string[]> {
  const { uid } = await platform.named("groups", "shop");
  const bound = await platform.objects("roleBindings");
  const inShop = bound.filter((each) => each.uid.startsWith(`${uid}/`)) as unknown as {
    identity: WireObject;
    role: WireObject;
  }[];
  return inShop.map(({ identity, role }) => `${identity.uid} ${role.uid}`).sort();
}

test("roles that move between resources of two providers end as declared, and the next update changes nothing", async () => {
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
  const before = await members();
  expect(before).toHaveLength(3);
  for (const body of [`new GroupAccess("all", ${owners}); ${others}`, apart, swapped]) {
    await declare(body);
    await succeed(project.up());
    expect(await members()).toEqual(before);
  }
  expect((await succeed(project.up())).steps).toEqual([]);
});

test("with --target, a removal waits for no other resource", async () => {
  const body = (...members: string[]) => `
    new GroupAccess("press", { parentUid: press, access: { viewer: { zoe } } });
    new RoleBinding("root", { parentUid: root, identityUid: max, roleName: "viewer" });
    new GroupAccess("shop", { parentUid: shop, roles: ["viewer"], access: { viewer: { ${members.join(", ")} } } });`;
  await declare(body("zoe", "max", "eve"));
  await succeed(project.up());
  const { urn = "" } = (await project.resources()).find(({ urn }) => /GroupAccess::shop$/.test(urn)) ?? {};
  await declare(`${body("zoe")} new RoleBinding("eve", { parentUid: shop, identityUid: eve, roleName: "editor" });`);
  const removed = await succeed(project.up("--target", urn));
  expect(removed.steps).toEqual(["update GroupAccess shop"]);
  expect(await members()).toHaveLength(1);
});

import { TestPlatform } from "../support/test-platform";
import { Project } from "./project";

jest.setTimeout(400_000);

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

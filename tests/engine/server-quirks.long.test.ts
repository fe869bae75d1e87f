import { claimMatch } from "./programs";
import { succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";

useProject(`
  const outer = new Group("outer", { parentUid: root, description: "Outer" });
  const inner = new Group("inner", { parentUid: outer.uid });
  const ci = new Identity("ci", { parentUid: inner.uid, claimMatch: ${JSON.stringify(claimMatch)} });
  const role = platform.getRoleOutput({ name: "viewer" });
  new RoleBinding("ci-viewer", { parentUid: inner.uid, identityUid: ci.uid, roleUid: role.uid });
`);

/** What servers may do differently, each allowed by the form of their messages (docs/platform-api.md#defaults). */
const terse = { omitDefaults: true, omitTotalCount: true, deleteBody: "object", timestampDigits: 0 };

test("on a platform that leaves out what is empty: up, up without a change, no drift, and destroy leaves nothing", async () => {
  await platform.settings(terse);
  const authorization = `Bearer ${await platform.apiToken()}`;
  const below = `${platform.baseUrl}/iam/v2beta1/groups?uidp.children_of=${platform.root}`;
  expect(await (await fetch(below, { headers: { authorization } })).json()).toEqual({});
  const before = await platform.objects("roleBindings");

  await succeed(project.up());
  const [outer, inner] = [await platform.named("groups", "outer"), await platform.named("groups", "inner")];
  const ci = await platform.named("identities", "ci");
  expect(inner.uid.startsWith(`${outer.uid}/`)).toBe(true);
  expect(ci).toMatchObject({ claimMatch });
  const bindings = (await platform.objects("roleBindings")).filter((binding) => binding.uid.startsWith(`${inner.uid}/`));
  expect(bindings).toMatchObject([{ identity: { uid: ci.uid }, role: { name: "viewer" } }]);

  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect((await succeed(project.drift())).steps).toEqual([]);
  expect((await platform.writes()).map(({ method }) => method)).toEqual(["POST", "POST", "POST", "POST"]);

  await succeed(project.destroy("--run-program"));
  expect(await platform.groupNames()).toEqual([]);
  expect((await platform.objects("identities")).map(({ uid }) => uid)).toEqual([platform.identity]);
  expect(await platform.objects("roleBindings")).toEqual(before);
  expect(await project.resources()).toEqual([]);
});

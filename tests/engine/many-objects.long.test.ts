import { succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";

const count = 30;

/** Groups, identities and role bindings, `count` of each, all directly below the root. */
const program = `
  const role = platform.getRoleOutput({ name: "viewer" });
  for (let index = 0; index < ${count}; index++) {
    new Group("group-" + index, { parentUid: root });
    const identity = new Identity("identity-" + index, {
      parentUid: root, claimMatch: { issuer: "https://gitlab.com", subject: "project_path:acme/shop/" + index },
    });
    new RoleBinding("binding-" + index, { parentUid: root, identityUid: identity.uid, roleUid: role.uid });
  }
`;

useProject(program, { shared: true });

async function uid(logicalName: string): Promise<string> {
  return (await project.resources()).find(({ urn }) => urn.endsWith(`::${logicalName}`))?.id ?? "";
}

test("the first up of many objects makes each once", async () => {
  const [identities, bindings] = await Promise.all([platform.objects("identities"), platform.objects("roleBindings")]);
  await succeed(project.up());
  expect(await platform.groupNames()).toHaveLength(count);
  expect(await platform.objects("identities")).toHaveLength(identities.length + count);
  const bound = (await platform.objects("roleBindings")).map((binding) => (binding["identity"] as { name: string }).name);
  expect(bound).toHaveLength(bindings.length + count);
  expect(new Set(bound.filter((name) => name.startsWith("identity-"))).size).toBe(count);
});

/** A List answers for many: there are far fewer requests than objects, however the engine's reads fall together. */
const mostRequests = (3 * count) / 2;

test("a check for drift of many objects sends far fewer requests, and names exactly what was changed", async () => {
  await platform.clearRequests();
  expect((await succeed(project.drift())).steps).toEqual([]);
  expect((await platform.requests()).length).toBeLessThan(mostRequests);

  await platform.change("groups", await uid("group-7"), { description: "Changed by hand" });
  await platform.change("identities", await uid("identity-11"), { claimMatch: { subject: "project_path:mallory/shop" } });
  await platform.change("roleBindings", await uid("binding-13"), { roleUid: await platform.role("owner") });
  await platform.clearRequests();
  const { code, steps } = await project.drift();
  expect(code).toBe(7);
  expect(steps.sort()).toEqual(["update Group group-7", "update Identity identity-11", "update RoleBinding binding-13"]);
  const requests = await platform.requests();
  expect(requests.length).toBeLessThan(mostRequests);
  expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

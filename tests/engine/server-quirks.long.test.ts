import { TestPlatform } from "../support/test-platform";
import { claimMatch } from "./programs";
import { Project } from "./project";
import { succeed } from "./succeed";

const program = `
  const outer = new Group("outer", { parentUid: root, description: "Outer" });
  const inner = new Group("inner", { parentUid: outer.uid });
  const ci = new Identity("ci", { parentUid: inner.uid, claimMatch: ${JSON.stringify(claimMatch)} });
  const role = platform.getRoleOutput({ name: "viewer" });
  new RoleBinding("ci-viewer", { parentUid: inner.uid, identityUid: ci.uid, roleUid: role.uid });
`;

/** What servers may do differently, each allowed by the form of their messages (docs/platform-api.md#defaults). */
const terse = { omitDefaults: true, omitTotalCount: true, deleteBody: "object", timestampDigits: 0 };

const platforms: { what: string; settings: object; environment: Record<string, string>; version: string; emptyList: object }[] = [
  { what: "leaves out what is empty", settings: terse, environment: {}, version: "v2beta1", emptyList: {} },
  {
    what: "is the released version",
    settings: {},
    environment: { PLATFORM_API_VERSION: "v2" },
    version: "v2",
    emptyList: { groups: [], nextPageToken: "", totalCount: "0", skipped: 0 },
  },
];

test.each(platforms)(
  "on a platform that $what: up, up without a change, no drift, and destroy leaves nothing",
  async ({ settings, environment, version, emptyList }) => {
    const platform = await TestPlatform.start();
    const project = await Project.create(program, { ...platform.environment, ...environment });
    try {
      await platform.settings(settings);
      const authorization = `Bearer ${await platform.apiToken()}`;
      const below = `${platform.baseUrl}/iam/${version}/groups?uidp.children_of=${platform.root}`;
      expect(await (await fetch(below, { headers: { authorization } })).json()).toEqual(emptyList);
      const before = await platform.objects("roleBindings");

      await succeed(project.up());
      expect(await platform.groupNames()).toEqual(["inner", "outer"]);
      const inner = await platform.named("groups", "inner");
      const ci = await platform.named("identities", "ci");
      expect(inner.uid.startsWith(`${(await platform.named("groups", "outer")).uid}/`)).toBe(true);
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
      expect((await platform.requests()).filter(({ path }) => !path.startsWith(`/iam/${version}/`))).toEqual([]);
    } finally {
      await platform.close();
      await project.remove();
    }
  },
);

import { digestOf } from "../../support/resource-fixture";
import { fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { longTest } from "../../support/tier";

useProject(program);

const [first, second] = [digestOf("a"), digestOf("b")];

interface Declared {
  policy?: string;
  tag?: object;
  adopt?: boolean;
}

/** A repo that another one is synchronised from, and a tag. */
function program({ policy, tag = { digest: first }, adopt }: Declared = {}): string {
  const more = JSON.stringify({ ...(policy && { deletionPolicy: policy }), ...(adopt && { adopt }) });
  return `
    const { Repo, Tag } = platform;
    const team = new Group("team", { parentUid: root });
    const shop = new Repo("shop", {
      parentUid: team.uid, description: "Images", aliases: ["shop:2", "shop:1"], bundles: ["base"], activeTags: ["1", "2"],
      catalogTier: "CATALOG_TIER_BASE", customOverlay: { contents: { packages: ["curl"] }, environment: { A: "1" } }, ...${more},
    });
    const copy = new Repo("copy", { parentUid: team.uid, sync_config: { source: shop.name, google: "g" }, ...${more} });
    const stable = new Tag("stable", { repoUid: shop.uid, ...${JSON.stringify(tag)}, ...${more} });
    exports.copy = { source: copy.sync_config.apply((config) => config.source), sourceUid: copy.sourceUid };
  `;
}

const gone = "delete";

longTest(
  "up makes a repo, a copy and a tag; sync_config goes by its literal key; then nothing changes, and no order of a set is a change",
  async () => {
    const { steps } = await succeed(project.up());
    expect(steps.sort()).toEqual(["create Group team", "create Repo copy", "create Repo shop", "create Tag stable"]);
    const shop = await platform.named("repos", "shop");
    expect(shop).toMatchObject({
      description: "Images",
      aliases: ["shop:1", "shop:2"],
      bundles: ["base"],
      activeTags: ["1", "2"],
      catalogTier: "CATALOG_TIER_BASE",
      customOverlay: { contents: { packages: ["curl"] }, environment: { A: "1" } },
    });
    const sent = (await platform.writes()).find(({ body }) => (body as { name?: string }).name === "copy");
    expect(sent?.body).toEqual({ name: "copy", sync_config: { source: "shop", google: "g" } });
    expect(await platform.named("repos", "copy")).toMatchObject({ sync_config: { source: shop.uid, google: "g" } });
    expect(await project.output("copy")).toEqual({ source: "shop", sourceUid: shop.uid });

    await project.program(program().replace('["shop:2", "shop:1"]', '["shop:1", "shop:2", "shop:1"]'));
    await platform.clearRequests();
    expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
    expect(await platform.requests()).toEqual([]);
  },
);

/** Fields that are changed by hand, of which object, and the mask that repairs them. A tag is updated as a whole. */
type Change = [collection: string, name: string, fields: (uid: string) => object, mask: string | null];

/** Every field of both kinds; the changes of one round are made together, each to another object. */
const rounds: Change[][] = [
  [
    ["repos", "shop", () => ({ description: "by hand", aliases: ["evil:1"], activeTags: [] }), "description,aliases,active_tags"],
    ["repos", "copy", (uid) => ({ sync_config: { source: uid } }), "sync_config"],
    ["tags", "stable", () => ({ digest: second, bundles: ["base"] }), null],
  ],
  [
    [
      "repos",
      "shop",
      () => ({
        name: "other",
        bundles: ["fips"],
        catalogTier: "CATALOG_TIER_AI",
        customOverlay: { contents: { packages: ["nc"] } },
      }),
      "name,catalog_tier,bundles,custom_overlay",
    ],
    ["repos", "copy", () => ({ sync_config: { amazon: "by hand" } }), "sync_config"],
    ["tags", "stable", () => ({ deprecated: true }), null],
  ],
  [["repos", "copy", () => ({ sync_config: null }), "sync_config"]],
];

longTest(
  "drift of every field is found with exit code 7, and repaired in place by up --refresh with exactly these fields; with the policy delete, set by an up that writes nothing, destroy leaves nothing",
  async () => {
    await succeed(project.up());
    expect(await succeed(project.drift())).toMatchObject({ steps: [] });
    const objects = async () => {
      const all = [...(await platform.objects("repos")), ...(await platform.objects("tags"))];
      const lasting = all.map(({ updateTime: _, ...rest }) => JSON.stringify(rest));
      return lasting.map((text) => text.replaceAll(/"expirationTime":"[^"]*"/g, "")).sort();
    };
    const before = await objects();
    for (const changes of rounds) {
      for (const [collection, name, fields] of changes) {
        const { uid } = await platform.named(collection, name);
        await platform.change(collection, uid, fields(uid));
      }
      const { code, steps } = await project.drift();
      expect(code).toBe(7);
      const types: Record<string, string> = { repos: "Repo", tags: "Tag" };
      expect(steps.sort()).toEqual(changes.map(([collection, name]) => `update ${types[collection] ?? ""} ${name}`).sort());
      await platform.clearRequests();
      await succeed(project.up("--refresh", "--run-program"));
      const masks = (await platform.writes()).map(({ query }) => new URLSearchParams(query).get("updateMask"));
      expect(masks.sort()).toEqual(changes.map(([, , , mask]) => mask).sort());
      expect(await objects()).toEqual(before);
    }
    expect(await succeed(project.drift())).toMatchObject({ steps: [] });

    await platform.clearRequests();
    await project.program(program({ policy: gone }));
    expect((await succeed(project.up())).steps.sort()).toEqual(["update Repo copy", "update Repo shop", "update Tag stable"]);
    expect(await platform.writes()).toEqual([]);
    const { output } = await succeed(project.destroy("--run-program"));
    expect(output).not.toContain("warning");
    expect((await platform.objects("repos")).filter(({ name }) => ["shop", "copy"].includes(name))).toEqual([]);
    expect(await platform.groupNames()).not.toContain("team");
  },
);

test("destroy keeps repos and tags, says so, and fails at their group with the way on; that way then leaves nothing", async () => {
  await succeed(project.up());
  const { output } = await fail(project.destroy("--run-program"));
  for (const name of ['repo "shop"', 'repo "copy"', 'tag "stable"']) expect(output).toContain(`warning: ${name} under`);
  expect(output).toContain("is still on the platform");
  expect(output).toContain("A repo stays when its Repo resource is deleted");
  expect((await platform.objects("repos")).filter(({ name }) => ["shop", "copy"].includes(name))).toHaveLength(2);
  expect((await platform.objects("tags")).filter(({ name }) => name === "stable")).toHaveLength(1);
  expect((await project.resources()).map(({ urn }) => urn.split("::").at(-1))).toEqual(["team"]);

  const source = (await platform.named("repos", "shop")).uid;
  await project.program(program({ policy: gone, adopt: true }).replace("source: shop.name", `source: ${JSON.stringify(source)}`));
  await succeed(project.up());
  await succeed(project.destroy("--run-program"));
  expect(await project.resources()).toEqual([]);
  expect((await platform.objects("repos")).filter(({ name }) => ["shop", "copy"].includes(name))).toEqual([]);
});

longTest(
  "a tag of somebody else fails the up and is not touched; adopted without a digest, pushes move it without drift",
  async () => {
    await project.program(
      "const team = new Group('team', { parentUid: root }); new platform.Repo('shop', { parentUid: team.uid });",
    );
    await succeed(project.up());
    const shop = await platform.named("repos", "shop");
    const theirs = await platform.create("tags", shop.uid, { name: "stable", digest: second });
    const tagOf = (more: object) => `
    const team = new Group("team", { parentUid: root });
    const shop = new platform.Repo("shop", { parentUid: team.uid });
    new platform.Tag("stable", { repoUid: shop.uid, ...${JSON.stringify(more)} });
  `;
    await project.program(tagOf({ digest: first }));
    const { output } = await fail(project.up());
    expect(output).toContain(theirs.uid);
    expect(await platform.named("tags", "stable")).toMatchObject({ uid: theirs.uid, digest: second });

    await project.program(tagOf({ adopt: true }));
    await succeed(project.up());
    await platform.change("tags", theirs.uid, { digest: first });
    expect(await succeed(project.drift())).toMatchObject({ steps: [] });
    await project.program(tagOf({ deprecated: true }));
    expect((await succeed(project.up())).steps).toEqual(["update Tag stable"]);
    expect(await platform.named("tags", "stable")).toMatchObject({ uid: theirs.uid, digest: first, deprecated: true });
  },
);

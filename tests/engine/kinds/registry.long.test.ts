import { digestOf } from "../../support/resource-fixture";
import { fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

useProject(program);

const digest = digestOf("a");

interface Declared {
  policy?: string;
  adopt?: boolean;
}

/** A repo that another one is synchronised from, and a tag. */
function program({ policy, adopt }: Declared = {}): string {
  const more = JSON.stringify({ ...(policy && { deletionPolicy: policy }), ...(adopt && { adopt }) });
  return `
    const { Repo, Tag } = platform;
    const team = new Group("team", { parentUid: root });
    const shop = new Repo("shop", {
      parentUid: team.uid, description: "Images", aliases: ["shop:2", "shop:1"], bundles: ["base"], activeTags: ["1", "2"],
      catalogTier: "CATALOG_TIER_BASE", customOverlay: { contents: { packages: ["curl"] }, environment: { A: "1" } }, ...${more},
    });
    const copy = new Repo("copy", { parentUid: team.uid, sync_config: { source: shop.name, google: "g" }, ...${more} });
    const stable = new Tag("stable", { repoUid: shop.uid, digest: "${digest}", ...${more} });
    exports.copy = { source: copy.sync_config.apply((config) => config.source), sourceUid: copy.sourceUid };
  `;
}

const gone = "delete";

test("up makes a repo, a copy and a tag; sync_config goes by its literal key; then nothing changes, and no order of a set is a change", async () => {
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
});

test("destroy keeps repos and tags, says so, and fails at their group with the way on; that way then leaves nothing", async () => {
  await succeed(project.up());
  const kept = ['repo "shop"', 'repo "copy"', 'tag "stable"'].map((name) => `warning: ${name} under`);
  await fail(project.destroy("--run-program"), ...kept, "deletionPolicy", "[FAILED_PRECONDITION]");
  expect((await platform.objects("repos")).filter(({ name }) => ["shop", "copy"].includes(name))).toHaveLength(2);
  expect((await platform.objects("tags")).filter(({ name }) => name === "stable")).toHaveLength(1);
  expect((await project.resources()).map(({ urn }) => urn.split("::").at(-1))).toEqual(["team"]);

  const source = (await platform.named("repos", "shop")).uid;
  await project.program(program({ policy: gone, adopt: true }).replace("source: shop.name", `source: ${JSON.stringify(source)}`));
  await succeed(project.up());
  const { output } = await succeed(project.destroy("--run-program"));
  expect(output).not.toContain("warning");
  expect(await project.resources()).toEqual([]);
  expect((await platform.objects("repos")).filter(({ name }) => ["shop", "copy"].includes(name))).toEqual([]);
});

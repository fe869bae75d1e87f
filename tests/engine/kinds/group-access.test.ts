import { endWith, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { longTest } from "../../support/tier";

const people = ["ci-shop", "nightly", "zoe", "max"];

/** A group, identities, and whatever `body` declares with them. `access` is the uid of the group. */
const program = (body: string) => `
  module.exports = (async () => {
    const shop = new Group("shop", { parentUid: root });
    const identity = (name) => new Identity(name, { parentUid: root, claimMatch: { issuer: "https://gitlab.example", subject: name } }).uid;
    const [ci, nightly, zoe, max] = ${JSON.stringify(people)}.map(identity);
    const role = async (name) => (await platform.getRole({ name })).uid;
    ${body}
    return { shop: shop.uid };
  })();`;

const access = (members: string, more = "") =>
  program(`new GroupAccess("shop", { parentUid: shop.uid, access: ${members}, ${more} });`);

useProject(() => access('{ owner: { "ci-shop": ci }, viewer: { nightly } }'));

/** Who has which role in the group, by the platform: `ci-shop owner`, with the uids of the bindings. */
async function members(): Promise<Record<string, string>> {
  const shop = await platform.named("groups", "shop");
  const bindings = (await platform.objects("roleBindings")).filter(({ uid }) => uid.startsWith(`${shop.uid}/`));
  const nameOf = (object: unknown) => (object as { name: string }).name;
  return Object.fromEntries(
    bindings.map(({ uid, identity, role }) => [`${nameOf(identity)} ${nameOf(role)}`, uid] as const).sort(),
  );
}

test("a group has exactly the declared members; a preview names who gains and who loses; access given by hand is drift by name, and the next up takes it back; destroyed, nobody keeps any", async () => {
  await succeed(project.up());
  expect(Object.keys(await members())).toEqual(["ci-shop owner", "nightly viewer"]);

  await project.program(access("{ owner: { zoe }, viewer: { nightly, max } }"));
  const { output } = await succeed(project.preview("--diff"));
  for (const change of [/\+ zoe/, /- ci-shop/, /\+ max/]) expect(output).toMatch(change);
  expect(output).not.toMatch(/[-+~] nightly/);
  await succeed(project.up());
  const declared = ["max viewer", "nightly viewer", "zoe owner"];
  expect(Object.keys(await members())).toEqual(declared);

  const [group, ci] = [await platform.named("groups", "shop"), await platform.named("identities", "ci-shop")];
  await platform.create("roleBindings", group.uid, { identityUid: ci.uid, roleUid: await platform.role("viewer") });
  const drift = await endWith(7, project.drift("--diff"));
  expect(drift.output).toMatch(/\+ ci-shop/);
  const repair = await succeed(project.up("--refresh", "--run-program", "--skip-preview=false", "--diff"));
  expect(repair.output).toMatch(/- ci-shop/);
  expect(Object.keys(await members())).toEqual(declared);
  expect((await succeed(project.up())).steps).toEqual([]);

  await succeed(project.destroy("--run-program"));
  expect(await platform.objects("groups")).toHaveLength(1);
});

/** The same members as role bindings of their own. */
const bindings = (...lines: string[]) =>
  program(
    lines
      .map((line) => {
        const [identity = "", role = ""] = line.split(" ");
        const variable = identity === "ci-shop" ? "ci" : identity;
        return `new RoleBinding("${identity}-${role}", { parentUid: shop.uid, identityUid: ${variable}, roleUid: await role("${role}"), adopt: true });`;
      })
      .join("\n"),
  );

longTest("moving from RoleBinding to GroupAccess and back changes nothing on the platform", async () => {
  await project.program(bindings("ci-shop owner", "nightly viewer"));
  await succeed(project.up());
  const before = await members();
  await platform.clearRequests();

  await project.program(access('{ owner: { "ci-shop": ci }, viewer: { nightly } }'));
  const there = await succeed(project.up());
  expect(there.steps.sort()).toEqual([
    "create GroupAccess shop",
    "delete RoleBinding ci-shop-owner",
    "delete RoleBinding nightly-viewer",
  ]);
  expect(await members()).toEqual(before);

  await project.program(bindings("ci-shop owner", "nightly viewer"));
  const back = await succeed(project.up());
  expect(back.steps).toContain("delete GroupAccess shop");
  expect(await members()).toEqual(before);
  expect(await platform.writes()).toEqual([]);

  await succeed(project.destroy("--run-program"));
  expect(await platform.objects("groups")).toHaveLength(1);
});

longTest(
  "beside others: two share a group with access given by hand, which is no drift and stays; role bindings move there without a write",
  async () => {
    const [ciOwner, nightlyViewer] = ['{ owner: { "ci-shop": ci } }', "{ viewer: { nightly } }"];
    const shared = (more = "") =>
      program(
        [ciOwner, nightlyViewer]
          .map((each, at) => `new GroupAccess("${at}", { parentUid: shop.uid, others: "keep", access: ${each}, ${more} });`)
          .join("\n"),
      );
    await project.program(bindings("ci-shop owner", "nightly viewer"));
    await succeed(project.up());
    const before = await members();
    const [group, zoe] = [await platform.named("groups", "shop"), await platform.named("identities", "zoe")];
    const byHand = await platform.create("roleBindings", group.uid, {
      identityUid: zoe.uid,
      roleUid: await platform.role("editor"),
    });
    await platform.clearRequests();

    await project.program(shared());
    expect((await project.up()).output).toMatch(/already exists/);
    await project.program(shared("adopt: true"));
    await succeed(project.up());
    expect(await members()).toEqual({ ...before, "zoe editor": byHand.uid });
    expect(await platform.writes()).toEqual([]);

    await project.program(shared());
    expect((await succeed(project.up())).steps).toEqual([]);
    await succeed(project.drift());
    await project.program(program(`new GroupAccess("0", { parentUid: shop.uid, others: "keep", access: ${ciOwner} });`));
    await succeed(project.up());
    expect(Object.keys(await members())).toEqual(["ci-shop owner", "zoe editor"]);
    await project.program(program(""));
    await succeed(project.up());
    expect(Object.keys(await members())).toEqual(["zoe editor"]);

    await platform.delete("roleBindings", byHand.uid);
    await succeed(project.destroy("--run-program"));
  },
);

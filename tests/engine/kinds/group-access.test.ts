import { Project } from "../project";
import { fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { longTest } from "../../support/tier";

const people = ["ci-shop", "nightly", "zoe", "max"];

/** A group, identities, and whatever `body` declares with them. `access` is the uid of the group. */
const program = (body: string) => `
  module.exports = (async () => {
    const shop = new Group("shop", { parentUid: root });
    const identity = (name) => new Identity(name, { parentUid: root, claimMatch: { issuer: "https://gitlab.com", subject: name } }).uid;
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
  const [groups, identities, roles, bindings] = await Promise.all(
    ["groups", "identities", "roles", "roleBindings"].map((collection) => platform.objects(collection)),
  );
  const shop = groups?.find(({ name }) => name === "shop")?.uid ?? "";
  const nameIn = (rows: { uid: string; name: string }[] | undefined, uid: unknown) => rows?.find((row) => row.uid === uid)?.name;
  return Object.fromEntries(
    (bindings ?? [])
      .filter(({ uid }) => uid.startsWith(`${shop}/`))
      .map((row): [string, string] => [
        `${nameIn(identities, referenced(row, "identity"))} ${nameIn(roles, referenced(row, "role"))}`,
        row.uid,
      ])
      .sort(),
  );
}

/** The uid that a binding names, in either of its two forms. */
function referenced(row: Record<string, unknown>, name: "identity" | "role"): unknown {
  return (row[name] as { uid?: string } | undefined)?.uid ?? row[`${name}Uid`];
}

async function bindByHand(name: string, role: string): Promise<string> {
  const [group, identity, roleUid] = [
    await platform.named("groups", "shop"),
    await platform.named("identities", name),
    await platform.role(role),
  ];
  return (await platform.create("roleBindings", group.uid, { identityUid: identity.uid, roleUid })).uid;
}

test("a group has exactly the declared members, which a program that only reads gets; a preview names who gains and who loses; access given by hand is drift, is previewed by name, and the next up removes it", async () => {
  expect((await succeed(project.preview("--diff"))).output).toMatch(/ci-shop *:/);
  await succeed(project.up());
  expect(Object.keys(await members())).toEqual(["ci-shop owner", "nightly viewer"]);
  expect((await succeed(project.up())).steps).toEqual([]);
  await expectRead();

  await project.program(access("{ owner: { zoe }, viewer: { nightly, max } }"));
  const { output } = await succeed(project.preview("--diff"));
  expect(output).toMatch(/\+ zoe/);
  expect(output).toMatch(/- ci-shop/);
  expect(output).toMatch(/\+ max/);
  expect(output).not.toMatch(/[-+~] nightly/);
  await succeed(project.up());
  const declared = ["max viewer", "nightly viewer", "zoe owner"];
  expect(Object.keys(await members())).toEqual(declared);

  await bindByHand("ci-shop", "viewer");
  const drift = await project.drift("--diff");
  expect(drift.code).toBe(7);
  expect(drift.output).toMatch(/\+ ci-shop/);
  expect((await succeed(project.preview("--refresh", "--diff"))).output).toMatch(/- ci-shop/);
  expect(Object.keys(await members())).toContain("ci-shop viewer");
  await succeed(project.up("--refresh", "--run-program"));
  expect(Object.keys(await members())).toEqual(declared);
  expect((await project.drift()).code).toBe(0);

  await succeed(project.destroy("--run-program"));
  expect(await platform.objects("groups")).toHaveLength(1);
});

/** Expects that a program of another stack reads the whole access of the group. */
async function expectRead(): Promise<void> {
  const { uid } = await platform.named("groups", "shop");
  const reader = await Project.create(
    `const read = GroupAccess.get("shop", "${uid}"); exports.access = read.access; exports.uid = read.uid;`,
    platform.environment,
  );
  try {
    await succeed(reader.up());
    expect(Object.keys((await reader.output("access")) as object)).toEqual(["owner", "viewer"]);
    expect(await reader.output("uid")).toBe(uid);
  } finally {
    await reader.remove();
  }
}

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
  "what was done is kept if a member cannot be added: nobody is removed, and the next up continues; one that could not be removed is named by the next preview, without a refresh, and the next up removes it",
  async () => {
    await succeed(project.up());
    const ghost = `${platform.root}/ffffffffffffffff`;
    await project.program(access(`{ owner: { zoe, ghost: "${ghost}" }, viewer: { nightly } }`));
    const failed = await fail(project.up());
    expect(failed.output).toContain('"ghost" as owner');
    expect(failed.output).toContain("Nothing was removed");
    expect(Object.keys(await members())).toEqual(["ci-shop owner", "nightly viewer", "zoe owner"]);
    const [resource] = (await project.resources()).filter(({ type }) => type.endsWith(":GroupAccess"));
    expect(Object.keys((resource?.outputs["access"] as { owner: object }).owner)).toEqual(["ci-shop", "zoe"]);

    await project.program(access("{ owner: { zoe }, viewer: { nightly } }"));
    expect((await succeed(project.preview("--diff"))).output).toMatch(/- ci-shop|remove "ci-shop"/);
    expect((await succeed(project.preview("--refresh", "--diff"))).output).toMatch(/- ci-shop/);
    await succeed(project.up());
    expect(Object.keys(await members())).toEqual(["nightly viewer", "zoe owner"]);
    expect((await project.drift()).code).toBe(0);

    await platform.fault({ method: "DELETE", path: "/roleBindings/" }, { status: 403, code: 7 }, { times: 0 });
    await project.program(access("{ owner: { max }, viewer: { nightly } }"));
    await fail(project.up());
    expect(Object.keys(await members())).toEqual(["max owner", "nightly viewer", "zoe owner"]);
    await platform.clearFaults();
    expect((await succeed(project.preview("--diff"))).output).toMatch(/- zoe|remove "zoe"/);
    await succeed(project.up());
    expect(Object.keys(await members())).toEqual(["max owner", "nightly viewer"]);
    expect((await succeed(project.preview())).output).not.toContain("did not finish");
  },
);

longTest("the first up fails while others have access, and adopt leaves them for a preview to show", async () => {
  await project.program(program(""));
  await succeed(project.up());
  await bindByHand("max", "viewer");
  const only = "{ owner: { zoe } }";
  await project.program(access(only));
  const failed = await fail(project.up());
  for (const part of ['"max"', "viewer", "Nothing was sent", "adopt: true"]) expect(failed.output).toContain(part);
  expect(Object.keys(await members())).toEqual(["max viewer"]);

  await project.program(access(only, "adopt: true"));
  expect((await succeed(project.up())).output).toContain('"max"');
  expect(Object.keys(await members())).toEqual(["max viewer", "zoe owner"]);
  expect((await succeed(project.up())).steps).toEqual([]);
  expect((await succeed(project.preview("--refresh", "--diff"))).output).toMatch(/- max/);
  await succeed(project.up("--refresh", "--run-program"));
  expect(Object.keys(await members())).toEqual(["zoe owner"]);
});

longTest(
  "a RoleBinding that a GroupAccess leaves out fails the preview, and one that both list fails the up; two resources share a group by roles, and members move between them without a change on the platform",
  async () => {
    await succeed(project.up());
    const both = (more: string) => `
    new GroupAccess("shop", { parentUid: shop.uid, access: { owner: { "ci-shop": ci }, viewer: { nightly } } });
    ${more}`;
    const binding = (who: string) =>
      `new RoleBinding("other", { parentUid: shop.uid, identityUid: ${who}, roleUid: await role("viewer"), adopt: true });`;
    await project.program(program(both(binding("zoe"))));
    expect((await fail(project.preview())).output).toContain("a GroupAccess manages that group and does not list it");
    await project.program(program(both(binding("nightly"))));
    expect((await fail(project.up())).output).toContain("another resource of this program");
    const before = await members();
    expect(Object.keys(before)).toEqual(["ci-shop owner", "nightly viewer"]);

    await platform.clearRequests();
    await project.program(
      program(`
      new GroupAccess("shop", { parentUid: shop.uid, roles: ["owner"], access: { owner: { "ci-shop": ci } } });
      new GroupAccess("viewers", { parentUid: shop.uid, roles: ["viewer"], access: { viewer: { nightly } } });`),
    );
    await succeed(project.up());
    await succeed(project.up());
    expect((await succeed(project.up())).steps).toEqual([]);
    expect(await members()).toEqual(before);
    expect(await platform.writes()).toEqual([]);
  },
);

longTest("an update and a destroy that would end the access of the run remove nobody", async () => {
  const body = (members: string) =>
    `new GroupAccess("root", { parentUid: root, roles: ["owner"], access: { owner: ${members} } });`;
  const self = `runner: process.env["PLATFORM_IDENTITY"]`;
  await project.program(program(body(`{ ${self}, zoe, max }`)));
  await succeed(project.up());
  const bindings = async () => (await platform.objects("roleBindings")).map(({ uid }) => uid).sort();
  const before = await bindings();
  await project.program(program(body("{ max }")));
  expect((await fail(project.up())).output).toContain("this would end access that this run needs");
  expect((await fail(project.destroy("--run-program"))).output).toContain("this would end access that this run needs");
  expect(await bindings()).toEqual(before);

  await project.program(program(body(`{ ${self}, max }`)));
  await succeed(project.up());
  expect(await bindings()).toHaveLength(before.length - 1);
});

import { TestPlatform } from "../support/test-platform";
import { Project } from "./project";
import { fail, succeed } from "./succeed";

jest.setTimeout(300_000);

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

let platform: TestPlatform;
let project: Project;

beforeEach(async () => {
  platform = await TestPlatform.start();
  project = await Project.create(access('{ owner: { "ci-shop": ci }, viewer: { nightly } }'), platform.environment);
});

afterEach(async () => {
  await platform.close();
  await project.remove();
});

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

test("a group has exactly the declared members; a preview names who gains and who loses", async () => {
  await succeed(project.up());
  expect(Object.keys(await members())).toEqual(["ci-shop owner", "nightly viewer"]);
  expect((await succeed(project.up())).steps).toEqual([]);

  await project.program(access("{ owner: { zoe }, viewer: { nightly, max } }"));
  const { output } = await succeed(project.preview("--diff"));
  expect(output).toMatch(/\+ zoe/);
  expect(output).toMatch(/- ci-shop/);
  expect(output).toMatch(/\+ max/);
  expect(output).not.toMatch(/[-+~] nightly/);
  await succeed(project.up());
  expect(Object.keys(await members())).toEqual(["max viewer", "nightly viewer", "zoe owner"]);

  await succeed(project.destroy("--run-program"));
  expect(await platform.objects("groups")).toHaveLength(1);
});

test("access given by hand is drift, is previewed by name, and the next up removes it", async () => {
  await succeed(project.up());
  await bindByHand("zoe", "viewer");
  const drift = await project.drift("--diff");
  expect(drift.code).toBe(7);
  expect(drift.output).toMatch(/\+ zoe/);
  const preview = await succeed(project.preview("--refresh", "--diff"));
  expect(preview.output).toMatch(/- zoe/);
  expect(Object.keys(await members())).toContain("zoe viewer");
  await succeed(project.up("--refresh", "--run-program"));
  expect(Object.keys(await members())).toEqual(["ci-shop owner", "nightly viewer"]);
  expect((await project.drift()).code).toBe(0);
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

test("moving from RoleBinding to GroupAccess and back changes nothing on the platform", async () => {
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

test("a destroy with the program deletes members that a RoleBinding declares too", async () => {
  const both = (order: string) =>
    program(`
      const all = new GroupAccess("shop", { parentUid: shop.uid, access: { owner: { ci }, viewer: { nightly } } });
      ${order}`);
  await project.program(
    both(
      `new RoleBinding("ci-owner", { parentUid: shop.uid, identityUid: ci, roleUid: await role("owner"), adopt: true }, { dependsOn: all });`,
    ),
  );
  console.log((await project.up()).output);
  console.log((await project.destroy("--run-program")).output);
});

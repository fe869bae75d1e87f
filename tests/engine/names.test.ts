import type { WireObject } from "../support/test-platform";
import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";
import { longTest } from "../support/tier";

let path: string;
let shop: WireObject;
let guest: WireObject;
let deployer: WireObject;

const text = (value: unknown) => JSON.stringify(value);

/** A group, an identity and bindings in a group of another program, all named as a person would. */
function program({ roleName = "viewer", parent = `parentPath: ${text(path)}`, guestRef = text(`${path}/guest`) } = {}): string {
  return `
    const checkout = new Group("checkout", { ${parent} });
    const ci = new Identity("ci", { ${parent}, claimMatch: { issuer: "https://gitlab.example", subject: "ci" } });
    const binding = new RoleBinding("ci-role", { ${parent}, identityUid: ci.uid, roleName: ${text(roleName)} });
    new RoleBinding("guest-deployer", { parentUid: checkout.uid, identityRef: ${guestRef}, roleName: "deployer" });
    exports.binding = { roleName: binding.roleName, roleUid: binding.roleUid, parentUid: binding.parentUid, role: binding.role.name };
  `;
}

useProject(async () => {
  const root = (await platform.objects("groups")).find(({ uid }) => uid === platform.root);
  const engineering = await platform.create("groups", platform.root, { name: "eng" });
  shop = await platform.create("groups", engineering.uid, { name: "shop" });
  path = `${String(root?.["name"])}/eng/shop`;
  const claimMatch = { issuer: "https://gitlab.example", subject: "guest" };
  guest = await platform.create("identities", shop.uid, { name: "guest", claimMatch });
  deployer = await platform.create("roles", engineering.uid, { name: "deployer", capabilities: ["CAP_REPO_LIST"] });
  return program();
});

/** The binding of `identity` below `shop`, as the platform has it. */
async function bindingOf(identityUid: string): Promise<{ uid: string; role: { uid: string } }> {
  const rows = (await platform.objects("roleBindings")) as unknown as {
    uid: string;
    identity: { uid: string };
    role: { uid: string };
  }[];
  const found = rows.find(({ uid, identity }) => identity.uid === identityUid && uid.startsWith(shop.uid));
  if (found === undefined) throw new Error(`no binding of ${identityUid}`);
  return found;
}
const roleOf = async (identityUid: string) => (await bindingOf(identityUid)).role.uid;
const ciUid = async () => (await platform.named("identities", "ci")).uid;

test("names are resolved by up; then nothing changes; a misspelt role and a repeated binding fail in the preview; a changed role name previews as names, for one List, and is one PATCH; a refresh finds no difference", async () => {
  const { steps } = await succeed(project.up());
  expect(steps).toHaveLength(4);
  const viewer = await platform.role("viewer");
  expect(await project.output("binding")).toEqual({ roleName: "viewer", roleUid: viewer, parentUid: shop.uid, role: "viewer" });
  expect([await roleOf(await ciUid()), await roleOf(guest.uid)]).toEqual([viewer, deployer.uid]);

  await project.program(program({ roleName: "editr" }));
  await fail(project.preview(), 'roleName "editr"', 'Did you mean "editor"', "[NOT_FOUND]");
  const again = `new RoleBinding("again", { parentPath: ${text(path)}, identityUid: ci.uid, roleName: "viewer" });`;
  await project.program(`${program()} ${again}`);
  const { output } = await fail(project.preview(), "[KEY_TAKEN]");
  expect(output).toMatch(/"(ci-role" and "again|again" and "ci-role)" of this program both declare/);

  await platform.clearRequests();
  await project.program(program({ roleName: "editor" }));
  const renamed = await succeed(project.preview("--diff"));
  expect(renamed.output).toMatch(/roleName\s*:\s*"viewer" => "editor"/);
  expect(renamed.output).not.toContain("__isUpdate");
  expect(renamed.steps).toEqual(["update RoleBinding ci-role"]);
  const asked = (await platform.requests()).map(({ method, path: at }) => `${method} ${at.split("/").at(-1)}`);
  expect(asked.filter((each) => each !== "GET exchange")).toEqual(["GET roles"]);
  await succeed(project.up());
  expect((await platform.writes()).map(({ method }) => method)).toEqual(["PATCH"]);
  expect(await roleOf(await ciUid())).toBe(await platform.role("editor"));
  await platform.clearRequests();
  expect((await succeed(project.drift())).steps).toEqual([]);
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect(await platform.writes()).toEqual([]);
});

longTest(
  "the same objects by uid, and by name again, preview as updates and are updates without a write; another path moves the objects: what it names by uid follows; destroy leaves what is others'",
  async () => {
    await succeed(project.up());
    await platform.clearRequests();
    const byUid = {
      parent: `parentUid: ${text(shop.uid)}`,
      guestRef: text({ issuer: "https://gitlab.example", subject: "guest" }),
    };
    await project.program(program(byUid));
    const there = await succeed(project.up());
    expect(there.steps.filter((step) => !step.startsWith("update "))).toEqual([]);
    await project.program(program());
    const preview = await succeed(project.preview());
    expect(preview.steps.filter((step) => !step.startsWith("update "))).toEqual([]);
    const back = await succeed(project.up());
    expect(back.steps.filter((step) => !step.startsWith("update "))).toEqual([]);
    expect(await platform.writes()).toEqual([]);
    expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);

    const other = await platform.create("groups", platform.root, { name: "other" });
    const parent = `parentPath: ${text(`${path.split("/")[0] ?? ""}/other`)}`;
    await project.program(program({ parent }).replace(/new RoleBinding\("guest-deployer".*\n/, ""));
    await succeed(project.up());
    for (const [collection, name] of Object.entries({ groups: "checkout", identities: "ci" }))
      expect((await platform.named(collection, name)).uid.startsWith(`${other.uid}/`)).toBe(true);
    expect((await succeed(project.drift())).steps).toEqual([]);
    await succeed(project.destroy("--run-program"));
    expect(await project.resources()).toEqual([]);
    expect((await platform.objects("groups")).map(({ uid }) => uid)).toContain(shop.uid);
    expect((await platform.objects("identities")).map(({ uid }) => uid)).toContain(guest.uid);
  },
);

longTest(
  "an update of some targets resolves their names and keeps the others' uids, although a name means another object by now; --replace resolves it anew",
  async () => {
    await project.program(program());
    await succeed(project.up());
    const before = await bindingOf(guest.uid);
    // Another role takes the name that the program writes.
    await platform.change("roles", deployer.uid, { name: "former-deployer" });
    const successor = await platform.create("roles", shop.uid, { name: "deployer", capabilities: ["CAP_REPO_LIST"] });
    await platform.clearRequests();
    await project.program(program({ roleName: "editor" }));
    const urnOf = async (name: string) => (await project.resources()).find(({ urn }) => urn.endsWith(`::${name}`))?.urn ?? "";
    const [bound, named] = [await urnOf("ci-role"), await urnOf("guest-deployer")];
    expect((await succeed(project.preview("--target", bound))).steps).toEqual(["update RoleBinding ci-role"]);
    await succeed(project.up("--target", bound));
    expect((await platform.writes()).map(({ method }) => method)).toEqual(["PATCH"]);
    expect(await roleOf(await ciUid())).toBe(await platform.role("editor"));
    expect(await bindingOf(guest.uid)).toMatchObject({ uid: before.uid, role: { uid: deployer.uid } });
    expect((await succeed(project.up("--target", named))).steps).toEqual([]);
    expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
    expect(await roleOf(guest.uid)).toBe(deployer.uid);

    await succeed(project.up("--target", named, "--replace", named));
    expect(await roleOf(guest.uid)).toBe(successor.uid);
  },
);

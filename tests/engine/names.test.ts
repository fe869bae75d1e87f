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
    const ci = new Identity("ci", { ${parent}, claimMatch: { issuer: "https://gitlab.com", subject: "ci" } });
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
  guest = await platform.create("identities", shop.uid, {
    name: "guest",
    claimMatch: { issuer: "https://gitlab.com", subject: "guest" },
  });
  deployer = await platform.create("roles", engineering.uid, { name: "deployer", capabilities: ["CAP_REPO_LIST"] });
  return program();
});

/** The role of the binding of `identity`, as the platform has it. */
async function roleOf(identityUid: string): Promise<unknown> {
  const bindings = await platform.objects("roleBindings");
  const binding = bindings.find(
    (row) => (row["identity"] as { uid: string }).uid === identityUid && row.uid.startsWith(shop.uid),
  );
  return (binding?.["role"] as { uid: string } | undefined)?.uid;
}

const ciUid = async () => (await platform.named("identities", "ci")).uid;
const writes = async () => (await platform.writes()).map(({ method }) => method);

test("names are resolved by up; then nothing changes, previews ask nothing, refresh is clean; a changed role name previews as names and is one PATCH; destroy leaves what is others'", async () => {
  const preview = await succeed(project.preview());
  expect(await platform.requests()).toEqual([]);
  expect(preview.output).not.toContain("__isUpdate");
  const { steps } = await succeed(project.up());
  expect(steps).toHaveLength(4);
  const viewer = await platform.role("viewer");
  expect(await project.output("binding")).toEqual({ roleName: "viewer", roleUid: viewer, parentUid: shop.uid, role: "viewer" });
  expect([await roleOf(await ciUid()), await roleOf(guest.uid)]).toEqual([viewer, deployer.uid]);

  await platform.clearRequests();
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect(await platform.requests()).toEqual([]);
  await succeed(project.refresh("--run-program"));
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect(await platform.writes()).toEqual([]);

  await platform.clearRequests();
  await project.program(program({ roleName: "editor" }));
  const renamed = await succeed(project.preview("--diff"));
  expect(renamed.output).toMatch(/roleName\s*:\s*"viewer" => "editor"/);
  expect(renamed.steps).toEqual(["update RoleBinding ci-role"]);
  expect(await platform.requests()).toEqual([]);
  await succeed(project.up());
  expect(await writes()).toEqual(["PATCH"]);
  expect(await roleOf(await ciUid())).toBe(await platform.role("editor"));

  await succeed(project.destroy("--run-program"));
  expect(await project.resources()).toEqual([]);
  expect((await platform.objects("groups")).map(({ uid }) => uid)).toContain(shop.uid);
  expect((await platform.objects("identities")).map(({ uid }) => uid)).toContain(guest.uid);
});

longTest(
  "the same objects by uid, and by name again, are updates without a write; parents by path preview as replacements and are none; another path moves the objects: what it names by uid follows, and nothing is left behind",
  async () => {
    await succeed(project.up());
    await platform.clearRequests();
    await project.program(
      program({ parent: `parentUid: ${text(shop.uid)}`, guestRef: text({ issuer: "https://gitlab.com", subject: "guest" }) }),
    );
    const there = await succeed(project.up());
    expect(there.steps.filter((step) => !step.startsWith("update "))).toEqual([]);
    await project.program(program());
    const preview = await succeed(project.preview());
    expect(preview.steps.some((step) => step.startsWith("replace Group checkout"))).toBe(true);
    const back = await succeed(project.up());
    expect(back.steps.filter((step) => !step.startsWith("update "))).toEqual([]);
    expect(await platform.writes()).toEqual([]);
    expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
    expect(await succeed(project.drift())).toMatchObject({ steps: [] });

    const other = await platform.create("groups", platform.root, { name: "other" });
    const parent = `parentPath: ${text(`${path.split("/")[0] ?? ""}/other`)}`;
    await project.program(program({ parent }).replace(/new RoleBinding\("guest-deployer".*\n/, ""));
    await succeed(project.up());
    for (const [collection, name] of [
      ["groups", "checkout"],
      ["identities", "ci"],
    ] as const) {
      const rows = (await platform.objects(collection)).filter((row) => row["name"] === name);
      expect(rows.map(({ uid }) => uid.startsWith(`${other.uid}/`))).toEqual([true]);
    }
    expect(await succeed(project.drift())).toMatchObject({ steps: [] });
  },
);

longTest(
  "a role that is renamed behind the back is no difference, but a warning; one of its name that is swapped in is drift, exit code 7, and the repair puts the resolved role back",
  async () => {
    await succeed(project.up());
    await platform.change("roles", deployer.uid, { name: "shipper" });
    await platform.clearRequests();
    const drift = await succeed(project.drift());
    expect(drift).toMatchObject({ steps: [] });
    expect(drift.output).toContain(`warning: roleName "deployer" of this program was resolved to ${deployer.uid}`);
    await succeed(project.up("--refresh", "--run-program", "--expect-no-changes"));
    expect(await platform.writes()).toEqual([]);
    expect(await roleOf(guest.uid)).toBe(deployer.uid);

    const impostor = await platform.create("roles", platform.root, { name: "deployer", capabilities: ["CAP_IAM_GROUPS_DELETE"] });
    const binding = (await platform.objects("roleBindings")).find(
      (row) => (row["identity"] as { uid: string }).uid === guest.uid,
    );
    await platform.change("roleBindings", binding?.uid ?? "", { roleUid: impostor.uid });
    const swapped = await project.drift();
    expect(swapped).toMatchObject({ code: 7, steps: ["update RoleBinding guest-deployer"] });
    expect(swapped.output).toContain(`now means ${impostor.uid}`);
    await succeed(project.refresh("--run-program"));
    expect((await succeed(project.up())).steps).toEqual(["update RoleBinding guest-deployer"]);
    expect(await roleOf(guest.uid)).toBe(deployer.uid);
  },
);

longTest(
  "an unknown name and a path of this very program end the run before that resource is made, and say what to write",
  async () => {
    await project.program(program({ roleName: "veiwer" }));
    expect((await fail(project.up())).output).toContain('Did you mean "viewer"?');
    await project.program(`${program()}\nnew Group("inner", { parentPath: ${text(`${path}/checkout`)} });`);
    expect((await fail(project.up())).output).toContain("Pass the `uid` of that resource instead of its path");
    expect((await platform.objects("groups")).map((row) => row["name"])).not.toContain("inner");
  },
);

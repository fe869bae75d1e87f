import { claimMatch } from "./programs";
import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";

/** Uids of the declared group, identity and role binding. */
let uids: string[];

useProject(() => team("colleagues"));

beforeEach(async () => {
  await succeed(project.up());
  uids = await uidsInState();
  await platform.clearRequests();
});

/** A group with an identity and its role, under logical names that begin with `prefix`; the text is added to the program. */
function team(prefix: string, { suffix = "", role = "viewer" } = {}, text = ""): string {
  const adopt = prefix === "renamed";
  return `
    const group = new Group("${prefix}", { parentUid: root, name: "colleagues${suffix}", adopt: ${adopt} });
    const identity = new Identity("${prefix}-ci", {
      parentUid: group.uid, name: "ci${suffix}", claimMatch: ${JSON.stringify(claimMatch)}, adopt: ${adopt},
    });
    const role = platform.getRoleOutput({ name: "${role}" });
    const binding = new RoleBinding("${prefix}-binding", {
      parentUid: group.uid, identityUid: identity.uid, roleUid: role.uid, adopt: ${adopt},
    });
    ${text}
  `;
}

async function uidsInState(): Promise<string[]> {
  return (await project.resources()).map(({ id }) => id ?? "").sort();
}

async function logicalNames(): Promise<string[]> {
  return (await project.resources()).map(({ urn }) => urn.split("::").at(-1) ?? "").sort();
}

/** The objects of all kinds in the group of the program, as the platform has them. */
async function objects(): Promise<object[]> {
  const collections = await Promise.all(["groups", "identities", "roleBindings"].map((kind) => platform.objects(kind)));
  const [group = ""] = uids;
  return collections.flat().filter(({ uid }) => uid === group || uid.startsWith(`${group}/`));
}

test("up --refresh with a logical rename with adopt keeps every object, and writes nothing", async () => {
  const before = await objects();
  expect(before).toHaveLength(3);
  await project.program(team("renamed"));
  await succeed(project.up("--refresh", "--run-program"));
  expect(await platform.writes()).toEqual([]);
  expect(await objects()).toEqual(before);
  expect(await logicalNames()).toEqual(["renamed", "renamed-binding", "renamed-ci"]);
  expect(await uidsInState()).toEqual(uids);
  expect((await succeed(project.drift())).steps).toEqual([]);
});

test.each([[[]], [["--refresh", "--run-program"]]])(
  "after a logical rename with adopt that failed half-way, up %j with new names changes the same objects in place",
  async (flags: string[]) => {
    const [group = ""] = uids;
    await platform.create("groups", group, { name: "taken" });
    // Fails after every new logical name took its object and before an old one is deleted.
    await project.program(
      team("renamed", {}, `new Group("broken", { parentUid: group.uid, name: "taken" }, { dependsOn: [binding] });`),
    );
    await fail(project.up());
    expect(await uidsInState()).toEqual([...uids, ...uids].sort());

    await project.program(team("renamed", { suffix: "-2", role: "editor" }));
    await succeed(project.up(...flags));
    expect((await platform.writes()).map(({ method }) => method)).toEqual(["PATCH", "PATCH", "PATCH"]);
    expect(await platform.groupNames()).toEqual(["colleagues-2", "taken"]);
    expect((await platform.named("groups", "colleagues-2")).uid).toBe(group);
    const identity = await platform.named("identities", "ci-2");
    const bindings = (await platform.objects("roleBindings")).filter(({ uid }) => uid.startsWith(`${group}/`));
    expect(bindings).toMatchObject([{ identity: { uid: identity.uid }, role: { name: "editor" } }]);
    expect([group, ...bindings.map(({ uid }) => uid), identity.uid].sort()).toEqual(uids);
    expect(await logicalNames()).toEqual(["renamed", "renamed-binding", "renamed-ci"]);
    expect(await uidsInState()).toEqual(uids);
  },
);

import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";

// Each explicit provider has a host process of its own: one adopts what another is about to delete.

useProject();

/** A group under a logical name, of the stack's own provider or of an explicit one for the same platform. */
function program(name: string, provider: "own" | "explicit", adopt: boolean, more = ""): string {
  return `
    const explicit = new platform.Provider("explicit", { audience: ${JSON.stringify(platform.baseUrl)} });
    const opts = ${provider === "explicit" ? "{ provider: explicit }" : "{}"};
    const group = new Group(${JSON.stringify(name)}, { parentUid: root, name: "shared", adopt: ${adopt} }, opts);
    ${more}
  `;
}

const idsInState = async () => (await project.resources()).map(({ id }) => id);

test.each([
  ["own", "explicit"],
  ["explicit", "own"],
] as const)("an object that a resource moved from the %s to the %s provider adopts is not deleted", async (from, to) => {
  await project.program(program("old", from, false));
  await succeed(project.up());
  const { uid } = await platform.named("groups", "shared");
  await project.program(program("renamed", to, true));
  await succeed(project.up());
  expect((await platform.named("groups", "shared")).uid).toBe(uid);
  expect(await idsInState()).toEqual([uid]);
  expect((await succeed(project.drift())).steps).toEqual([]);
});

test("nor does the next run delete it, where the first one failed between the two", async () => {
  await project.program(program("old", "own", false));
  await succeed(project.up());
  const { uid } = await platform.named("groups", "shared");
  await platform.create("groups", uid, { name: "taken" });
  await project.program(
    program("renamed", "explicit", true, 'new Group("broken", { parentUid: group.uid, name: "taken" }, opts);'),
  );
  await fail(project.up());
  expect(await idsInState()).toEqual([uid, uid]);
  await project.program(program("renamed", "explicit", true));
  await succeed(project.up());
  expect((await platform.named("groups", "shared")).uid).toBe(uid);
  expect(await idsInState()).toEqual([uid]);
});

test("two providers that declare one object do not both adopt it", async () => {
  const { uid } = await platform.create("groups", platform.root, { name: "shared" });
  await project.program(
    program(
      "first",
      "own",
      true,
      'new Group("second", { parentUid: root, name: "shared", adopt: true }, { provider: explicit, dependsOn: [group] });',
    ),
  );
  await fail(project.up(), uid, "second", "[KEY_TAKEN]");
  expect(await idsInState()).toEqual([uid]);
});

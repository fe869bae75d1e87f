import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";

useProject("", { shared: true });

/** Declares group `team` in group `place`, with these further arguments. */
function program(place: "here" | "there", args = ""): Promise<void> {
  return project.program(`
    const places = { here: new Group("here", { parentUid: root }), there: new Group("there", { parentUid: root }) };
    new Group("team", { parentUid: places.${place}.uid, name: "team"${args} });
  `);
}

test("a group whose move was refused half-way, and that the program moves back, is adopted where it still is", async () => {
  await program("here");
  await succeed(project.up());
  const { uid } = await platform.named("groups", "team");
  // The new object is created; the old one cannot be deleted.
  await platform.fault({ method: "DELETE", path: uid }, { status: 403, code: 7 }, { times: 0 });
  await program("there");
  await fail(project.up());
  await platform.clearFaults();
  await program("here");
  const { output } = await fail(project.up(), uid, "set `adopt: true`", "[KEY_TAKEN]");
  expect(output).not.toContain("deleteBeforeReplace");
  await program("here", ", adopt: true");
  await succeed(project.up());
  expect((await platform.objects("groups")).filter(({ name }) => name === "team").map((group) => group.uid)).toEqual([uid]);
  await program("here");
  expect((await succeed(project.drift())).steps).toEqual([]);
});

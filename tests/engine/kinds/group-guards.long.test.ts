import { fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

useProject(program);

/** A group with `guards`; none if they are null. */
function program(guards: object | null = {}, parent = "root"): string {
  const own = guards && `new Group("team", { ...${JSON.stringify(guards)}, parentUid: ${parent} });`;
  return `new Group("other", { parentUid: root }); ${own ?? ""}`;
}

const upTo = async (text: string) => {
  await project.program(text);
  return project.up();
};

test("deletionProtection rejects deletion and replacement until an up has lifted it, and is in state only when given", async () => {
  await succeed(project.up());
  const state = async () => (await project.resources()).find(({ urn }) => urn.endsWith("::team"));
  expect(await state()).not.toHaveProperty("outputs.deletionProtection");
  await platform.clearRequests();
  expect((await succeed(upTo(program({ deletionProtection: true })))).steps).toEqual(["update Group team"]);
  expect(await platform.writes()).toEqual([]);
  expect(await state()).toHaveProperty("outputs.deletionProtection", true);
  expect(await succeed(project.drift())).toMatchObject({ steps: [] });

  const { uid } = await platform.named("groups", "team");
  await platform.clearRequests();
  const elsewhere = "platform.getGroupOutput({ name: 'other', parentUid: root }).uid";
  const attempts = [
    () => upTo(program(null)),
    () => upTo(program({ deletionProtection: false }, elsewhere)),
    () => project.destroy("--run-program"),
  ];
  for (const attempt of attempts) await fail(attempt(), "[PROTECTED]", "`deletionProtection: false`");
  expect((await platform.writes()).filter(({ path }) => path.includes(uid))).toEqual([]);
  expect(await platform.groupNames()).toContain("team");

  expect((await succeed(upTo(program({ deletionProtection: false })))).steps).toContain("update Group team");
  expect((await succeed(upTo(program(null)))).steps).toContain("delete Group team");
  expect(await platform.groupNames()).not.toContain("team");
});

test("forceDestroy lists what others made in the group, and deletes it with the group", async () => {
  await succeed(upTo(program({ forceDestroy: true })));
  const { uid } = await platform.named("groups", "team");
  const claimMatch = { issuer: "https://issuer.example", subject: "ci" };
  const inner = await platform.create("groups", uid, { name: "inner" });
  const ci = await platform.create("identities", inner.uid, { name: "ci", claimMatch });
  const viewer = await platform.role("viewer");
  const binding = await platform.create("roleBindings", uid, { identityUid: ci.uid, roleUid: viewer });
  const { output } = await succeed(project.destroy("--run-program"));
  for (const object of [inner, ci, binding]) expect(output).toContain(object.uid);
  const left = await Promise.all(["groups", "identities", "roleBindings"].map((collection) => platform.objects(collection)));
  expect(left.flat().filter((row) => row.uid.startsWith(uid))).toEqual([]);
});

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ReviewDocument } from "../../../cli/documents/review";
import type { StateResource } from "../project";
import { endWith, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

const program = (more = "") => `
  const ci = new Identity("ci", { parentUid: root, claimMatch: { issuer: "https://issuer.example", subject: "ci" } });
  new RoleBinding("b", { parentUid: root, identityUid: ci.uid, roleName: "viewer" });
  ${more}`;

useProject(program('new RoleBinding("old", { parentUid: root, identityUid: ci.uid, roleName: "owner" });'));

/** Makes the state as after an update that replaced the binding `old` by `b`, and failed to delete it. */
async function leaveOver(): Promise<void> {
  const file = path.join(project.folder, "backend/.pulumi/stacks/test/test.json");
  const state = JSON.parse(await readFile(file, "utf8")) as { checkpoint: { latest: { resources: StateResource[] } } };
  const { resources } = state.checkpoint.latest;
  const named = (name: string) => resources.findIndex(({ urn }) => urn.endsWith(`::${name}`));
  const { urn } = resources[named("b")] ?? { urn: "" };
  const [old] = resources.splice(named("old"), 1);
  await writeFile(
    file,
    JSON.stringify({
      ...state,
      checkpoint: {
        ...state.checkpoint,
        latest: { ...state.checkpoint.latest, resources: [...resources, { ...old, urn, delete: true }] },
      },
    }),
  );
}

test("an object that an earlier update replaced and could not delete is lost by the next update, which no step shows by default", async () => {
  project.environment["PULUMI_DIY_BACKEND_ZSTD"] = "";
  await succeed(project.up());
  await leaveOver();
  await project.program(program());
  const { stdout } = await endWith(7, project.command("review", "--stack", "test", "--json", "--fail-on", "any"));
  expect((JSON.parse(stdout) as ReviewDocument).changes).toMatchObject([{ effect: "loss", role: "owner" }]);
  for (const refresh of [[], ["--refresh"]]) {
    const { stdout: text } = await succeed(project.pulumi("preview", "--json", "--show-sames", ...refresh));
    await project.file("preview.json", text);
    const { stderr } = await endWith(
      8,
      project.command("review", "--file", "preview.json", "--stack", "test", "--fail-on", "any"),
    );
    expect(stderr).toContain("the former b: an earlier update replaced it");
  }
  await succeed(project.up());
  expect(await platform.objects("roleBindings")).toHaveLength(2);
});

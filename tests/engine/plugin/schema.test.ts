import path from "node:path";
import { Project } from "../project";
import { succeed } from "../succeed";

let project: Project;

beforeAll(async () => {
  project = await Project.create("", {});
});
afterAll(() => project.remove());

test("the engine's own check accepts schema.json, and rejects one with a missing type", async () => {
  await succeed(project.pulumi("schema", "check", path.resolve(__dirname, "../../../schema.json")));
  const resource = { properties: { claimMatch: { $ref: "#/types/platform:iam:NoSuchType" } } };
  await project.file("broken.json", JSON.stringify({ name: "platform", resources: { "platform:iam:Group": resource } }));
  expect((await project.pulumi("schema", "check", path.join(project.folder, "broken.json"))).code).not.toBe(0);
});

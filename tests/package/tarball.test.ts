import { InstalledProject } from "./installed-project";
import { TestPlatform } from "../support/test-platform";

const program = `
import * as pulumi from "@pulumi/pulumi";
import { getRoleOutput, githubActions, Group, Identity, RoleBinding } from "pulumi-platform";

const parentUid = new pulumi.Config("platform").require("organization");
const group = new Group("shop", { parentUid, description: "From a tarball" });
const identity = new Identity("release", { parentUid: group.uid, claimMatch: githubActions({ repository: "acme/shop", branch: "main" }) });
new RoleBinding("release-viewer", { parentUid: group.uid, identityUid: identity.uid, roleUid: getRoleOutput({ name: "viewer" }).uid });
export const uid: pulumi.Output<string> = group.uid;
`;

const files = {
  "package.json": '{ "name": "organization", "private": true, "main": "index.ts" }\n',
  "Pulumi.yaml": "name: organization\nruntime: nodejs\n",
  "tsconfig.json": '{ "compilerOptions": { "strict": true, "target": "es2022", "module": "nodenext" } }\n',
  "index.ts": program,
};

const platform = TestPlatform.forFile();

test("the packed package, installed into an empty folder, runs a TypeScript program and serves its emulator command", async () => {
  const project = await InstalledProject.create(platform, files, ["typescript@5.9.3", "@types/node@22"]);
  await project.pulumi("up", "--yes", "--skip-preview");
  await project.pulumi("refresh", "--preview-only", "--expect-no-changes", "--run-program");
  expect((await project.pulumi("stack", "output", "uid")).trim()).toBe((await platform.named("groups", "shop")).uid);
  await project.pulumi("destroy", "--yes", "--skip-preview", "--run-program");
  expect(await platform.groupNames()).toEqual([]);
  expect(await project.run("npx", "--no-install", "pulumi-platform", "--help")).toContain("emulator");
});

import path from "node:path";
import { version } from "../../package.json";
import { TestPlatform } from "../support/test-platform";
import { InstalledProject } from "./installed-project";

const platform = TestPlatform.forFile();
const script = path.resolve(__dirname, "../../scripts/sdk.mjs");

/** In the form of Pulumi's converters, with an enum and a claim helper of the plugin, beside the class that people import. */
const program = `
import * as pulumi from "@pulumi/pulumi";
import * as platform from "pulumi-platform-native";
import { Group } from "pulumi-platform/native";

const config = new pulumi.Config("platform");
const shop = new platform.iam.Group("shop", { parentUid: config.require("organization") });
new platform.registry.Repo("site", { parentUid: shop.id, deletionPolicy: platform.registry.DeletionPolicy.Delete });
const claims = platform.iam.githubActionsOutput({ repository: "acme/shop", branch: "main" });
new platform.iam.Identity("release", { parentUid: shop.id, claimMatch: claims.claimMatch });
export const viewer = platform.iam.getRoleOutput({ name: "viewer" }).uid;
export const isOneClass: boolean = platform.iam.Group === Group && platform.Group === Group;
`;

const files = {
  "package.json": '{ "name": "organization", "private": true, "main": "index.ts" }',
  "Pulumi.yaml":
    "name: organization\nruntime: nodejs\nplugins:\n  providers:\n    - name: platform\n      path: node_modules/.bin\n",
  "tsconfig.json": '{ "compilerOptions": { "strict": true, "target": "es2022", "module": "nodenext", "skipLibCheck": true } }',
  "index.ts": program,
};

test("a program in the form that Pulumi converts runs with the SDK of Node.js from its tarball, whose classes are those of the package", async () => {
  const packages = ["@pulumi/pulumi@3.270.0", "typescript@5.9.3", "@types/node@22.20.5"];
  const project = await InstalledProject.create(platform, files, packages);
  await project.run("node", script, "nodejs", path.join(project.folder, "sdk"));
  await project.run("npm", "pack", "--silent", "./sdk");
  await project.run("npm", "install", "--prefer-offline", `./pulumi-platform-native-${version}.tgz`);
  await project.pulumi("up", "--yes", "--skip-preview");
  await project.pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
  expect(await project.pulumi("stack", "output", "isOneClass")).toBe("true\n");
  await project.pulumi("destroy", "--yes", "--skip-preview");
  expect(await platform.groupNames()).toEqual([]);
});

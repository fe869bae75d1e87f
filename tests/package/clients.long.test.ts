import path from "node:path";
import { TestPlatform } from "../support/test-platform";
import { type Installation, InstalledProject } from "./installed-project";

const platform = TestPlatform.forFile();
const esbuild = path.resolve(__dirname, "../../node_modules/.bin/esbuild");

/** Resources of both providers, and a data source. */
const program = `
import * as pulumi from "@pulumi/pulumi";
import { getRoleOutput, githubActions, Group, Identity, RoleBinding } from "pulumi-platform";
import * as native from "pulumi-platform/native";

const parentUid = new pulumi.Config("platform").require("organization");
const group = new Group("shop", { parentUid });
const identity = new Identity("release", { parentUid: group.uid, claimMatch: githubActions({ repository: "acme/shop", branch: "main" }) });
new RoleBinding("release-viewer", { parentUid: group.uid, identityUid: identity.uid, roleUid: getRoleOutput({ name: "viewer" }).uid });
const storage = new native.Group("storage", { parentUid });
export const uid = storage.uid;
`;

const dependencies = {
  "pulumi-platform": "file:./pulumi-platform.tgz",
  "@pulumi/pulumi": "3.270.0",
  typescript: "5.9.3",
  "@types/node": "22.20.5",
};
const manifest = (fields: object) => JSON.stringify({ name: "organization", private: true, main: "index.ts", ...fields });
const yaml = (bin = "node_modules/.bin") =>
  `name: organization\nruntime: nodejs\nplugins:\n  providers:\n    - name: platform\n      path: ${bin}\n`;
const tsconfig = '{ "compilerOptions": { "strict": true, "target": "es2022", "module": "nodenext", "skipLibCheck": true } }';
const inTypeScript = { "Pulumi.yaml": yaml(), "tsconfig.json": tsconfig, "index.ts": program };

/** A client of the npm registry, which npm fetches. */
const client = (spec: string, ...command: string[]): Installation => ({
  install: ["npm", "exec", "--yes", "--prefer-offline", `--package=${spec}`, "--", ...command],
});

async function lives(project: InstalledProject): Promise<void> {
  await project.pulumi("up", "--yes", "--skip-preview");
  await project.pulumi("refresh", "--preview-only", "--expect-no-changes", "--run-program");
  expect((await platform.groupNames()).sort()).toEqual(["shop", "storage"]);
  await project.pulumi("destroy", "--yes", "--skip-preview", "--run-program");
  expect(await platform.groupNames()).toEqual([]);
}

test.each<[client: string, files: Record<string, string>, installation: Installation]>([
  [
    "pnpm, whose node_modules has only what package.json names",
    // Without a word on install scripts, pnpm ends with an error after it has installed everything.
    { "pnpm-workspace.yaml": "allowBuilds:\n  protobufjs: false\n" },
    client("pnpm@12.4.2", "pnpm", "install", "--no-frozen-lockfile"),
  ],
  [
    "yarn with the node-modules linker",
    { ".yarnrc.yml": "nodeLinker: node-modules\nenableTelemetry: false\n", "yarn.lock": "" },
    client("@yarnpkg/cli-dist@4.18.1", "yarn", "install", "--no-immutable"),
  ],
  ["bun as installer", {}, client("bun@1.4.4", "bun", "install")],
])("installed by %s, a program has resources of both providers", async (_client, files, installation) => {
  const project = await InstalledProject.create(
    platform,
    { ...inTypeScript, ...files, "package.json": manifest({ dependencies }) },
    [],
    installation,
  );
  await lives(project);
});

test("in a monorepo, a program finds the package and the plugin that npm has hoisted", async () => {
  const files = {
    "package.json": '{ "name": "monorepo", "private": true, "workspaces": ["teams/*"] }',
    "teams/shop/package.json": manifest({
      dependencies: { ...dependencies, "pulumi-platform": "file:../../pulumi-platform.tgz" },
    }),
    "teams/shop/Pulumi.yaml": yaml("../../node_modules/.bin"),
    "teams/shop/tsconfig.json": tsconfig,
    "teams/shop/index.ts": program,
  };
  const install = ["npm", "install", "--prefer-offline"] as const;
  await lives(await InstalledProject.create(platform, files, [], { install, program: "teams/shop" }));
});

test("an ES module imports the classes by name", async () => {
  const files = {
    "package.json": manifest({ type: "module", main: "index.js" }),
    "Pulumi.yaml": yaml(),
    "index.js": program,
  };
  await lives(await InstalledProject.create(platform, files, ["@pulumi/pulumi@3.270.0"]));
});

const own = "--external:pulumi-platform";

test.each([
  ["CommonJS", "cjs", "cjs", []],
  // The package is CommonJS, whose `require` esbuild cannot keep in an ES module.
  ["an ES module, without the package", "mjs", "esm", [own, `${own}/native`]],
])("bundled by esbuild to %s, with the package installed beside it", async (_form, end, format, external) => {
  const files = { "package.json": manifest({ main: `dist/index.${end}` }), "Pulumi.yaml": yaml(), "index.ts": program };
  const project = await InstalledProject.create(platform, files, ["@pulumi/pulumi@3.270.0"]);
  const options = ["--bundle", "--platform=node", `--format=${format}`, "--external:@pulumi/pulumi", ...external];
  await project.run(esbuild, "index.ts", ...options, `--outfile=dist/index.${end}`);
  await lives(project);
});

import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkout, stateFolder } from "./paths.mjs";

/** The project of the program below. */
export const nativeProject = join(stateFolder, "native");

const example = join(checkout, "examples", "organization");

const PROJECT = `name: organization
description: examples/organization through the native plugin
main: index.ts
runtime: nodejs
plugins:
  providers:
    - name: platform
      path: bin
`;

/** What npm links as node_modules/.bin/pulumi-resource-platform in the folder of a user's program. */
const LAUNCHER = `#!/usr/bin/env node
require("../../../dist/cli/resource-plugin.js");
`;

/** Writes the program of examples/organization as a user changes it to move to the plugin (docs/native.md): its import. */
export function writeNativeProgram() {
  const launcher = join(nativeProject, "bin", "pulumi-resource-platform");
  mkdirSync(join(nativeProject, "bin"), { recursive: true });
  writeFileSync(launcher, LAUNCHER);
  chmodSync(launcher, 0o755);
  writeFileSync(join(nativeProject, "Pulumi.yaml"), PROJECT);
  for (const name of ["package.json", "tsconfig.json"]) copyFileSync(join(example, name), join(nativeProject, name));
  const program = readFileSync(join(example, "index.ts"), "utf8");
  writeFileSync(join(nativeProject, "index.ts"), program.replaceAll('from "pulumi-platform"', 'from "pulumi-platform/native"'));
}

import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pluginInBin, writeLauncher } from "./launcher.mjs";
import { checkout, stateFolder } from "./paths.mjs";

/** The project of the program below. */
export const nativeProject = join(stateFolder, "native");

const example = join(checkout, "examples", "organization");

const project = `name: organization
description: examples/organization through the native plugin
main: index.ts
runtime: nodejs
${pluginInBin}`;

/**
 * Writes the program of examples/organization with the import for the plugin, which is the change of a user who moves to it
 * (docs/native.md).
 */
export function writeNativeProgram() {
  writeLauncher(nativeProject);
  writeFileSync(join(nativeProject, "Pulumi.yaml"), project);
  for (const name of ["package.json", "tsconfig.json"]) copyFileSync(join(example, name), join(nativeProject, name));
  const program = readFileSync(join(example, "index.ts"), "utf8");
  writeFileSync(join(nativeProject, "index.ts"), program.replaceAll('from "pulumi-platform"', 'from "pulumi-platform/native"'));
}

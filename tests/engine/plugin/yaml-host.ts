import { copyFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { project } from "../use-project";

/** Lets the present project run programs in YAML, by a stand-in for their language host. */
export async function hostYaml(): Promise<void> {
  const hosts = path.join(project.folder, "hosts");
  await mkdir(hosts);
  await writeFile(path.join(hosts, "pulumi-language-yaml"), '#!/bin/sh\nexec pulumi-language-nodejs "$@"\n', { mode: 0o755 });
  project.environment["PATH"] = [hosts, process.env["PATH"] ?? ""].join(path.delimiter);
  await copyFile(path.join(__dirname, "yaml-program.cjs"), path.join(project.folder, "index.js"));
}

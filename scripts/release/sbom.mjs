import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runQuietly } from "../lib/child.mjs";
import { announce } from "../lib/message.mjs";
import { checkout } from "../lib/paths.mjs";
import { nodeOf } from "./plugin.mjs";
import { releaseTools } from "./tools.mjs";

/** Writes the SBOM, in CycloneDX: what the npm package depends on, and what else is in its bundles and executables. @returns the file */
export async function writeSbom(folder, version, packages) {
  const [tools, file] = [await releaseTools(), join(folder, `pulumi-platform-${version}.cdx.json`)];
  const tool = join(tools, "@cyclonedx", "cyclonedx-npm", "bin", "cyclonedx-npm-cli.js");
  const of = ["--omit", "dev", "--no-workspaces", "--mc-type", "library", "--flatten-components", "--output-reproducible"];
  await announce("SBOM", () => runQuietly("Writing the SBOM", "node", [tool, ...of, "--output-file", file], { cwd: checkout }));
  const sbom = JSON.parse(readFileSync(file, "utf8"));
  const known = new Set(sbom.components.map(({ purl }) => purl));
  const bundled = packages.map(({ name, version, license }) => ({
    type: "library",
    name,
    version,
    licenses: [/\s/.test(license) ? { expression: license } : { license: { id: license } }],
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
  }));
  sbom.components.push(...bundled.filter(({ purl }) => !known.has(purl)));
  const node = nodeOf(tools).version;
  const cpe = `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*`;
  sbom.components.push({ type: "platform", name: "node", version: node, cpe, purl: `pkg:generic/node@${node}` });
  writeFileSync(file, `${JSON.stringify(sbom, undefined, 2)}\n`);
  return file;
}

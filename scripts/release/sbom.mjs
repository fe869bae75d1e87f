import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runQuietly } from "../lib/child.mjs";
import { announce } from "../lib/message.mjs";
import { checkout } from "../lib/paths.mjs";
import { nodeOf } from "./plugin.mjs";
import { releaseTools } from "./tools.mjs";

/**
 * Writes the SBOM in CycloneDX, with the dependencies of the npm package and the other content of its bundles and executables. @returns the
 * file
 */
export async function writeSbom(folder, version, packages) {
  const [tools, file] = [await releaseTools(), join(folder, `pulumi-platform-${version}.cdx.json`)];
  const tool = join(tools, "@cyclonedx", "cyclonedx-npm", "bin", "cyclonedx-npm-cli.js");
  const of = ["--omit", "dev", "--no-workspaces", "--mc-type", "library", "--flatten-components", "--output-reproducible"];
  await announce("SBOM", () => runQuietly("Writing the SBOM", "node", [tool, ...of, "--output-file", file], { cwd: checkout }));
  const sbom = JSON.parse(readFileSync(file, "utf8"));
  addComponents(sbom, [...packages.map(asComponent), asPlatform(nodeOf(tools))]);
  writeFileSync(file, `${JSON.stringify(sbom, undefined, 2)}\n`);
  return file;
}

/** Adds the missing ones of `components` to the SBOM, as dependencies of the package. */
function addComponents(sbom, components) {
  const known = new Set(sbom.components.map(({ purl }) => purl));
  const added = components.filter(({ purl }) => !known.has(purl)).map((each) => ({ ...each, "bom-ref": each.purl }));
  sbom.components.push(...added);
  const refs = added.map(({ purl }) => purl);
  sbom.dependencies.find(({ ref }) => ref === sbom.metadata.component["bom-ref"]).dependsOn.push(...refs);
  sbom.dependencies.push(...refs.map((ref) => ({ ref })));
}

const asComponent = ({ name, version, license }) => ({
  type: "library",
  name,
  version,
  licenses: [/\s/.test(license) ? { expression: license } : { license: { id: license } }],
  purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
});

const asPlatform = ({ version, license }) => ({
  type: "platform",
  name: "node",
  version,
  licenses: [{ license: { name: license } }],
  cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
  purl: `pkg:generic/node@${version}`,
});

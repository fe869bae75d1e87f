import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../lib/message.mjs";
import { checkout } from "../lib/paths.mjs";

/** The name of the file with the licences of others. */
export const NOTICES = "THIRD-PARTY-NOTICES.txt";

/** The packages in a bundle, from esbuild's metafile, by name. @throws {Failure} if one has no licence to hand on */
export function bundledPackages(metafile) {
  const { outputs } = JSON.parse(readFileSync(metafile, "utf8"));
  const sources = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const folders = sources.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter(Boolean);
  return [...new Set(folders)].map((folder) => packageIn(join(checkout, folder))).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function packageIn(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  if (files.length === 0) throw new Failure(`${name} ${version} is bundled, and its package has no file with its licence.`);
  return {
    name,
    version,
    license,
    text: files
      .sort()
      .map((file) => readFileSync(join(folder, file), "utf8"))
      .join("\n"),
  };
}

/** The text of the file of notices. */
export function noticesOf(packages) {
  const notice = ({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text.trim()}\n`;
  return packages.map(notice).join(`\n${"-".repeat(80)}\n\n`);
}

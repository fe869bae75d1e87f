/** `npm run bundle [-- FOLDER]`: the plugin as an archive for `pulumi plugin install resource platform VERSION --file`. It needs Node and nothing else. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { run } from "./lib/child.mjs";
import { main } from "./lib/main.mjs";
import { Failure, say } from "./lib/message.mjs";
import { checkout, stateFolder } from "./lib/paths.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";

/** What the engine starts. On Windows it looks for the second. */
const launchers = {
  "pulumi-resource-platform": '#!/bin/sh\nexec node "$(dirname "$0")/plugin.js" "$@"\n',
  "pulumi-resource-platform.cmd": '@node "%~dp0plugin.js" %*\r\n',
};

main(async () => {
  await bringUp({ dist: false, engine: false });
  const { version } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  const folder = resolve(process.env.INIT_CWD ?? "", process.argv[2] ?? join(stateFolder, "bundle"));
  const archive = join(folder, `pulumi-resource-platform-v${version}.tar.gz`);
  const content = join(stateFolder, `bundle-${process.pid}`);
  try {
    for (const each of [content, folder]) mkdirSync(each, { recursive: true });
    const options = ["--bundle", "--platform=node", "--target=node22", "--format=cjs", "--log-level=warning"];
    const bundler = join(checkout, "node_modules", ".bin", "esbuild");
    await ended(bundler, ["cli/resource-plugin.ts", ...options, `--outfile=${join(content, "plugin.js")}`]);
    for (const [name, text] of Object.entries(launchers)) {
      writeFileSync(join(content, name), text);
      chmodSync(join(content, name), 0o755);
    }
    await ended("tar", ["-czf", archive, "-C", content, "."]);
  } finally {
    rmSync(content, { recursive: true, force: true });
  }
  say(`The plugin is in ${archive}. To install it:\n  pulumi plugin install resource platform ${version} --file ${archive}`);
});

async function ended(tool, args) {
  const { code, output } = await run(tool, args, { cwd: checkout, capture: true });
  if (code !== 0) throw new Failure(`The plugin could not be bundled:\n${output.trimEnd()}`);
}

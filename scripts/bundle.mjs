/**
 * `npm run bundle [-- --executable] [FOLDER]`: the plugin as an archive for `pulumi plugin install resource platform VERSION --file`. It
 * needs only Node.js. With `--executable` it needs nothing, but runs only on this platform.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { main } from "./lib/main.mjs";
import { say } from "./lib/message.mjs";
import { checkout, stateFolder } from "./lib/paths.mjs";
import { packPlugin, thisPlatform } from "./release/plugin.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";

main(async () => {
  const { values, positionals } = parseArgs({ options: { executable: { type: "boolean" } }, allowPositionals: true });
  await bringUp({ dist: false, engine: false });
  const { version } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  const folder = resolve(process.env.INIT_CWD ?? "", positionals[0] ?? join(stateFolder, "bundle"));
  const { archives } = await packPlugin(folder, version, values.executable ? { executables: [thisPlatform] } : { scripts: [""] });
  say(
    `The plugin is in ${archives[0]}. To install it:\n  pulumi plugin install resource platform ${version} --file ${archives[0]}`,
  );
});

/** `npm run generate`: bundles and runs tools/generate, because the oldest supported Node.js does not run TypeScript. */
import { join } from "node:path";
import { run } from "./lib/child.mjs";
import { main } from "./lib/main.mjs";
import { checkout, stateFolder } from "./lib/paths.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";

main(async () => {
  await bringUp({ dist: false, engine: false });
  const bundle = join(stateFolder, "tools", "generate.cjs");
  const options = ["--bundle", "--platform=node", "--format=cjs", "--packages=external", `--outfile=${bundle}`];
  const bundler = join(checkout, "node_modules", ".bin", "esbuild");
  const { code } = await run(bundler, ["tools/generate/main.ts", ...options, "--log-level=warning"], { cwd: checkout });
  return code === 0 ? (await run("node", [bundle], { cwd: checkout })).code : code;
});

/** `npm run generate [-- --examples]`: runs tools/generate. */
import { main } from "./lib/main.mjs";
import { runTool } from "./lib/tool.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";

main(async () => {
  await bringUp({ dist: false, engine: false });
  return (await runTool("tools/generate/main.ts", process.argv.slice(2))).code;
});

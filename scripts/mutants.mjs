/** `npm run mutants [-- --record] [--workers N]`: whether tests notice faults planted in the code. */
import { join } from "node:path";
import { run } from "./lib/child.mjs";
import { main } from "./lib/main.mjs";
import { checkout } from "./lib/paths.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";
import { NODE_OF_JEST } from "./toolchain/node.mjs";

main(async () => {
  await bringUp({ node: NODE_OF_JEST, dist: false, engine: false });
  const { code } = await run("node", [join(checkout, "scripts/mutants/main.mjs"), ...process.argv.slice(2)], { cwd: checkout });
  return code;
});

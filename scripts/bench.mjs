/** `npm run bench [-- <part> ...] [--quick]`: runs the benchmarks and writes bench/RESULTS.md. */
import { join } from "node:path";
import { run } from "./lib/child.mjs";
import { main } from "./lib/main.mjs";
import { checkout } from "./lib/paths.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";

main(async () => {
  await bringUp();
  const { code } = await run("node", [join(checkout, "bench", "main.mjs"), ...process.argv.slice(2)], { cwd: checkout });
  return code;
});

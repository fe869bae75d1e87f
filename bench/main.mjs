/**
 * Run by scripts/bench.mjs after set-up. Runs the named parts, or all, or only `render`. `--quick` uses small sizes. `walk --list create
 * group` prints the calls counted by that part.
 */
import { join } from "node:path";
import { withLock } from "../scripts/lib/lock.mjs";
import { main } from "../scripts/lib/main.mjs";
import { Failure, Interrupted, say } from "../scripts/lib/message.mjs";
import { stateFolder } from "../scripts/lib/paths.mjs";
import { parts } from "./parts.mjs";
import { render } from "./report/render.mjs";
import { saveResult } from "./report/results.mjs";
import { listOf } from "./walk/list.mjs";

main(async () => {
  const given = process.argv.slice(2);
  if (given.includes("--list")) return print(await listOf(...given.slice(given.indexOf("--list") + 1)));
  const quick = given.includes("--quick");
  const named = given.filter((arg) => arg !== "--quick");
  const unknown = named.find((name) => name !== "render" && !(name in parts));
  if (unknown) throw new Failure(`Unknown part "${unknown}". The parts are: ${Object.keys(parts).join(", ")}; and render.`);
  const chosen = named.length === 0 ? Object.keys(parts) : named.filter((name) => name !== "render");
  return withLock(join(stateFolder, "bench.lock"), "another benchmark runs", async () => {
    const failed = [];
    for (const name of chosen) {
      say(`== ${name}: ${parts[name].title}`);
      try {
        await measure(name, quick);
      } catch (error) {
        if (error instanceof Interrupted) throw error;
        say(`  ${name} failed: ${error.message}`);
        failed.push(name);
      }
    }
    const folder = await render(quick);
    if (folder) say(`Written: ${join(folder, "RESULTS.md")}`);
    if (failed.length > 0) say(`Failed: ${failed.join(", ")}`);
    return failed.length === 0 ? 0 : 1;
  });
});

/** Resolves when everything is written, because the process ends right afterwards. */
function print(text) {
  return new Promise((resolve) => process.stdout.write(text, () => resolve(0)));
}

async function measure(name, quick) {
  const circumstances = { quick, started: Date.now() };
  const save = (data) => saveResult(name, data, circumstances);
  await save(await parts[name].run({ quick, save }));
}

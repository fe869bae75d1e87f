import { delimiter, join } from "node:path";
import { withLock } from "../lib/lock.mjs";
import { checkout, stateFolder } from "../lib/paths.mjs";
import { ensureBrowser } from "./browser.mjs";
import { ensureDependencies } from "./dependencies.mjs";
import { ensureDist } from "./dist.mjs";
import { ensureEngine } from "./engine.mjs";
import { ensureNode, MINIMUM_NODE } from "./node.mjs";

/**
 * Installs the needs of a command on a fresh clone. They are Node, dependencies, the compiled package, the engine, and a browser. Puts Node
 * and engine first on PATH, so that child processes, and the engine's own calls of `node`, find them.
 * @param packages the folder with the lockfile for the command
 * @param dist whether the package is compiled; `"anew"` even if the sources have not changed
 */
export async function bringUp({ node = MINIMUM_NODE, packages = checkout, dist = true, engine = true, browser = false } = {}) {
  putFirstOnPath(await ensureNode(node));
  await withLock(join(stateFolder, "set-up.lock"), "another command is setting up this checkout", async () => {
    await ensureDependencies(packages);
    if (dist) await ensureDist(dist === "anew");
  });
  if (browser) await ensureBrowser();
  if (engine) putFirstOnPath(await ensureEngine());
}

function putFirstOnPath(folder) {
  process.env.PATH = [folder, process.env.PATH].filter(Boolean).join(delimiter);
}

import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "../lib/child.mjs";
import { withLock } from "../lib/lock.mjs";
import { announce, Failure, say } from "../lib/message.mjs";
import { toolCache } from "../lib/paths.mjs";
import { npm } from "./npm.mjs";
import { isAtLeast } from "./version.mjs";

/** Required by the Pulumi SDK and `node:sqlite` (docs/contributing/engine.md#node-version). */
export const MINIMUM_NODE = "22.13.0";
/** The first Node that lets Jest load ES modules from CommonJS. */
export const NODE_OF_JEST = "24.9.0";
const PINNED = "24.21.0";

/**
 * The folder of a Node that is new enough. It is the running one, or else the npm package `node` at a pinned version in the cache.
 * @throws {Failure} if neither is available
 */
export async function ensureNode(minimum = MINIMUM_NODE) {
  if (isAtLeast(process.version, minimum)) return dirname(process.execPath);
  const folder = join(toolCache(), `node-${PINNED}`);
  return (
    (await runnable(folder)) ?? withLock(`${folder}.lock`, "another command is fetching Node", () => install(folder, minimum))
  );
}

async function install(folder, minimum) {
  const done = await runnable(folder);
  if (done) return done;
  say(`Node ${process.version.slice(1)} is older than ${minimum}: taking ${PINNED} from npm into ${folder}.`);
  // The package `node` fetches this machine's binary in an install script. If scripts are disabled, that binary is installed directly.
  const names = [`node@${PINNED}`, `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}@${PINNED}`];
  const reasons = [];
  for (const name of names) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const { code, output } = await announce(`Node: npm install ${name}`, () =>
      npm(["install", "--prefix", folder, "--no-save", "--no-package-lock", name], { cwd: folder, capture: true }),
    );
    const bin = await runnable(folder);
    if (bin) return bin;
    reasons.push(
      `  npm install ${name}: ${code === 0 ? "the binary does not run" : output.trim().split("\n").slice(-3).join(" ")}`,
    );
  }
  throw new Failure(
    `Node ${minimum} or newer is needed; this one is ${process.version}, and no newer one could be fetched:\n${reasons.join("\n")}\nInstall Node 24 (https://nodejs.org) and run the command again.`,
  );
}

/** The folder of the Node that an earlier install left here, if it runs. */
async function runnable(folder) {
  const candidates = [
    join(folder, "node_modules", ".bin"),
    join(folder, "node_modules", `node-${process.platform}-${process.arch}`, "bin"),
  ];
  for (const bin of candidates) {
    if (!existsSync(join(bin, "node"))) continue;
    const answer = await run(join(bin, "node"), ["--version"], { capture: true }).catch(() => undefined);
    if (answer?.code === 0 && isAtLeast(answer.output, PINNED)) return bin;
  }
  return undefined;
}

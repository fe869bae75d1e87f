import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { homedir } from "node:os";

/** The root of this checkout. */
export const checkout = resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** Everything the commands keep between runs; removing it resets them. */
export const stateFolder = resolve(checkout, ".state");

/** Where the engine writes its own notes (workspaces, logs, credentials), so that they too stay in the checkout. */
export const engineHome = resolve(stateFolder, "pulumi-home");

/** The engine's usual folder for command-line tools (docs/engine.md#engine-lookup), shared with `npx pulumi`. */
export const engineVersions = () => resolve(process.env.PULUMI_HOME || resolve(homedir(), ".pulumi"), "versions");

/** Where a Node lives that the machine did not bring. Outside the checkout, so that a fresh clone finds it again. */
export const toolCache = () => resolve(process.env.XDG_CACHE_HOME || resolve(homedir(), ".cache"), "pulumi-platform");

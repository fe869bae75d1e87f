import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { homedir } from "node:os";

/** The root of this checkout. */
export const checkout = resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** The folder for everything kept between commands. Removing it resets them. */
export const stateFolder = resolve(checkout, ".state");

/** The engine's own files (workspaces, logs, credentials), kept in the checkout too. */
export const engineHome = resolve(stateFolder, "pulumi-home");

/** The engine's own folder for installed versions, shared with `npx pulumi`. */
export const engineVersions = () => resolve(process.env.PULUMI_HOME || resolve(homedir(), ".pulumi"), "versions");

/** Contains a Node installed by set-up. It is outside of the checkout, so that a fresh clone finds it. */
export const toolCache = () => resolve(process.env.XDG_CACHE_HOME || resolve(homedir(), ".cache"), "pulumi-platform");

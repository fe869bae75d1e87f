import { mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { firstLine, start, throwIfInterrupted } from "./child.mjs";
import { nameOf } from "./door.mjs";
import { withLock } from "./lock.mjs";
import { Failure, say } from "./message.mjs";
import { checkout, stateFolder } from "./paths.mjs";

/** The emulator's data, stack and state. Removing this folder resets all of them. */
export const emulatorFolder = join(stateFolder, nameOf("emulator"));
export const emulatorData = join(emulatorFolder, "platform.db");

const READY_WITHIN_MS = 30_000;
const log = join(emulatorFolder, "emulator.log");

/** The address of a real platform, if it is set. No emulator starts then. */
export const realPlatform = () => process.env.PLATFORM_BASE_URL?.trim() || undefined;

/**
 * Runs the emulator on its data while the work runs.
 * @param use receives the emulator's output when it is ready: `{ baseUrl, authUrl, issuer, organization, identity, oidcTokenFile, adminUrl
 * }`
 */
export async function withEmulator(use) {
  mkdirSync(emulatorFolder, { recursive: true });
  return withLock(join(emulatorFolder, "emulator.lock"), "another command uses the emulator's data", async () => {
    const emulator = startEmulator(["--data", emulatorData], openSync(log, "w"));
    try {
      const line = await firstLine(emulator, READY_WITHIN_MS);
      throwIfInterrupted();
      if (!line) throw new Failure(`The emulator did not start:\n${readFileSync(log, "utf8").trimEnd()}\n(all of it: ${log})`);
      return await use(JSON.parse(line));
    } finally {
      if (emulator.process.exitCode !== null) say(`The emulator ended early; its log is ${log}.`);
      await emulator.stop();
    }
  });
}

/**
 * Starts an emulator, whose first line contains its addresses. Ctrl-C does not reach it, because the engine still calls it while the engine
 * stops. It ends with this process, when its stdin closes.
 * @param options of its command
 * @param stderr for its log
 */
export function startEmulator(options, stderr) {
  const leaveWithParent = new URL("./leave-with-parent.mjs", import.meta.url).href;
  const tool = join(checkout, "dist", "cli", "main.js");
  const args = ["--import", leaveWithParent, tool, "emulator", "--port", "0", ...options];
  return start("node", args, {
    cwd: checkout,
    env: withoutPlatform(process.env),
    stdio: ["pipe", "pipe", stderr],
    outlivesSignals: true,
  });
}

/** The environment of a program that uses this emulator, without variables of other platforms. */
export function emulatorEnvironment({ baseUrl, authUrl, organization, identity, oidcTokenFile }) {
  return {
    ...withoutPlatform(process.env),
    PLATFORM_BASE_URL: baseUrl,
    PLATFORM_AUTH_URL: authUrl,
    PLATFORM_ORGANIZATION: organization,
    PLATFORM_IDENTITY: identity,
    PLATFORM_OIDC_TOKEN_FILE: oidcTokenFile,
  };
}

/** An environment without the address and credentials of a platform. */
export function withoutPlatform(environment) {
  const kept = Object.entries(environment).filter(([name]) => !/^(PLATFORM_|ACTIONS_ID_TOKEN_REQUEST_)/.test(name));
  return Object.fromEntries(kept);
}

import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, runQuietly, start } from "./child.mjs";
import { Failure } from "./message.mjs";
import { emulatorEnvironment, emulatorFolder, realPlatform, withEmulator } from "./emulator.mjs";
import { checkout, engineHome, stateFolder } from "./paths.mjs";

/** Protects nothing: the emulator's stack holds no secret, but the engine wants a passphrase. */
const EMULATOR_PASSPHRASE = "emulator";

/**
 * Opens the stack of the platform at hand, the emulator's or the one of PLATFORM_BASE_URL, for as long as the work takes.
 * @param use gets the stack, and what the emulator said when it is one
 */
export async function withStack(use) {
  const address = realPlatform();
  if (address) return use(await openStack(platformStack(address)));
  return withEmulator(async (emulator) => use(await openStack(emulatorStack(emulator)), emulator));
}

function emulatorStack(emulator) {
  const env = { ...emulatorEnvironment(emulator), PULUMI_CONFIG_PASSPHRASE: EMULATOR_PASSPHRASE };
  delete env.PULUMI_CONFIG_PASSPHRASE_FILE;
  return { name: "emulator", backend: ownBackend(emulatorFolder), env };
}

/** One stack and one state per address, so that two platforms never meet in one state. */
function platformStack(address) {
  const hash = createHash("sha256").update(address.replace(/\/+$/, "")).digest("hex").slice(0, 8);
  const name = `${hostOf(address).replace(/[^A-Za-z0-9.-]/g, "-")}-${hash}`;
  const folder = join(stateFolder, name);
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env };
  if (!env.PULUMI_CONFIG_PASSPHRASE && !env.PULUMI_CONFIG_PASSPHRASE_FILE)
    env.PULUMI_CONFIG_PASSPHRASE_FILE = ownPassphrase(folder, name);
  return { name, backend: env.PULUMI_BACKEND_URL || ownBackend(folder), env };
}

function hostOf(address) {
  try {
    return new URL(address).host || "platform";
  } catch {
    return "platform"; // The provider says what is wrong with the address.
  }
}

function ownBackend(folder) {
  const backend = join(folder, "pulumi");
  mkdirSync(backend, { recursive: true });
  return `file://${backend}`;
}

/** A passphrase made once; without it the secrets of this stack cannot be read again. */
function ownPassphrase(folder, stack) {
  const file = join(folder, "passphrase");
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600 });
    forgetSalt(stack);
  }
  return file;
}

/** A stack's settings may outlive the folder of its state: a salt that belongs to a lost passphrase would refuse every new one. */
function forgetSalt(stack) {
  const file = settingsFile(stack);
  if (existsSync(file)) writeFileSync(file, readFileSync(file, "utf8").replace(/^encryptionsalt:.*\n?/m, ""));
}

function settingsFile(stack) {
  const folder = /^stackConfigDir:\s*(\S+)/m.exec(readFileSync(join(checkout, "Pulumi.yaml"), "utf8"))?.[1] ?? ".";
  return join(checkout, folder, `Pulumi.${stack}.yaml`);
}

/** Settings of a stack beat the environment: one that names a platform would lead this stack's program to another place than it says. */
function refuseOtherPlatform(stack, [command]) {
  const file = settingsFile(stack);
  if (command === "config" || !existsSync(file)) return;
  const key = /^\s*["']?(platform:(?:baseUrl|authUrl|audience|identity|oidcTokenFile|tokenCommand))\b/m.exec(
    readFileSync(file, "utf8"),
  )?.[1];
  if (key === undefined) return;
  throw new Failure(
    `The stack ${stack} has the setting ${key}, which would lead its program to another platform than the one at hand. Remove it with\n` +
      `  npm run pulumi -- config rm ${key}\nand name another platform in PLATFORM_BASE_URL, its credentials in the other PLATFORM_* variables.`,
  );
}

async function openStack({ name, backend, env }) {
  const environment = {
    ...env,
    PULUMI_BACKEND_URL: backend,
    PULUMI_STACK: name,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_HOME: engineHome,
  };
  const options = { cwd: checkout, env: environment };
  await runQuietly("Opening the stack", "pulumi", ["stack", "select", "--create", name, "--non-interactive"], options);
  return {
    name,
    environment,
    /** Runs the engine for the person at the terminal, who may be asked. @returns {Promise<number>} its exit code */
    engine: (args) => {
      refuseOtherPlatform(name, args);
      const terminal = process.stdin.isTTY === true;
      return start("pulumi", args, { ...options, terminal, stdio: "inherit" }).ended;
    },
    /** Runs the engine unattended. @returns {Promise<{ code: number, output: string }>} */
    unattended: (args, extra = {}) => {
      refuseOtherPlatform(name, args);
      return run("pulumi", [...args, "--non-interactive", "--color", "never"], {
        ...options,
        env: { ...environment, ...extra },
        capture: true,
      });
    },
  };
}

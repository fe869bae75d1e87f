import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, runQuietly, start } from "./child.mjs";
import { isNative, nameOf, npmRun } from "./door.mjs";
import { Failure } from "./message.mjs";
import { emulatorEnvironment, emulatorFolder, realPlatform, withEmulator } from "./emulator.mjs";
import { nativeProject, writeNativeProgram } from "./native-program.mjs";
import { checkout, engineHome, stateFolder } from "./paths.mjs";

/** Protects nothing, because the emulator's stack has no secret, but the engine requires a passphrase. */
const EMULATOR_PASSPHRASE = "emulator";

/** The folder with the program's Pulumi.yaml. */
const project = isNative ? nativeProject : checkout;

/**
 * Opens the stack of the emulator, or of PLATFORM_BASE_URL if set, while the work runs.
 * @param use receives the stack and, for the emulator, its output when it is ready
 */
export async function withStack(use) {
  if (isNative) writeNativeProgram();
  const address = realPlatform();
  if (address) return use(await openStack(platformStack(address)));
  return withEmulator(async (emulator) => use(await openStack(emulatorStack(emulator)), emulator));
}

function emulatorStack(emulator) {
  const env = { ...emulatorEnvironment(emulator), PULUMI_CONFIG_PASSPHRASE: EMULATOR_PASSPHRASE };
  delete env.PULUMI_CONFIG_PASSPHRASE_FILE;
  return { name: "emulator", backend: ownBackend(emulatorFolder), env };
}

/** Each address has its own stack and state, so that two platforms never share one. */
function platformStack(address) {
  const hash = createHash("sha256").update(address.replace(/\/+$/, "")).digest("hex").slice(0, 8);
  const name = nameOf(`${hostOf(address).replace(/[^A-Za-z0-9.-]/g, "-")}-${hash}`);
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
    return "platform"; // The provider explains the mistake in the address.
  }
}

function ownBackend(folder) {
  const backend = join(folder, "pulumi");
  mkdirSync(backend, { recursive: true });
  // Without side files a save is faster and never leaves a torn one (docs/scale.md#where-state-goes).
  return `file://${backend}?metadata=skip`;
}

/** Creates a passphrase once. Without it the secrets of this stack cannot be read. */
function ownPassphrase(folder, stack) {
  const file = join(folder, "passphrase");
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600 });
    forgetSalt(stack);
  }
  return file;
}

/** A stack's settings may outlive its state. The salt of a lost passphrase would reject every new one. */
function forgetSalt(stack) {
  const file = settingsFile(stack);
  if (existsSync(file)) writeFileSync(file, readFileSync(file, "utf8").replace(/^encryptionsalt:.*\n?/m, ""));
}

function settingsFile(stack) {
  const folder = /^stackConfigDir:\s*(\S+)/m.exec(readFileSync(join(project, "Pulumi.yaml"), "utf8"))?.[1] ?? ".";
  return join(project, folder, `Pulumi.${stack}.yaml`);
}

/** Settings that choose a platform or its credentials. */
const PLATFORM_KEYS = ["baseUrl", "authUrl", "audience", "identity", "oidcTokenFile", "tokenCommand"].map(
  (name) => `platform:${name}`,
);

/** A stack's settings override the environment. One of these keys would point the program at another platform. @throws {Failure} */
function rejectOtherPlatform(stack, config) {
  const key = PLATFORM_KEYS.find((each) => each in config);
  if (key === undefined) return;
  throw new Failure(
    `The stack ${stack} sets ${key}, which would point its program at another platform. Remove the setting:\n` +
      `  ${npmRun("pulumi", "config", "rm", key)}\nTo use another platform, set PLATFORM_BASE_URL and the other PLATFORM_* variables.`,
  );
}

async function openStack({ name, backend, env }) {
  const environment = {
    ...env,
    PULUMI_BACKEND_URL: backend,
    PULUMI_STACK: name,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_HOME: engineHome,
    // Makes the state smaller, which the engine writes after every step (docs/scale.md#where-state-goes).
    PULUMI_DIY_BACKEND_ZSTD: "1",
  };
  const options = { cwd: project, env: environment };
  await runQuietly("Opening the stack", "pulumi", ["stack", "select", "--create", name, "--non-interactive"], options);
  const json = async (what, args) => JSON.parse(await runQuietly(what, "pulumi", [...args, "--non-interactive"], options));
  let settings;
  const checkSettings = async ([command]) => {
    if (command === "config") return;
    settings ??= json("Reading the stack's settings", ["config", "--json"]);
    rejectOtherPlatform(name, await settings);
  };
  return {
    name,
    environment,
    /** Runs the engine for the user at the terminal, who may be prompted. @returns {Promise<number>} its exit code */
    engine: async (args) => {
      await checkSettings(args);
      const terminal = process.stdin.isTTY === true;
      return start("pulumi", args, { ...options, terminal, stdio: "inherit" }).ended;
    },
    /** The stack's state, in the form of `pulumi stack export`: `{ resources?, pending_operations? }`. */
    state: async () => (await json("Reading the stack's state", ["stack", "export"])).deployment,
    /** Runs the engine unattended. @returns {Promise<{ code: number, output: string }>} */
    unattended: async (args, extra = {}) => {
      await checkSettings(args);
      return run("pulumi", [...args, "--non-interactive", "--color", "never"], {
        ...options,
        env: { ...environment, ...extra },
        capture: true,
      });
    },
  };
}

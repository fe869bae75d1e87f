import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { startEmulator } from "../../emulator";
import { hasPlatformForm } from "../../provider/client/uid";
import { UsageError } from "../shell/exit-codes";
import { isStorage } from "../shell/stack";

/** The state of a new project, if PULUMI_BACKEND_URL names none. Without side files a save is faster and never leaves a torn one. */
export const ownBackend = "file://./state?metadata=skip";

/** Files and folders with settings and data of this machine, which no repository has. */
export const machineFiles = [
  ...["state", ".passphrase", "env.sh"],
  ...["", "-wal", "-shm", ".oidc-token"].map((end) => `platform.db${end}`),
];

const emulatorData = "platform.db";

/** Where a new program finds its platform, state and passphrase. */
export interface Surroundings {
  /** The organisation to work in, if a platform was named; otherwise that of a new emulator. */
  readonly platform: { readonly organization: string } | undefined;
  /** Whether PULUMI_BACKEND_URL names where state is kept. */
  readonly hasBackend: boolean;
  /** Whether the state needs a passphrase, and the environment names none. */
  readonly needsPassphrase: boolean;
}

/** The surroundings that the environment names. @throws PlatformError for a platform without an organisation */
export function surroundings(environment: NodeJS.ProcessEnv): Surroundings {
  const backend = environment["PULUMI_BACKEND_URL"] || undefined;
  const isGiven = environment["PULUMI_CONFIG_PASSPHRASE"] ?? environment["PULUMI_CONFIG_PASSPHRASE_FILE"];
  return {
    platform: environment["PLATFORM_BASE_URL"]?.trim() ? { organization: organizationIn(environment) } : undefined,
    hasBackend: backend !== undefined,
    needsPassphrase: isGiven === undefined && isStorage(backend ?? ownBackend),
  };
}

function organizationIn(environment: NodeJS.ProcessEnv): string {
  const organization = environment["PLATFORM_ORGANIZATION"]?.trim() ?? "";
  if (hasPlatformForm(organization)) return organization;
  throw new UsageError(
    "PLATFORM_BASE_URL names a platform: set PLATFORM_ORGANIZATION too, to the uid of the group to work under. Without PLATFORM_BASE_URL, the program is for the emulator.",
  );
}

/** Makes the data of an emulator in `folder`. @returns its organisation, and the variables with which a program reaches it */
export async function newEmulator(folder: string): Promise<{ organization: string; variables: [string, string][] }> {
  const data = path.join(folder, emulatorData);
  const emulator = await startEmulator({ port: 0, data, seed: "sample" });
  const { organization, identity } = emulator;
  await emulator.close();
  const variables: [string, string][] = [
    ["PLATFORM_BASE_URL", "http://127.0.0.1:4010"],
    ["PLATFORM_IDENTITY", identity],
    ["PLATFORM_OIDC_TOKEN_FILE", `$PWD/${emulatorData}.oidc-token`],
  ];
  return { organization, variables };
}

/** Makes a passphrase that only this user may read. @returns the variable with which the engine finds it */
export async function newPassphrase(folder: string): Promise<[string, string]> {
  const file = path.join(folder, ".passphrase");
  await rm(file, { force: true });
  await writeFile(file, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  return ["PULUMI_CONFIG_PASSPHRASE_FILE", "$PWD/.passphrase"];
}

/** `variables` as a file for the shell. */
export function shellFile(variables: readonly (readonly [string, string])[]): string {
  const lines = variables.map(([name, value]) => `export ${name}="${value}"\n`);
  return `# Settings of this machine: run \`. ./env.sh\` in this folder. They are in no repository.\n${lines.join("")}`;
}

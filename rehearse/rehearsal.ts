import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { openDoor } from "./doors";
import { type Ended, runInside } from "./engine";
import { engineEnvironment } from "./environment";
import type { RunError } from "./events";
import { PrivateFolder } from "./folder";
import { NullProvider, type NullRecord } from "./null-provider";
import { otherPackages } from "./packages";
import { copyStack, type StackSource, type StateResource } from "./private-stack";
import { sandbox } from "./sandbox";
import { Passphrase } from "./secrets";

/** An update to rehearse. */
export interface Rehearsed {
  readonly source: StackSource;
  /** The folder of the program, in which the engine runs. */
  readonly folder: string;
  /** The command of the engine and its options: `["up", "--refresh"]`. */
  readonly command: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** The copy of the platform, which also answers exchanges. */
  readonly copy: { readonly origin: string; readonly token: string };
  /** The origins that the copy stands for. */
  readonly standsFor: readonly string[];
  /** Whether a run with a network is wanted. */
  readonly isOpen: boolean;
  /** Ends the rehearsal. */
  readonly signal: AbortSignal;
}

/** A rehearsed update. */
export interface Outcome {
  readonly code: number;
  readonly errors: readonly RunError[];
  /** The output of the engine, for a failure that its events do not explain. */
  readonly output: string;
  /** The state after the update. */
  readonly resources: readonly StateResource[];
  /** The answers in place of other packages. */
  readonly others: NullRecord;
  /** Lines of the host. */
  readonly told: readonly object[];
  /** Whether the program could reach no network but the copy. */
  readonly isSandboxed: boolean;
}

/** The host, which serves the resources of this package by this release. */
const hostScript = path.join(__dirname, "../cli/rehearsal-host.js");

/** Runs the real engine on the program, with a copy of the stack and of the platform. Nothing of it is left. */
export async function rehearse(rehearsed: Rehearsed): Promise<Outcome> {
  const folder = await PrivateFolder.create();
  const removed = () => folder.remove();
  process.once("exit", removed);
  try {
    return await rehearseIn(folder, rehearsed);
  } finally {
    process.removeListener("exit", removed);
    folder.remove();
  }
}

async function rehearseIn(folder: PrivateFolder, rehearsed: Rehearsed): Promise<Outcome> {
  const { source, environment, copy, standsFor, signal } = rehearsed;
  const passphrase = await Passphrase.create();
  const stack = await copyStack(source, folder, passphrase);
  const home = environment["PULUMI_HOME"] || path.join(homedir(), ".pulumi");
  const own = engineEnvironment(environment, {
    home: homeIn(folder, home),
    temporary: folder.in("tmp"),
    backend: stack.backend,
    passphrase: passphrase.text,
    organization: source.organization,
    rehearsal: JSON.stringify({ copy: copy.origin, standsFor, token: copy.token }),
  });
  const words = rehearsed.isOpen ? undefined : sandbox();
  const nulls = await NullProvider.start();
  const packages = otherPackages({
    resources: source.state.deployment.resources ?? [],
    project: source.packages,
    folder: rehearsed.folder,
    home,
    search: environment["PATH"] ?? "",
  });
  const ports = [Number(new URL(copy.origin).port), nulls.port];
  const doors = ports.map((port) => ({ port, socket: folder.in(`${port}.sock`) }));
  const opened =
    words && (await Promise.all(doors.map(({ port, socket }) => openDoor({ path: socket }, { host: "127.0.0.1", port }))));
  try {
    const ended = await runInside(
      {
        isSandboxed: words !== undefined,
        doors: words === undefined ? [] : doors,
        host: { command: [process.execPath, hostScript], environment: own },
        engine: {
          args: argumentsOf(rehearsed, stack.configFile),
          log: folder.in("events"),
          environment: own,
          folder: rehearsed.folder,
          attached: packages.map((name) => `${name}:${nulls.port}`),
        },
      },
      words ?? [],
      signal,
    );
    return { ...(await outcomeOf(ended, stack.stateFile)), others: nulls.record, isSandboxed: words !== undefined };
  } finally {
    nulls.close();
    for (const door of opened ?? []) door.close();
  }
}

function argumentsOf({ command, source }: Rehearsed, configFile: string): string[] {
  const own = ["--yes", "--non-interactive", "--suppress-outputs", "--suppress-progress"];
  return [...command, ...own, "--stack", source.stack, "--config-file", configFile];
}

async function outcomeOf({ code, output, told, errors }: Ended, stateFile: string) {
  const stored = JSON.parse(await readFile(stateFile, "utf8")) as { checkpoint: { latest?: { resources?: StateResource[] } } };
  return { code, output, told, errors: code === 0 ? [] : errors, resources: stored.checkpoint.latest?.resources ?? [] };
}

/**
 * A home of the engine with its real plugins for languages and policies, and with the provider's notes of interrupted runs. Plugins of
 * packages are left out, so that none can run.
 */
function homeIn(folder: PrivateFolder, real: string): string {
  const [home, plugins, notes] = [folder.in("home"), path.join(real, "plugins"), path.join(real, "pulumi-platform")];
  for (const each of [path.join(home, "plugins"), folder.in("tmp")]) mkdirSync(each, { recursive: true, mode: 0o700 });
  const shared = existsSync(plugins) ? readdirSync(plugins).filter((name) => !name.startsWith("resource-")) : [];
  for (const name of shared) symlinkSync(path.join(plugins, name), path.join(home, "plugins", name));
  if (existsSync(notes)) cpSync(notes, path.join(home, "pulumi-platform"), { recursive: true });
  return home;
}

import { homedir } from "node:os";
import path from "node:path";
import type { PlatformClient } from "../client/client";
import { connect, readConfiguration } from "../credentials";
import { kinds } from "../kinds/kinds";
import { BatchedCreates } from "../resources/creating/batches";
import { PendingCreates } from "../resources/creating/pending-creates";
import { SharedReads } from "../resources/list-cache";
import { Run } from "../resources/run";
import { isProviderHost } from "./engine-watch";

/** The stack's configuration with full keys: `platform:baseUrl`. */
export type Settings = Readonly<Record<string, string | undefined>>;

const runs = new Map<string, Run>();

/**
 * The run of this process for `settings` and the environment, made on first use and shared by all kinds: the host
 * configures once for each `__provider` text (ENGINE §3).
 *
 * @throws PlatformError `CONFIGURATION`
 */
export function runFor(settings: Settings, environment: NodeJS.ProcessEnv = process.env): Run {
  const key = JSON.stringify([
    settings,
    Object.entries(environment).filter(([name]) => /^(PLATFORM_|ACTIONS_ID_TOKEN_)/.test(name)),
  ]);
  const known = runs.get(key);
  if (known !== undefined) return known;
  const configuration = readConfiguration(settings, environment);
  const isHost = isProviderHost();
  const run = newRun(connect(configuration), {
    adoptByDefault: configuration.adopt,
    // Windows ends the host without a signal that it could catch.
    pendingCreates: new PendingCreates({ folder: folderIn(environment), isClosed: isHost && process.platform !== "win32" }),
    // The engine shows what the host prints.
    ...(isHost && { notify: show }),
  });
  runs.set(key, run);
  return run;
}

function show(message: string): void {
  console.log(message);
}

/** What {@link newRun} may be given. */
export interface NewRunOptions {
  /** Default: false. */
  adoptByDefault?: boolean;
  /** Default: notes nothing. */
  pendingCreates?: PendingCreates;
  /** Default: says nothing. */
  notify?: (message: string) => void;
}

/** A run with everything that it needs. */
export function newRun(client: PlatformClient, options: NewRunOptions = {}): Run {
  return new Run({
    client,
    adoptByDefault: options.adoptByDefault ?? false,
    reads: new SharedReads(client, Object.values(kinds)),
    creates: new BatchedCreates(client),
    pendingCreates: options.pendingCreates ?? new PendingCreates(),
    notify: options.notify ?? (() => undefined),
  });
}

/** Ends the runs of this process: the engine has ended in order, and has saved its state. */
export function closeRuns(): void {
  for (const run of runs.values()) run.pendingCreates.close();
}

/** Beside the engine's own files, which it can write and others cannot. */
function folderIn({ PULUMI_HOME }: NodeJS.ProcessEnv): string {
  return path.join(PULUMI_HOME || path.join(homedir(), ".pulumi"), "pulumi-platform", "unanswered-creates");
}

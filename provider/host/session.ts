import { homedir } from "node:os";
import path from "node:path";
import type { PlatformClient } from "../client/client";
import { connect, type ConnectOptions, readConfiguration } from "../credentials";
import { kinds } from "../kinds/kinds";
import { BatchedCreates } from "../resources/creating/batches";
import { PendingCreates } from "../resources/creating/pending-creates";
import { DeletionProof } from "../resources/deletion-proof";
import { SharedReads } from "../resources/list-cache";
import { Run } from "../resources/run";
import { SelfLockout } from "../resources/self-lockout";
import { Visibility } from "../resources/visibility";
import { isProviderHost } from "./engine-watch";
import { scoped, type Settings } from "./explicit-provider";

const runs = new Map<string, Run>();

/**
 * The run of this process for these settings and the environment. It is created on first use and shared by all kinds:
 * the host configures once for each `__provider` text.
 *
 * @throws PlatformError `CONFIGURATION`
 */
export function runFor(configured: Settings, inherited: NodeJS.ProcessEnv = process.env): Run {
  const { settings, environment } = scoped(configured, inherited);
  const key = JSON.stringify([
    settings,
    Object.entries(environment).filter(([name]) => /^(PLATFORM_|ACTIONS_ID_TOKEN_)/.test(name)),
  ]);
  const run = runs.get(key) ?? openRun(settings, environment);
  runs.set(key, run);
  return run;
}

/**
 * Opens a run that shares nothing with other runs of this process.
 *
 * @throws PlatformError `CONFIGURATION`
 */
export function openRun(settings: Settings, environment: NodeJS.ProcessEnv, options?: ConnectOptions): Run {
  const configuration = readConfiguration(settings, environment);
  const isHost = isProviderHost();
  return newRun(connect(configuration, options), {
    adoptByDefault: configuration.adopt,
    allowSelfLockout: configuration.allowSelfLockout,
    ...(configuration.organization !== undefined && { organization: configuration.organization }),
    pendingCreates: new PendingCreates({
      folder: folderIn(environment),
      platform: configuration.baseUrl,
      // The engine does not tell the host which stack it runs; PULUMI_STACK is what selected it, where that is set.
      stack: JSON.stringify([configuration.organization, environment["PULUMI_STACK"]]),
      // Windows ends the host without a signal that it could catch.
      isClosed: isHost && process.platform !== "win32",
    }),
    // The engine shows what the host prints.
    ...(isHost && { notify: show }),
  });
}

function show(message: string): void {
  console.log(message);
}

/** Options of {@link newRun}. */
export interface NewRunOptions {
  /** Default: false. */
  adoptByDefault?: boolean;
  /** Whether the run may end its own access. Default: false. */
  allowSelfLockout?: boolean;
  /** Uid of the root group. Default: not configured. */
  organization?: string;
  /** Default: records nothing. */
  pendingCreates?: PendingCreates;
  /** Default: prints nothing. */
  notify?: (message: string) => void;
}

/** A run with all its services. */
export function newRun(client: PlatformClient, options: NewRunOptions = {}): Run {
  const visibility = new Visibility(client);
  return new Run({
    client,
    adoptByDefault: options.adoptByDefault ?? false,
    organization: options.organization,
    visibility,
    proof: new DeletionProof(client, visibility),
    selfLockout: new SelfLockout(client, options.allowSelfLockout ?? false),
    reads: new SharedReads(client, Object.values(kinds)),
    creates: new BatchedCreates(client),
    pendingCreates: options.pendingCreates ?? new PendingCreates(),
    notify: options.notify ?? (() => undefined),
  });
}

/** Closes the runs of this process: the engine exited normally and saved its state. */
export function closeRuns(): void {
  for (const run of runs.values()) run.pendingCreates.close();
}

/** Beside the engine's own files, which only this user can write. */
function folderIn({ PULUMI_HOME }: NodeJS.ProcessEnv): string {
  return path.join(PULUMI_HOME || path.join(homedir(), ".pulumi"), "pulumi-platform", "pending-creates");
}

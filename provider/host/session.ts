import { homedir } from "node:os";
import path from "node:path";
import type { PlatformClient } from "../client/client";
import { connect, type ConnectOptions, statedCaller } from "../credentials";
import { kinds } from "../kinds/kinds";
import { BatchedCreates } from "../resources/creating/batched-creates";
import { PendingCreates } from "../resources/creating/pending-creates";
import { Claims } from "../resources/claims/claims";
import { DeletionProof } from "../resources/deleting/deletion-proof";
import { Names } from "../resources/naming/names";
import { FreshRows } from "../resources/sharing/fresh-rows";
import { SharedReads } from "../resources/sharing/shared-reads";
import { Run } from "../resources/run";
import { FirstGrants } from "../resources/guards/own-access";
import { LockoutPreview, type PreviewOptions } from "../resources/guards/lockout-preview";
import { SelfLockout } from "../resources/guards/self-lockout";
import { SharedClaims } from "../resources/claims/shared-claims";
import { Visibility } from "../resources/visibility";
import { configurationOf, type Settings } from "./explicit-provider";
import { hostProcess, type HostProcess } from "./process";

const runs = new Map<string, Run>();
let shared: SharedClaims | undefined;

/**
 * The run of this process for these settings and the environment. It is created on first use and shared by all kinds:
 * the host configures once for each `__provider` text.
 *
 * @throws PlatformError `CONFIGURATION`
 */
export function runFor(settings: Settings, environment: NodeJS.ProcessEnv = process.env): Run {
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
  const configuration = configurationOf(settings, environment);
  const host = hostProcess();
  return newRun(connect(configuration, options), {
    adoptByDefault: configuration.adopt,
    allowSelfLockout: configuration.allowSelfLockout,
    preview: {
      client: connect(configuration, { ...options, timing: { ...options?.timing, ...sentOnce } }),
      caller: statedCaller(configuration),
    },
    overwrites: configuration.overwrite,
    ...(configuration.organization !== undefined && { organization: configuration.organization }),
    pendingCreates: new PendingCreates({
      folder: folderIn(environment, "pending-creates"),
      platform: configuration.baseUrl,
      // The engine does not pass the name of the stack to the host. PULUMI_STACK may have selected it.
      stack: JSON.stringify([configuration.organization, environment["PULUMI_STACK"]]),
      // Windows ends the host without a signal that it can catch.
      closesWithEngine: host !== undefined && process.platform !== "win32",
    }),
    claims: new Claims(configuration.baseUrl, host && sharedClaims(environment, host)),
    ...(host && { notify: host.notify }),
  });
}

/** Deadlines of a client that waits for no platform: each request is sent once. */
const sentOnce = { attemptMs: 5_000, budgetMs: 5_000, firstDelayMs: Infinity, longestDelayMs: Infinity };

/** Options of {@link newRun}. */
export interface NewRunOptions {
  /** Default: false. */
  adoptByDefault?: boolean;
  /** Whether the run may end its own access. Default: false. */
  allowSelfLockout?: boolean;
  /** What previews ask as, and whom. Default: they tell nothing of the run's own access. */
  preview?: Omit<PreviewOptions, "isAllowed">;
  /** Whether the run may overwrite what somebody else has changed. Default: false. */
  overwrites?: boolean;
  /** Uid of the root group. Default: not configured. */
  organization?: string;
  /** Default: records nothing. */
  pendingCreates?: PendingCreates;
  /** Default: shares none with other processes. */
  claims?: Claims;
  /** Default: prints nothing. */
  notify?: (message: string) => void;
}

/** A run with all its services. */
export function newRun(client: PlatformClient, options: NewRunOptions = {}): Run {
  const claims = options.claims ?? new Claims("");
  const firstGrants = new FirstGrants(client);
  const isAllowed = options.allowSelfLockout ?? false;
  return new Run({
    client,
    adoptByDefault: options.adoptByDefault ?? false,
    organization: options.organization,
    proof: new DeletionProof(client, new Visibility(client), firstGrants),
    selfLockout: new SelfLockout(client, { isAllowed, outcome: "Nothing was sent." }, claims, firstGrants),
    lockoutPreview: new LockoutPreview({ client, caller: undefined, ...options.preview, isAllowed }),
    reads: new SharedReads(client, Object.values(kinds)),
    rows: new FreshRows(client),
    overwrites: options.overwrites ?? false,
    names: new Names(client),
    creates: new BatchedCreates(client),
    pendingCreates: options.pendingCreates ?? new PendingCreates(),
    claims,
    notify: options.notify ?? (() => undefined),
  });
}

/** Begins a run of the engine in a process that may have served others: what those have recorded, and hold, is over. */
export function beginRun(): void {
  runs.clear();
  shared?.close();
}

/** Closes the runs of this process: the engine exited normally and saved its state. */
export function closeRuns(): void {
  for (const run of runs.values()) run.pendingCreates.close();
}

/** One for all runs of this process. */
function sharedClaims(environment: NodeJS.ProcessEnv, { engine }: HostProcess): SharedClaims {
  if (shared !== undefined) return shared;
  const claims = new SharedClaims({ folder: folderIn(environment, "claims"), engine });
  process.once("exit", () => claims.close());
  return (shared = claims);
}

/** Beside the engine's own files, which only this user can write. */
function folderIn({ PULUMI_HOME }: NodeJS.ProcessEnv, name: "claims" | "pending-creates"): string {
  return path.join(PULUMI_HOME || path.join(homedir(), ".pulumi"), "pulumi-platform", name);
}

import { homedir } from "node:os";
import path from "node:path";
import { connect, statedCaller, type TokenSourceOptions } from "../credentials";
import { Facts } from "../resources/ledger/facts";
import { Journal } from "../resources/ledger/journal";
import { Notes } from "../resources/ledger/notes";
import { newRun } from "../resources/run/new-run";
import type { Run } from "../resources/run/run";
import { configurationOf, managedOrganization, type Settings } from "./explicit-provider";
import { type HostProcess, hostProcess } from "./process";

/** Returns the run of these settings. */
export type RunOf = (settings: Settings) => Run;

const runs = new Map<string, Run>();
/** The journals of this process, by folder and engine. */
const journals = new Map<string, Journal>();
/** The sentences that engines have shown. */
const told = new Set<string>();

/**
 * The run of this process for these settings and the environment. It is created on first use and shared by all kinds, because the host
 * configures once for each `__provider` text.
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

/** Opens one run for all that ask with the same settings. */
export function sharedBy(open: RunOf): RunOf {
  const known = new Map<string, Run>();
  return (settings) => {
    const key = JSON.stringify(settings);
    const run = known.get(key) ?? open(settings);
    known.set(key, run);
    return run;
  };
}

/**
 * Opens a run that shares nothing with other runs of this process, but facts with those for the same engine.
 *
 * @param host the engine. Default: that of this process
 * @throws PlatformError `CONFIGURATION`
 */
export function openRun(
  settings: Settings,
  environment: NodeJS.ProcessEnv,
  options?: TokenSourceOptions,
  host = hostProcess(),
): Run {
  const configuration = configurationOf(settings, environment);
  for (const sentence of configuration.overridden ?? []) tellOnce(sentence, host);
  const managed = configuration.allowOtherOrganization ? undefined : managedOrganization(settings, configuration);
  return newRun(connect(configuration, options), {
    adoptByDefault: configuration.adopt,
    allowSelfLockout: configuration.allowSelfLockout,
    preview: {
      client: connect(configuration, { ...options, timing: { ...options?.timing, ...sentOnce } }),
      caller: statedCaller(configuration),
    },
    overwrites: configuration.overwrite,
    ...(configuration.organization !== undefined && { organization: configuration.organization }),
    ...(managed !== undefined && { keepsTo: managed }),
    notes: new Notes(journalIn(environment, host), {
      platform: configuration.baseUrl,
      // The engine does not pass the name of the stack to the host. PULUMI_STACK may have selected it.
      stack: JSON.stringify([configuration.organization, environment["PULUMI_STACK"]]),
      // Windows ends the host without a signal that it can catch.
      closesWithEngine: host !== undefined && process.platform !== "win32",
    }),
    facts: new Facts(configuration.baseUrl, host && journalIn(environment, host)),
    ...(host && { notify: host.notify }),
  });
}

/** Shows `sentence` to the user of an engine, once for all providers. */
function tellOnce(sentence: string, host: HostProcess | undefined): void {
  const key = JSON.stringify([host?.engine, sentence]);
  if (!told.has(key)) host?.notify(sentence);
  told.add(key);
}

/** Timing of the client of previews, which sends each request once and with little time. */
const sentOnce = { attemptMs: 5_000, budgetMs: 5_000, firstDelayMs: Infinity, longestDelayMs: Infinity };

function closeJournals(): void {
  for (const journal of journals.values()) journal.close();
}

/** Closes the runs of this process after the engine exited normally and saved its state. */
export function closeRuns(): void {
  for (const run of runs.values()) run.ledger.notes.close();
}

/** The journal of this process for an engine, beside the engine's own files, which only this user can write. */
function journalIn({ PULUMI_HOME }: NodeJS.ProcessEnv, { engine }: Partial<HostProcess> = {}): Journal {
  const folder = path.join(PULUMI_HOME || path.join(homedir(), ".pulumi"), "pulumi-platform");
  const key = JSON.stringify([folder, engine]);
  const known = journals.get(key);
  if (known !== undefined) return known;
  const journal = new Journal({
    folder: path.join(folder, "journal"),
    ...(engine !== undefined && { engine }),
  });
  if (journals.size === 0) process.once("exit", closeJournals);
  journals.set(key, journal);
  return journal;
}

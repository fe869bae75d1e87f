import { homedir } from "node:os";
import path from "node:path";
import { connect, type ConnectOptions, readConfiguration } from "../credentials";
import { Run } from "../resources/run";
import { UnansweredCreates } from "../resources/creating/pending-creates";
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
 * Opens a run that shares nothing with the others of this process.
 *
 * @throws PlatformError `CONFIGURATION`
 */
export function openRun(settings: Settings, environment: NodeJS.ProcessEnv, options?: ConnectOptions): Run {
  const configuration = readConfiguration(settings, environment);
  return new Run(
    connect(configuration, options),
    configuration.adopt,
    new UnansweredCreates(folderIn(environment)),
    configuration.allowSelfLockout,
  );
}

/** Beside the engine's own files, which it can write and others cannot. */
function folderIn({ PULUMI_HOME }: NodeJS.ProcessEnv): string {
  return path.join(PULUMI_HOME || path.join(homedir(), ".pulumi"), "pulumi-platform", "unanswered-creates");
}

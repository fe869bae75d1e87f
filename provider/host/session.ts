import { homedir } from "node:os";
import path from "node:path";
import { connect, readConfiguration } from "../credentials";
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
  const known = runs.get(key);
  if (known !== undefined) return known;
  const configuration = readConfiguration(settings, environment);
  const run = new Run(connect(configuration), configuration.adopt, new UnansweredCreates(folderIn(environment)));
  runs.set(key, run);
  return run;
}

/** Beside the engine's own files: this user can write there, and others cannot. */
function folderIn({ PULUMI_HOME }: NodeJS.ProcessEnv): string {
  return path.join(PULUMI_HOME || path.join(homedir(), ".pulumi"), "pulumi-platform", "unanswered-creates");
}

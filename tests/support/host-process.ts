import { defaultTiming, type Timing } from "../../provider/client/retry";
import { openRun } from "../../provider/host/session";
import type { Run } from "../../provider/resources/run/run";

/** Settings of a stack, with full keys: `platform:baseUrl`. */
type Settings = Readonly<Record<string, string | undefined>>;

/** The differences between processes of the provider host. */
export interface ProcessOptions {
  /** Deadlines and delays. Default: those of every program, without long waits for objects that were created just now. */
  timing?: Timing;
  /** Folder of the engine's own files, where the process keeps its notes. Default: that of the machine. */
  home?: string;
}

const impatient: Timing = { ...defaultTiming, propagationMs: 300 };

/** Stands for a process of Pulumi's provider host: its kinds share one run, and it shares nothing with other processes. */
export function hostProcess({ timing = impatient, home }: ProcessOptions = {}): (settings: Settings) => Run {
  const environment = { ...process.env, ...(home !== undefined && { PULUMI_HOME: home }) };
  let run: Run | undefined;
  return (settings) => (run ??= openRun(settings, environment, { timing }));
}

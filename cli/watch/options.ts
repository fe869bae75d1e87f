import type { DriftOptions } from "../drift/options";
import { UsageError } from "../shell/exit-codes";
import type { Sources } from "../shell/states";

/** The options of the command. */
export interface Options extends DriftOptions {
  readonly interval: string;
  readonly timeout: string;
  readonly bind: string;
  readonly metricsPort?: string;
  readonly listen?: string;
  readonly webhook?: string;
  readonly json?: true;
}

/**
 * The command line of `drift`. It names the stacks, so that all checks use the same ones even if another stack is selected meanwhile.
 * @throws UsageError
 */
export function driftArguments({ settings, stacks, files }: Sources, { root, ignore, baseline }: DriftOptions): string[] {
  if ([...files, ignore, baseline].includes("-"))
    throw new UsageError("watch does not read standard input. Pass a file, or --stack.");
  const named = { stack: settings, "state-of": stacks, "state-file": files, root, ignore, baseline };
  return Object.entries(named).flatMap(([name, value]) => [value ?? []].flat().map((each) => `--${name}=${each}`));
}

/** The number in an option. @throws UsageError */
export function numberIn(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`${option} must be a number from ${least} to ${most}, not ${JSON.stringify(text)}.`);
}

import { type DriftOptions, requireState } from "../drift/options";
import { UsageError } from "../shell/exit-codes";

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

/** The command line of `drift`. @throws UsageError */
export function driftArguments(options: Options): string[] {
  requireState(options);
  const { stack, state, root, ignore, baseline } = options;
  if ([...(state ?? []), ignore, baseline].includes("-"))
    throw new UsageError("watch does not read standard input. Pass a file, or --stack.");
  return Object.entries({ stack, state, root, ignore, baseline }).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => `--${name}=${each}`),
  );
}

/** The number that an option has. @throws UsageError */
export function numberIn(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`${option} must be a number from ${least} to ${most}, not ${JSON.stringify(text)}.`);
}

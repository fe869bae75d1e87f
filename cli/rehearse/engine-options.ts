import { UsageError } from "../shell/exit-codes";

/** The options that the engine gets as they are. */
export interface EngineOptions {
  readonly refresh?: boolean;
  readonly destroy?: boolean;
  readonly target?: readonly string[];
  readonly targetDependents?: boolean;
  readonly exclude?: readonly string[];
  readonly excludeDependents?: boolean;
  readonly replace?: readonly string[];
  readonly continueOnError?: boolean;
  readonly skipPreview?: boolean;
}

/** The command of the engine to rehearse, without `pulumi`. @throws UsageError */
export function engineCommand(given: EngineOptions): string[] {
  if (given.destroy === true && given.replace !== undefined)
    throw new UsageError("--destroy replaces nothing: leave --replace out.");
  const each = (name: string, values: readonly string[] = []) => values.flatMap((value) => [name, value]);
  const flag = (name: string, isGiven: boolean | undefined) => (isGiven === true ? [name] : []);
  return [
    given.destroy === true ? "destroy" : "up",
    ...flag("--refresh", given.refresh),
    // Without the program, a refresh or a destroy would use the configuration of the last update.
    ...flag("--run-program", given.refresh === true || given.destroy === true),
    ...each("--target", given.target),
    ...flag("--target-dependents", given.targetDependents),
    ...each("--exclude", given.exclude),
    ...flag("--exclude-dependents", given.excludeDependents),
    ...each("--replace", given.replace),
    ...flag("--continue-on-error", given.continueOnError),
    ...flag("--skip-preview", given.skipPreview),
  ];
}

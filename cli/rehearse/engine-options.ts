import type { Command } from "commander";
import { several } from "../shell/command";
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

/** Adds the options that the engine gets. */
export function withEngineOptions(made: Command): Command {
  return made
    .option("--refresh", "rehearse `pulumi up --refresh --run-program`, which repairs changes made by hand")
    .option("--destroy", "rehearse `pulumi destroy --run-program`")
    .option("--target <URN>", "pass --target on; may be repeated", several)
    .option("--target-dependents", "pass --target-dependents on")
    .option("--exclude <URN>", "pass --exclude on; may be repeated", several)
    .option("--exclude-dependents", "pass --exclude-dependents on")
    .option("--replace <URN>", "pass --replace on; may be repeated", several)
    .option("--continue-on-error", "pass --continue-on-error on")
    .option("--skip-preview", "pass --skip-preview on, for a pipeline that updates without a preview");
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

import { severities, type Severity } from "../../access/severity";
import { PlatformError } from "../../provider/client/errors";
import { exitCode } from "../shell/exit-codes";
import { oneLine } from "../text/one-line";
import type { Review } from "./review";

/** The least severity of a change that makes a review exit with findings. */
export type Gate = Severity | "any";

/** The values of `--fail-on`. */
export const gates: readonly Gate[] = [...severities.slice(0, 4), "any"];

/**
 * Sets the exit code. Proven findings come before undecided ones. An update that fails half-way is a finding at every severity, because
 * it removes access first. Without a gate, only a failed preview fails.
 *
 * @param isAsked whether the user has asked for the rights of an identity, which makes a refused call a finding. Default: false
 * @throws PlatformError `INVALID_INPUT` if the preview failed
 */
// See docs/decisions/0048-whose-rights-a-review-checks.md.
export function endAsGate(
  { errors, changes, undecided, rights, warnings }: Review,
  gate: Gate | undefined,
  isAsked = false,
): void {
  if (errors.length > 0)
    throw new PlatformError(
      "INVALID_INPUT",
      `The preview failed, so the review is incomplete. Do what the errors say, then review again:\n${listed(errors)}`,
    );
  if (gate === undefined) return;
  const least = gate === "any" ? severities.length : severities.indexOf(gate) + 1;
  const isRefused = isAsked && rights !== undefined && rights.refused.length > 0;
  const failures = warnings.filter(({ failsUpdate }) => failsUpdate);
  if (failures.length > 0) {
    process.exitCode = exitCode.findings;
    process.stderr.write(`The update will fail half-way:\n${listed(failures.map(({ message }) => oneLine(message)))}\n`);
  } else if (isRefused || changes.some(({ severity }) => severities.indexOf(severity) < least))
    process.exitCode = exitCode.findings;
  else if (undecided.length > 0) {
    process.exitCode = exitCode.undecided;
    const reasons = listed(undecided.map(({ what, reason }) => oneLine(`${what}: ${reason}`)));
    process.stderr.write(`Undecided: no change of --fail-on ${gate} is certain, but there may be one:\n${reasons}\n`);
  }
}

function listed(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}.`.replace(/([.!?])\.$/, "$1")).join("\n");
}

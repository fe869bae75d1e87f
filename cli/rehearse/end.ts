import { severities } from "../../access/severity";
import { exitCode } from "../shell/exit-codes";
import { oneLine } from "../text/one-line";
import type { Gate } from "../review/gate";
import type { Rehearsal } from "./rehearsal";

/** How a rehearsal is judged. */
interface Judging {
  readonly gate: Gate | undefined;
  /** Whether it differs from the file of `--like`. */
  readonly isOther: boolean;
}

/**
 * Sets the exit code. A difference from the file of `--like` is a finding. A failing update is a finding at every severity, because it may
 * leave access half-way. Something undecided may have caused the failure, so both together prove nothing.
 */
export function endRehearsal({ review: { errors, changes, undecided } }: Rehearsal, { gate, isOther }: Judging): void {
  const fails = errors.length > 0;
  if (isOther) {
    process.exitCode = exitCode.findings;
    return;
  }
  if (gate === undefined) {
    if (fails) process.exitCode = exitCode.failed;
    return;
  }
  const least = gate === "any" ? severities.length : severities.indexOf(gate) + 1;
  const isFound = changes.some(({ severity }) => severities.indexOf(severity) < least);
  if (isFound || (fails && undecided.length === 0)) process.exitCode = exitCode.findings;
  else if (undecided.length > 0) {
    process.exitCode = exitCode.undecided;
    const reasons = undecided.map(({ what, reason }) => `- ${oneLine(`${what}: ${reason}`)}.\n`);
    process.stderr.write(`Undecided: no change of --fail-on ${gate} is certain, but there may be one:\n${reasons.join("")}`);
  }
}

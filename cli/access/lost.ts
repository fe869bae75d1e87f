import type { AccessDocument } from "../documents/access";
import { exitCode } from "../shell/exit-codes";
import { notesText } from "../text/notes";

/**
 * Sets the exit code of a result that may lack roles or logins because a List failed. A missing right of these credentials is no failure,
 * because they never see more. Called before the output, because a reader may stop early and end the process.
 */
export function markFailed({ unreadable }: Pick<AccessDocument, "unreadable">, hasFailed: boolean): void {
  if (!hasFailed || unreadable.length === 0) return;
  process.exitCode = exitCode.failed;
  process.stderr.write(notesText(["Not everything could be read, so roles or logins may be missing. Run the command again."]));
}

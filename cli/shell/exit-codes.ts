import { PlatformError } from "../../provider/client/errors";

/** The exit codes. Pipelines depend on them, so they are part of the public contract (docs/commands/index.md#exit-codes). */
export const exitCode = {
  /** Done. A command that looks for findings has examined everything and found none. */
  ok: 0,
  /** Failed, or could not decide. */
  failed: 1,
  /** The command line is wrong, and nothing was done. */
  usage: 2,
  /** Done, with findings. The shell, Node.js and the engine do not use this code. */
  findings: 7,
  /** Done. No finding is proven, but not everything could be decided. */
  undecided: 8,
} as const;

/** A wrong command line. The user sees only the message. */
export class UsageError extends PlatformError {
  constructor(message: string) {
    super("INVALID_INPUT", message);
  }
}

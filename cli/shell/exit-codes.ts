import { PlatformError } from "../../provider/client/errors";

/** How a command ends. Pipelines gate on these: they are part of the public contract (docs/commands/index.md#exit-codes). */
export const exitCode = {
  /** Done. Where a command looks for findings: there are none, and everything was looked at. */
  ok: 0,
  /** Failed, or could not tell. */
  failed: 1,
  /** The command line is wrong; nothing was done. */
  usage: 2,
  /** Done, and there are findings. Not a code that the shell, Node.js or the engine uses. */
  findings: 7,
  /** Done; no finding is proven, and not everything could be decided. */
  undecided: 8,
} as const;

/** A command line that is wrong: the message is all that its user sees. */
export class UsageError extends PlatformError {
  constructor(message: string) {
    super("INVALID_INPUT", message);
  }
}

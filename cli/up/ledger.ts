import { PlatformError } from "../../provider/client/errors";
import { literal } from "../../provider/client/printable";
import { version } from "../../provider/client/version";
import type { LedgerDocument } from "../documents/ledger";

/** The run that is about to start. */
export interface Starting {
  /** As project/stack. */
  readonly stack: string;
  readonly platform: string;
  /** Uid of the identity of the credentials; undefined if it is not known. */
  readonly identity: string | undefined;
  /** The platform's time in milliseconds since 1970. */
  readonly now: number;
}

/** Requires the run to be the rehearsed one. @throws PlatformError `NOT_REHEARSED` with the first difference */
export function verifyStarting(ledger: LedgerDocument, run: Starting): void {
  const compared = [
    ["release of pulumi-platform", ledger.release, version, ""],
    ["stack", ledger.stack, run.stack, ""],
    ["platform", ledger.platform, run.platform, ""],
    ["identity", ledger.identity, run.identity, " `rehearse --as` names the identity that will run the update."],
  ] as const;
  const shown = (value: string | undefined) => (value === undefined ? "not known" : literal(value));
  for (const [what, rehearsed, now, advice] of compared)
    if (rehearsed === undefined || rehearsed !== now)
      throw notStarted(`The ${what} was ${shown(rehearsed)} in the rehearsal and is ${shown(now)}.${advice}`);
  // A text that is no time has expired.
  if (!(run.now < Date.parse(ledger.expires))) throw notStarted(`The file expired at ${ledger.expires}.`);
}

function notStarted(problem: string): PlatformError {
  return new PlatformError("NOT_REHEARSED", `${problem} Nothing was started. Rehearse again, and use the new file.`);
}

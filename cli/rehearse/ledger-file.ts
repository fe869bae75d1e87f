import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { messageOf, PlatformError } from "../../provider/client/errors";
import { printable } from "../../provider/client/printable";
import { version } from "../../provider/client/version";
import { ledgerOf } from "../../rehearse/ledger";
import { documentVersion } from "../documents/document";
import type { LedgerDocument } from "../documents/ledger";
import { UsageError } from "../shell/exit-codes";
import { jsonText } from "../text/json-text";
import type { Rehearsal } from "./rehearsal";

/** The hours in `--expires`. @throws UsageError */
export function hoursIn(text: string): number {
  const hours = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || hours <= 0 || hours > 24 * 365)
    throw new UsageError(`--expires takes a number of hours, at most a year, not ${JSON.stringify(text)}.`);
  return hours;
}

/** How a ledger is saved. */
interface Saving {
  readonly hours: number;
  /** Whether it is written in spite of errors and of undecided parts. */
  readonly anyway: boolean;
}

/** Removes the file of an earlier rehearsal, which must not pass for that of this one. @throws PlatformError `INVALID_INPUT` */
export function removeLedger(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw new PlatformError("INVALID_INPUT", `Remove ${printable(file)}: ${messageOf(error)}`);
  }
}

/** Writes the calls that may give access, readable by this user alone. @returns whether the file was written */
export function saveLedger(file: string, rehearsal: Rehearsal, { hours, anyway }: Saving): boolean {
  const { errors, undecided } = rehearsal.review;
  if (!anyway && errors.length + undecided.length > 0) return false;
  const made = Date.now();
  const commit = commitHere();
  const ledger: LedgerDocument = {
    version: documentVersion,
    organizations: [...rehearsal.organizations],
    platform: rehearsal.platform,
    stack: `${rehearsal.source.project}/${rehearsal.source.stack}`,
    command: rehearsal.command,
    arguments: [...rehearsal.args],
    release: version,
    ...(commit !== undefined && { commit }),
    made: new Date(made).toISOString(),
    expires: new Date(made + hours * 3_600_000).toISOString(),
    errors: [...errors],
    undecided: undecided.map(({ what, reason }) => ({ what, reason })),
    ...(rehearsal.identity !== undefined && { identity: rehearsal.identity }),
    ...ledgerOf(rehearsal),
  };
  try {
    writeFileSync(file, `${jsonText(ledger, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new PlatformError("INVALID_INPUT", `Write ${printable(file)}: ${messageOf(error)}`);
  }
  return true;
}

/** The commit of the working directory, with `+` if files have changed since; undefined without git. */
function commitHere(): string | undefined {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    return `${git("rev-parse", "HEAD")}${git("status", "--porcelain", "--", ".") === "" ? "" : "+"}`;
  } catch {
    return undefined;
  }
}

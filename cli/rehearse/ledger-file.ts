import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { messageOf, PlatformError } from "../../provider/client/errors";
import { literal, printable } from "../../provider/client/printable";
import { version } from "../../provider/client/version";
import { ledgerOf } from "../../rehearse/ledger";
import { documentVersion } from "../documents/document";
import { ledgerDocument, type LedgerDocument } from "../documents/ledger";
import { UsageError } from "../shell/exit-codes";
import { readText, valueOf } from "../shell/files";
import { jsonText } from "../text/json-text";
import type { Rehearsal } from "./rehearsal";

/** The hours in `--expires`. @throws UsageError */
export function hoursIn(text: string): number {
  const hours = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || hours <= 0 || hours > 24 * 365)
    throw new UsageError(`--expires takes a number of hours, at most a year, not ${JSON.stringify(text)}.`);
  return hours;
}

/** Reads the file of a rehearsal. @throws PlatformError `INVALID_INPUT` */
export async function readLedger(file: string): Promise<LedgerDocument> {
  const { data, error } = ledgerDocument.safeParse(valueOf(await readText(file)));
  if (error !== undefined) {
    const why = "It is not a file of `pulumi-platform rehearse --save`, or one of another release.";
    throw new PlatformError("INVALID_INPUT", `Read ${literal(file)}: ${why}`);
  }
  return data;
}

/** Removes the file of an earlier rehearsal, which must not pass for that of this one. @throws PlatformError `INVALID_INPUT` */
export function removeLedger(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw new PlatformError("INVALID_INPUT", `Remove ${printable(file)}: ${messageOf(error)}`);
  }
}

/** The ledger of a rehearsal, valid for so many hours. */
export function ledgerDocumentOf(rehearsal: Rehearsal, hours: number): LedgerDocument {
  const { errors, undecided } = rehearsal.review;
  const made = Date.now();
  const commit = commitHere();
  return {
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
}

/**
 * Writes the calls that may give access, readable by this user alone.
 *
 * @param anyway whether they are written in spite of errors and of undecided parts
 * @returns whether the file was written
 */
export function saveLedger(file: string, ledger: LedgerDocument, anyway: boolean): boolean {
  if (!anyway && ledger.errors.length + ledger.undecided.length > 0) return false;
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

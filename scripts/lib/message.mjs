import { constants } from "node:os";
import { clearInterval, setInterval } from "node:timers";

/** A failure with a message for the user, which has the failure, its reason and the remedy. Printed without a stack. */
export class Failure extends Error {}

/** Thrown from waits after a signal asked this command to stop, so that `finally` blocks clean up. */
export class Interrupted extends Error {
  constructor(signal) {
    super(`Stopped by ${signal}.`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** Prints one line of progress to stderr, so that the output of `npm run --silent pulumi -- stack output --json` stays clean. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** 74000 -> "1 m 14 s". */
function elapsed(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
}

/** Prints the current work, the elapsed time every 15 seconds, and the total. */
export async function announce(what, work) {
  const started = Date.now();
  say(`${what} ...`);
  const ticker = setInterval(() => say(`  still running after ${elapsed(Date.now() - started)}: ${what}`), 15_000);
  try {
    const result = await work();
    if (Date.now() - started > 2_000) say(`  done in ${elapsed(Date.now() - started)}`);
    return result;
  } finally {
    clearInterval(ticker);
  }
}

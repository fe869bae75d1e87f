import { constants } from "node:os";
import { clearInterval, setInterval } from "node:timers";

/** A failure whose message is written for the person at the terminal: what failed, why, what to do. Shown without a stack. */
export class Failure extends Error {}

/** Thrown out of waits once a signal asked this command to stop; `finally` blocks then clean up. */
export class Interrupted extends Error {
  constructor(signal) {
    super(`Stopped by ${signal}.`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** Says one line of progress. On stderr, so that `npm run --silent pulumi -- stack output --json` stays clean. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** 74000 -> "1 m 14 s". */
function elapsed(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
}

/** Says what is being done, every 15 seconds for how long, and at the end how long it took. */
export async function announce(what, work) {
  const started = Date.now();
  say(`${what} ...`);
  const ticker = setInterval(() => say(`  still at it after ${elapsed(Date.now() - started)}: ${what}`), 15_000);
  try {
    const result = await work();
    if (Date.now() - started > 2_000) say(`  done in ${elapsed(Date.now() - started)}`);
    return result;
  } finally {
    clearInterval(ticker);
  }
}

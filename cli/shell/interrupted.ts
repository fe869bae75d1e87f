import { constants } from "node:os";

/** Runs `work`, which ends in an orderly way on Ctrl-C and SIGTERM. The process then ends with that signal's code. */
export async function interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  let caught: "SIGINT" | "SIGTERM" | undefined;
  const abort = (signal: "SIGINT" | "SIGTERM") => {
    caught = signal;
    controller.abort(new Error(`ended by ${signal}`));
  };
  process.on("SIGINT", abort).on("SIGTERM", abort);
  try {
    return await work(controller.signal);
  } finally {
    process.removeListener("SIGINT", abort).removeListener("SIGTERM", abort);
    // The folder is removed and no process is left, so nothing is to be waited for.
    if (caught !== undefined) process.exit(128 + constants.signals[caught]);
  }
}

import { PlatformError } from "../../client/errors";

/**
 * The result of `work`, for a caller that stops waiting when `signal` aborts. The work itself goes on: others may share it.
 *
 * @throws PlatformError `CALLER_ABORTED`
 */
export async function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      reject(new PlatformError("CALLER_ABORTED", "The time for this create is up."));
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

import { PlatformError } from "../../client/errors";

/**
 * The result of `work`, until `signal` aborts. The work itself continues, because others may share it.
 *
 * @throws PlatformError `CALLER_ABORTED`
 */
export async function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      reject(new PlatformError("CALLER_ABORTED", "The time limit of this create has passed."));
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

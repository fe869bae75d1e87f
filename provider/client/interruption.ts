import { AsyncLocalStorage } from "node:async_hooks";
import { PlatformError } from "./errors";

/** The signals that may end the work for a call of the engine early. */
export interface Interruption {
  /** Ends waits, retries and reads. Later requests of the work are not sent. */
  readonly waits: AbortSignal;
  /** Also ends requests that change something, whose outcome is then unknown. Never aborts before {@link waits}. */
  readonly sent: AbortSignal;
  /** The interruption of work that other calls share. Default: none. */
  readonly shared?: Interruption;
}

const current = new AsyncLocalStorage<Interruption | undefined>();

/** Runs `work`, whose calls of the platform end with `interruption`. */
export function interruptedBy<Result>(interruption: Interruption, work: () => Promise<Result>): Promise<Result> {
  return current.run(interruption, work);
}

/**
 * `own`, combined with the signal that interrupts the current call of the engine.
 *
 * @param what see {@link Interruption}
 */
export function interruptionOf(what: "waits" | "sent", own?: AbortSignal): AbortSignal | undefined {
  const ambient = current.getStore()?.[what];
  return own && ambient ? AbortSignal.any([own, ambient]) : (own ?? ambient);
}

/** Runs `work` shared by other calls. An interruption of the starting call does not end the work for the others. */
export function forOthersToo<Result>(work: () => Result): Result {
  const shared = current.getStore()?.shared;
  // Work that it shares in turn ends with the same interruption.
  return current.run(shared && { ...shared, shared }, work);
}

/**
 * The result of `work`, which others share, unless the current call of the engine is interrupted first. The work itself continues.
 *
 * @throws PlatformError `CALLER_ABORTED`
 */
export async function untilInterrupted<Result>(work: Promise<Result>): Promise<Result> {
  const signal = current.getStore()?.waits;
  return signal === undefined ? work : unlessAborted(work, signal, (reason) => reason);
}

/**
 * The result of `work`, unless `signal` aborts first. The work itself continues, because others may share it.
 *
 * @param message of the error, made from the reason
 * @throws PlatformError `CALLER_ABORTED`
 */
export async function unlessAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
  message: (reason: string) => string,
): Promise<Result> {
  if (signal === undefined) return work;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new PlatformError("CALLER_ABORTED", message(whyAborted(signal))));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Why `signal` was aborted, as a sentence. */
export function whyAborted({ reason }: AbortSignal): string {
  return PlatformError.isInstance(reason) ? reason.message : "Cancelled.";
}

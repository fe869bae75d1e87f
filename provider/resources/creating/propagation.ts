import { hasCode, isNotFound, type PlatformError } from "../../client/errors";
import { delayBefore } from "../../client/retry";
import { retried } from "../../client/wait";
import type { Inputs } from "../../schema/kind";
import type { Run } from "../run/run";

/**
 * Runs a create or an update that may reference objects which this run has just created. Until they have propagated, the platform may
 * answer 403 or 404, and a token may contain a snapshot of its bindings (docs/platform-api.md#propagation). The call is retried for a
 * bounded time, with one fresh token. For objects that existed before, 403 and 404 are final.
 *
 * @param sent what the call sends
 */
export async function afterPropagation<Result>(
  sent: Inputs,
  run: Run,
  signal: AbortSignal | undefined,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const { client } = run;
  if (!run.ledger.created.areNamedIn(sent)) return attempt();
  const delayMs = (error: PlatformError, { count }: { count: number }) => delayBefore(count, error, client.timing);
  const wait = { timeoutMs: client.timing.propagationMs, delayMs, signal, clock: client.clock };
  const isPending = (error: unknown): error is PlatformError => hasCode(error, "PERMISSION_DENIED") || isNotFound(error);
  return retried(wait, isPending, async ({ count }) => {
    if (count === 2) await client.renewToken();
    return attempt();
  });
}

import { hasCode, type PlatformError } from "../../client/errors";
import { delayBefore } from "../../client/retry";
import { pollUntil } from "../../client/wait";
import type { Inputs } from "../../kinds/kind";
import type { Run } from "../run";
import { isNotFound } from "../visibility";

/**
 * Runs a create that may reference objects which this run has just created. Until they have propagated, the platform may answer 403 or
 * 404, and a token may contain a snapshot of its bindings (docs/platform-api.md#propagation). Such a create is retried for a bounded
 * time, with one fresh token. For objects that existed before, 403 and 404 are final.
 */
export async function afterPropagation<Result>(
  run: Run,
  inputs: Inputs,
  signal: AbortSignal,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const { client, created } = run;
  const namesOwn = Object.values(inputs).some((value) => typeof value === "string" && created.hasUid(value));
  if (!namesOwn) return attempt();
  const delayMs = (error: PlatformError, { count }: { count: number }) => delayBefore(count, error, client.timing);
  const end = await pollUntil({ timeoutMs: client.timing.propagationMs, delayMs, signal }, async ({ count }) => {
    if (count === 2) await client.renewToken();
    try {
      return { state: "target", value: await attempt() } as const;
    } catch (error) {
      if (!hasCode(error, "PERMISSION_DENIED") && !isNotFound(error)) throw error;
      return { state: "pending", reason: error } as const;
    }
  });
  if (end.state === "timeout") throw end.reason;
  return end.value;
}

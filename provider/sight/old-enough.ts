import { isNotFound, type PlatformError } from "../client/errors";
import type { PlatformClient } from "../client/client";
import { retried } from "../client/wait";

/** The known facts about an object that may be missing. */
interface Known {
  /** The time of its creation, RFC 3339. Any other value means long ago. */
  readonly createTime?: unknown;
}

/** Milliseconds until every answer shows an existing object; at most 0 for an object old enough or of unknown age. */
export function youngForMs({ createTime }: Known, client: Pick<PlatformClient, "serverTime" | "timing">): number {
  const created = typeof createTime === "string" ? Date.parse(createTime) : NaN;
  // Without the platform's time from an answer, wait the whole time, because the object was in state before the call.
  return Number.isNaN(created) ? 0 : created + client.timing.propagationMs - (client.serverTime() ?? created);
}

/**
 * The outcome of `attempt`, a read or DELETE of an object in state. A "not found" is final only when the object is so old that every
 * answer shows it. Until then, GET and List may both lag behind its create and agree on its absence (docs/platform-api.md#propagation).
 * Meanwhile `attempt` is repeated.
 */
export async function onceOldEnough<Result>(
  known: Known,
  client: Pick<PlatformClient, "clock" | "serverTime" | "timing">,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const { clock, timing } = client;
  const delayMs = (_error: PlatformError, { count }: { count: number }) =>
    Math.min(youngForMs(known, client), timing.longestDelayMs, timing.firstDelayMs * 2 ** (count - 1));
  const wait = { timeoutMs: timing.propagationMs, delayMs, lastProbe: "at timeout", clock } as const;
  const isPending = (error: unknown): error is PlatformError => isNotFound(error) && youngForMs(known, client) > 0;
  return retried(wait, isPending, attempt);
}

import { setTimeout as sleep } from "node:timers/promises";
import { hasCode } from "../../client/errors";
import { delayBefore } from "../../client/retry";
import { isNotFound } from "../visibility";
import type { Inputs } from "../../kinds/kind";
import type { Run } from "../run";

/**
 * Runs a create that may name objects which this run has just made. The platform may answer 403 or 404 until it knows them
 * everywhere, and a token may hold a snapshot of its bindings (API-FACTS §6, §11): such an answer is waited out, bounded, with one
 * fresh token. About objects that were there before, 403 and 404 are final at once.
 */
export async function afterPropagation<Result>(run: Run, inputs: Inputs, attempt: () => Promise<Result>): Promise<Result> {
  const { client } = run;
  const namesOwn = Object.values(inputs).some((value) => typeof value === "string" && run.created.hasUid(value));
  const end = performance.now() + client.timing.propagationMs;
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!namesOwn || !(hasCode(error, "PERMISSION_DENIED") || isNotFound(error))) throw error;
      const delay = delayBefore(attempts, error, client.timing);
      if (performance.now() + delay >= end) throw error;
      if (attempts === 1) await client.renewToken();
      await sleep(delay);
    }
  }
}

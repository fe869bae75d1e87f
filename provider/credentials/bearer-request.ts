import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { parseAnswer, parseAs } from "../client/answer";
import { PlatformError } from "../client/errors";
import { send } from "../client/http";
import { defaultTiming, delayBefore, isWorthRetrying, type Timing } from "../client/retry";

const maxAttempts = 3;

/** The longest wait that a server may ask for, in milliseconds; one that asks for more is not waited for. */
const longestWaitMs = 60_000;

/**
 * The JSON that `url` answers to `bearer`, as `schema` says. No part of a successful answer comes into
 * a message, for it holds a token.
 *
 * @throws PlatformError of the last of three attempts
 */
export async function getWithBearer<Shape>(
  url: URL,
  bearer: string,
  schema: z.ZodType<Shape>,
  timing: Timing = defaultTiming,
): Promise<Shape> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await getOnce(url, bearer, schema, timing.attemptMs);
    } catch (error) {
      // Nothing was minted, or minting once more does no harm (API-FACTS §6).
      if (attempt === maxAttempts || !isWorthRetrying(error, "repeatable")) throw error;
      const delay = delayBefore(attempt, error, timing);
      if (delay > longestWaitMs) throw error;
      await sleep(delay);
    }
  }
}

async function getOnce<Shape>(url: URL, bearer: string, schema: z.ZodType<Shape>, timeoutMs: number): Promise<Shape> {
  const what = `GET ${url.origin}${url.pathname}`;
  const response = await send({
    method: "GET",
    url,
    headers: { accept: "application/json", authorization: `Bearer ${bearer}` },
    timeoutMs,
  });
  if (response.status >= 200 && response.status < 300 && !isJson(response.text)) {
    const type = response.headers["content-type"] ?? "no content type";
    throw new PlatformError("UNEXPECTED_ANSWER", `${what}: HTTP ${response.status} with ${type} instead of a token in JSON.`);
  }
  return parseAs(schema, parseAnswer(response, what), what);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

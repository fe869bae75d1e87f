import type { z } from "zod";
import { parseAnswer, parseAs } from "../client/answer";
import { PlatformError } from "../client/errors";
import { send } from "../client/http";
import { defaultTiming, delayBefore, isWorthRetrying, retry, type Timing } from "../client/retry";

const maxAttempts = 3;

/** Longest delay that a server may ask for, in milliseconds. A request that asks for more fails at once. */
const longestWaitMs = 60_000;

/**
 * Sends a GET with `bearer` and parses the JSON of its answer by `schema`. Messages never quote a successful answer, which
 * contains a token. Repeating the request is harmless: at worst it mints another token.
 *
 * @throws PlatformError the last error of up to three attempts
 */
export async function getWithBearer<Shape>(
  url: URL,
  bearer: string,
  schema: z.ZodType<Shape>,
  timing: Timing = defaultTiming,
): Promise<Shape> {
  return retry(
    {
      isTransient: (error): error is PlatformError => isWorthRetrying(error, "repeatable"),
      timeoutMs: timing.budgetMs,
      delayMs: (error, { count }) => {
        const delay = delayBefore(count, error, timing);
        return count >= maxAttempts || delay > longestWaitMs ? Infinity : delay;
      },
    },
    () => getOnce(url, bearer, schema, timing.attemptMs),
  );
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
  return parseAs(schema, parseAnswer(response, what), what, "");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

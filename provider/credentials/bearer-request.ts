import type { z } from "zod";
import { parseAnswer, parseAs, tryJson } from "../client/answer";
import { PlatformError } from "../client/errors";
import { send } from "../client/http";
import { defaultTiming, type Timing, withRetries } from "../client/retry";

/**
 * Sends a GET with `bearer` and parses the JSON of its answer by `schema`. Messages never quote a successful answer, which contains a
 * token. The request is retried like a read of the API, because at worst a repetition mints another token.
 *
 * @throws PlatformError the last error
 */
export async function getWithBearer<Shape>(
  url: URL,
  bearer: string,
  schema: z.ZodType<Shape>,
  timing: Timing = defaultTiming,
): Promise<Shape> {
  return withRetries((timeLeft) => getOnce(url, bearer, schema, timeLeft()), { repetition: "repeatable", timing });
}

async function getOnce<Shape>(url: URL, bearer: string, schema: z.ZodType<Shape>, timeoutMs: number): Promise<Shape> {
  const what = `GET ${url.origin}${url.pathname}`;
  const response = await send({
    method: "GET",
    url,
    headers: { accept: "application/json", authorization: `Bearer ${bearer}` },
    timeoutMs,
  });
  if (response.status >= 200 && response.status < 300 && tryJson(response.text) === undefined) {
    const type = response.headers["content-type"] ?? "no content type";
    throw new PlatformError("UNEXPECTED_ANSWER", `${what}: HTTP ${response.status} with ${type} instead of a token in JSON.`);
  }
  return parseAs(schema, parseAnswer(response, what), what, "");
}

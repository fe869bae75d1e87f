import type { ApiVersion } from "../../provider/client/api-version";
import { PlatformClient } from "../../provider/client/client";
import type { Clock } from "../../provider/client/clock";
import { PlatformError } from "../../provider/client/errors";
import type { Timing } from "../../provider/client/retry";
import type { TokenSource } from "../../provider/client/token-source";
import { FakeClock } from "../support/fake-clock";
import type { Answer } from "../support/http-double";

/** A source of the one token that never changes. */
export function fixedToken(token = "api-token-of-tests"): TokenSource {
  return { token: () => Promise.resolve(token), forget: () => false };
}

/** The choices of a test for its client. */
export interface ClientChoices {
  timing?: Partial<Timing>;
  tokens?: TokenSource;
  apiVersion?: ApiVersion | "auto";
  concurrency?: number;
  /** Default: one that nobody waits for. */
  clock?: Clock;
}

/** A client of the platform at `url`. */
export function clientOf(
  url: string,
  { tokens = fixedToken(), apiVersion = "v2beta1", clock = new FakeClock(), ...more }: ClientChoices = {},
): PlatformClient {
  return new PlatformClient({ baseUrl: url, apiVersion, tokens, clock, ...more });
}

/** The platform's own error (docs/platform-api.md#error-body). */
export function rpcError(status: number, code: number, message = "no", details: unknown = []): Answer {
  return { status, body: { code, message, details } };
}

/** A group as the platform answers it. */
export function group(uid: string, more: object = {}): { uid: string } {
  return { uid, name: uid.replace(/.*\//, ""), ...more } as { uid: string };
}

/** The error of `action`, which must be a {@link PlatformError}. */
export async function errorOf(action: Promise<unknown> | (() => unknown)): Promise<PlatformError> {
  try {
    await (typeof action === "function" ? action() : action);
  } catch (error) {
    if (PlatformError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

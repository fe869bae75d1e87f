import { PlatformClient } from "../client/client";
import type { Timing } from "../client/retry";
import type { Configuration } from "./configuration";
import { createTokenSource, type TokenSourceOptions } from "./token-source";

/** What tests replace. */
export interface ConnectOptions extends TokenSourceOptions {
  timing?: Partial<Timing>;
}

/** A client of the configured platform. It fetches its first token on first use. */
export function connect(configuration: Configuration, options: ConnectOptions = {}): PlatformClient {
  const { baseUrl, apiVersion, concurrency, readOnly } = configuration;
  const tokens = createTokenSource(configuration, options);
  return new PlatformClient({
    baseUrl,
    apiVersion,
    concurrency,
    readOnly,
    tokens,
    ...(options.timing && { timing: options.timing }),
  });
}

import { PlatformClient } from "../client/client";
import type { Configuration } from "./configuration";
import { createTokenSource, type TokenSourceOptions } from "./token-source";

/** A client of the configured platform. It fetches its first token on first use. */
export function connect(configuration: Configuration, options: TokenSourceOptions = {}): PlatformClient {
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

import { PlatformClient } from "../client/client";
import type { Configuration } from "./configuration";
import { createTokenSource } from "./token-source";

/** A client of the configured platform that logs in as configured, on first use. */
export function connect(configuration: Configuration): PlatformClient {
  const { baseUrl, apiVersion } = configuration;
  return new PlatformClient({ baseUrl, apiVersion, tokens: createTokenSource(configuration) });
}

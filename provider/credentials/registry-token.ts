import { messageOf, PlatformError } from "../client/errors";
import type { RegistryToken, RegistryTokenRequest } from "../client/token-source";
import { credentialsError } from "./api-token";
import type { Configuration } from "./configuration";
import { isExchanged } from "./credential-source";
import { type ExchangeOptions, exchangeToken } from "./exchange";

/**
 * Exchanges the configured OIDC token for a token that a registry accepts.
 *
 * @throws PlatformError `CREDENTIALS`
 */
export async function fetchRegistryToken(
  configuration: Configuration,
  { registry, identity = configuration.identity }: RegistryTokenRequest,
  options: ExchangeOptions,
): Promise<RegistryToken> {
  const { credentials } = configuration;
  if (!isExchanged(credentials)) {
    throw credentialsError(
      `No token for the registry ${registry}: the API token of ${credentials.origin} is for the API and cannot be exchanged. Nothing was ` +
        "sent. Set PLATFORM_OIDC_TOKEN_FILE or PLATFORM_OIDC_TOKEN instead, so that an OIDC token is exchanged for each.",
    );
  }
  const { identity: _, ...others } = configuration;
  const wanted = { ...others, audience: registry, ...(identity !== undefined && { identity }) };
  try {
    const { token, expiresAt } = await exchangeToken(credentials, wanted, options);
    return { token, expiry: new Date(expiresAt).toISOString() };
  } catch (error) {
    if (!PlatformError.isInstance(error)) throw error;
    throw credentialsError(`Audience ${registry}, of the registry: ${messageOf(error)}`, error);
  }
}

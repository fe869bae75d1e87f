import { defaultTiming } from "../client/retry";
import { messageOf } from "../client/errors";
import { credentialsError } from "./api-token";
import type { Configuration } from "./configuration";
import { isExchanged } from "./credential-source";
import { exchangeToken } from "./exchange";
import type { TokenSourceOptions } from "./token-source";

/** A pull token to fetch. */
export interface RegistryTokenRequest {
  /** Host of the registry: the audience of the token (docs/platform-api.md#registry-tokens). */
  readonly registry: string;
  /** Uid of the identity to assume. Default: the configured one; without one the platform looks it up. */
  readonly identity?: string | undefined;
}

/** A token for a registry. */
export interface RegistryToken {
  readonly token: string;
  /** RFC 3339. */
  readonly expiry: string;
}

/**
 * Exchanges the configured OIDC token for one that a registry accepts. It is no API token: the API rejects its audience.
 *
 * @throws PlatformError `CREDENTIALS`
 */
export async function fetchRegistryToken(
  configuration: Configuration,
  { registry, identity = configuration.identity }: RegistryTokenRequest,
  { now = Date.now, timing }: TokenSourceOptions = {},
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
    const { token, expiresAt } = await exchangeToken(credentials, wanted, now, { ...defaultTiming, ...timing });
    return { token, expiry: new Date(expiresAt).toISOString() };
  } catch (error) {
    throw credentialsError(`Audience ${registry}, of the registry: ${messageOf(error)}`, error);
  }
}

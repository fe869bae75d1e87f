import { type Configuration, fetchRegistryToken } from "../credentials";
import { registryHost, someText, uid } from "../schema/inputs";
import type { Asked, ClientSource } from "../sources/source";

/** Credentials that a registry accepts until they expire. */
export interface RegistryToken {
  /** Host of the registry. */
  readonly registry: string;
  /** User name: the declared one, else `_token`. */
  readonly username: string;
  /** The pull token: a secret. */
  readonly password: string;
  /** When the token expires, RFC 3339: an hour after it was fetched, unless the platform says otherwise. */
  readonly expiry: string;
}

/** A data source that needs the credentials themselves. */
export interface CredentialsSource<Result> extends Omit<ClientSource<Result>, "read"> {
  /** Whether the result is a secret. */
  readonly isSecret: true;
  /**
   * Asks the platform.
   *
   * @throws PlatformError
   */
  read(asked: Asked, client: unknown, configuration: Configuration): Promise<Result>;
}

/** A pull token of an identity for a registry. */
export const registryToken: CredentialsSource<RegistryToken> = {
  call: "getRegistryCredentials",
  area: "registry",
  rules: () => ({ registry: registryHost, identity: uid.optional(), username: someText.optional() }),
  usage: "for which registry? Pass { registry }.",
  isSecret: true,
  async read(asked, _client, configuration) {
    const registry = registryHost.parse(asked["registry"]);
    const identity = uid.optional().parse(asked["identity"]);
    const { token, expiry } = await fetchRegistryToken(configuration, { registry, identity });
    return { registry, username: someText.default("_token").parse(asked["username"]), password: token, expiry };
  },
};

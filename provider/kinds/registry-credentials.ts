import { declareValue } from "../schema/declare";
import { filled, having, optional, output, text, time, uidOf } from "../schema/fields";
import { registryHost } from "../schema/inputs";

/** The user name if the program sets none. The token identifies the caller. */
export const anyUser = "_token";

/**
 * An identity's pull token for a registry, as user name and password. It stays the same from run to run; an `up` in the last half
 * hour of its life renews it.
 */
export const registryCredentials = declareValue({
  name: "RegistryCredentials",
  address: { noun: "registry credentials", area: "registry" },
  fields: {
    /** Host of the registry, with its port if it has one: `registry.example.com`. A change replaces the credentials. */
    registry: having({ immutable: true }, text(registryHost)),
    /** Uid of the identity to assume. A change replaces the credentials. Default: the configured one; without one the platform looks it up. */
    identity: having({ immutable: true }, optional(uidOf("identity"))),
    /** User name to return. The token alone identifies the caller. Default: `_token`. */
    username: filled(text()),
    /** The pull token, which is secret. */
    password: having({ secret: true }, output(text())),
    /** Time when the token expires, RFC 3339. It is an hour after the fetch, unless the platform says otherwise. */
    expiry: output(time()),
  },
});

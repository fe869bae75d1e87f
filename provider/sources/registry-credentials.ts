import { anyUser, registryCredentials as declared } from "../kinds/registry-credentials";
import type { OutputsOf } from "../schema/field";
import type { ClientSource } from "./source";

/** Credentials that a registry accepts until they expire. */
export interface RegistryCredentials extends OutputsOf<typeof declared.fields> {
  /** Host of the registry. */
  readonly registry: string;
  /** User name, which is the declared one or `_token`. */
  readonly username: string;
}

/** A pull token of an identity for a registry. */
export const registryCredentials: ClientSource<RegistryCredentials> = {
  call: "getRegistryCredentials",
  area: "registry",
  rules: () => declared.inputs.shape,
  usage: "for which registry? Pass { registry }.",
  isSecret: true,
  async read({ registry: host, identity, username = anyUser }, client) {
    const registry = String(host);
    const { token, expiry } = await client.registryToken({ registry, ...(typeof identity === "string" && { identity }) });
    return { registry, username: String(username), password: token, expiry };
  },
};

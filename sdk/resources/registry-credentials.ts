import { registryCredentials } from "../../provider/kinds/registry-credentials";
import { type ArgsOf, type OutputsOf, valueClass, type ValueClass } from "./declared";

/** The arguments of {@link RegistryCredentials}. */
export type RegistryCredentialsArgs = ArgsOf<typeof registryCredentials>;

/** The outputs of {@link RegistryCredentials} besides `uid`. */
export interface RegistryCredentials extends OutputsOf<typeof registryCredentials> {}

// Annotated, so that the emitted types keep the doc comments of the declaration.
const RegistryCredentialsResource: ValueClass<typeof registryCredentials> = valueClass(registryCredentials);

/**
 * An identity's pull token for a registry, as user name and password. It stays the same from run to run; an `up` in the last half
 * hour of its life renews it.
 *
 * @example
 * ```ts
 * import { RegistryCredentials } from "pulumi-platform";
 *
 * const puller = new RegistryCredentials("puller", {
 *   registry: "registry.example.com",
 *   identity: "0123456789abcdef0123456789abcdef01234567/0123456789abcdef",
 * });
 * export const password = puller.password;
 * ```
 */
export class RegistryCredentials extends RegistryCredentialsResource {}

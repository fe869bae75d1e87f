import { type RegistryCredentials as Credentials, registryCredentials } from "../../provider/sources/registry-credentials";
import * as data from "../functions/data-sources";
import { type ArgsOf, type OutputsOf, valueClass } from "../resources/declared";

/** The arguments of {@link RegistryCredentials}. */
export type RegistryCredentialsArgs = ArgsOf<"registryCredentials">;

/** The outputs of {@link RegistryCredentials} besides `uid`. */
export interface RegistryCredentials extends OutputsOf<"registryCredentials"> {}

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
export class RegistryCredentials extends valueClass("registryCredentials") {}

/** For which registry, and as which identity. */
export interface GetRegistryCredentialsArgs {
  /** Host of the registry, with its port if it has one: `registry.example.com`. */
  registry: string;
  /** Uid of the identity to assume. Default: the configured one; without one the platform looks it up. */
  identity?: string | undefined;
  /** User name to return. The token alone identifies the caller. Default: `_token`. */
  username?: string | undefined;
}

/** Credentials that a registry accepts until they expire. */
export interface GetRegistryCredentialsResult extends Credentials {}

/**
 * An identity's pull token for a registry, as user name and password. Each call fetches a new token, in previews too, so a resource
 * that stores it, such as a secret of a cluster, changes in every run. As an output the result is a secret; as a plain value it is not
 * marked as one.
 *
 * @example
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import { getRegistryCredentials } from "pulumi-platform";
 *
 * export async function pullPassword(): Promise<pulumi.Output<string>> {
 *   const { password } = await getRegistryCredentials({ registry: "registry.example.com" });
 *   return pulumi.secret(password);
 * }
 * ```
 */
export const getRegistryCredentials: data.GetFunction<GetRegistryCredentialsArgs, GetRegistryCredentialsResult> =
  data.plainForm(registryCredentials);

/**
 * {@link getRegistryCredentials} for arguments that may be outputs. The whole result is secret.
 *
 * @example
 * ```ts
 * import { getRegistryCredentialsOutput } from "pulumi-platform";
 *
 * const credentials = getRegistryCredentialsOutput({
 *   registry: "registry.example.com",
 *   identity: "0123456789abcdef0123456789abcdef01234567/0123456789abcdef",
 * });
 * export const expiry = credentials.expiry;
 * ```
 */
export const getRegistryCredentialsOutput: data.GetOutputFunction<GetRegistryCredentialsArgs, GetRegistryCredentialsResult> =
  data.outputForm(registryCredentials);

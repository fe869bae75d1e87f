import { type RegistryCredentials, registryCredentials } from "../../provider/sources/registry-credentials";
import type { GetFunction } from "./data-sources";
import { type GetOutputFunction, outputForm } from "./output-form";
import { plainForm } from "./source";

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
export interface GetRegistryCredentialsResult extends RegistryCredentials {}

/**
 * An identity's pull token for a registry, as user name and password. Each call fetches a new token, in previews too, so a resource
 * that stores it, such as a secret of a cluster, changes in every run. The result is a plain value: mark the password with
 * `pulumi.secret` before it reaches a resource, or use {@link getRegistryCredentialsOutput}.
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
export const getRegistryCredentials: GetFunction<GetRegistryCredentialsArgs, GetRegistryCredentialsResult> =
  plainForm(registryCredentials);

/**
 * {@link getRegistryCredentials} for arguments that may be outputs. The whole result is secret.
 *
 * @example
 * ```ts
 * import { getRegistryCredentialsOutput } from "pulumi-platform";
 *
 * export const credentials = getRegistryCredentialsOutput({
 *   registry: "registry.example.com",
 *   identity: "0123456789abcdef0123456789abcdef01234567/0123456789abcdef",
 * });
 * ```
 */
export const getRegistryCredentialsOutput: GetOutputFunction<GetRegistryCredentialsArgs, GetRegistryCredentialsResult> =
  outputForm(registryCredentials);

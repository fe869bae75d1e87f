import type * as pulumi from "@pulumi/pulumi";
import { type RegistryToken, registryToken } from "../../provider/host/registry-token-source";
import * as data from "../functions/data-sources";
import { hasType, PlatformResource, type ResourceType } from "../resources/resource";

/** The arguments of {@link RegistryCredentials}. */
export interface RegistryCredentialsArgs {
  /** Host of the registry, with its port if it has one: `registry.example.com`. A change replaces the credentials. */
  registry: pulumi.Input<string>;
  /** Uid of the identity to assume. A change replaces the credentials. Default: the configured one; without one the platform looks it up. */
  identity?: pulumi.Input<string | undefined>;
  /** User name to return. The token alone identifies the caller. Default: `_token`. */
  username?: pulumi.Input<string | undefined>;
}

const type: ResourceType = {
  token: "pulumi-nodejs:dynamic/platform/registry:RegistryCredentials",
  served: "registryCredentials",
  outputs: ["registry", "identity", "username", "password", "expiry"],
  secrets: [["password"]],
};

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
export class RegistryCredentials extends PlatformResource {
  /** The type of the resource, as in its URN. */
  static readonly __pulumiType: string = type.token;

  /** Host of the registry. */
  declare readonly registry: pulumi.Output<string>;
  /** Uid of the identity; undefined for the configured one. */
  declare readonly identity: pulumi.Output<string | undefined>;
  /** User name: the declared one, else `_token`. */
  declare readonly username: pulumi.Output<string>;
  /** The pull token: a secret, encrypted in state. */
  declare readonly password: pulumi.Output<string>;
  /** When the token expires, RFC 3339. */
  declare readonly expiry: pulumi.Output<string>;

  /**
   * @param name the unique name of the resource in the program
   * @throws pulumi.RunError for an option that has no effect
   */
  constructor(name: string, args: RegistryCredentialsArgs, opts?: pulumi.CustomResourceOptions) {
    super(type, name, args, opts);
  }

  /** Returns true for a resource of this class, also one that another copy of the package constructed. */
  static override isInstance(obj: unknown): obj is RegistryCredentials {
    return hasType(obj, type);
  }
}

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
export interface GetRegistryCredentialsResult extends RegistryToken {}

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
export const getRegistryCredentials: data.GetFunction<GetRegistryCredentialsArgs, GetRegistryCredentialsResult> =
  data.plainForm(registryToken);

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
export const getRegistryCredentialsOutput: data.GetOutputFunction<GetRegistryCredentialsArgs, GetRegistryCredentialsResult> =
  data.outputForm(registryToken);

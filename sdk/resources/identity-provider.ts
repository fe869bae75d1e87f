import { identityProvider } from "../../provider/kinds/identity-provider";
import { type ArgsOf, type OutputsOf, resourceClass, type ResourceClass } from "./declared";

/** The OpenID Connect issuer of an identity provider, and how the platform is registered there. */
export type Oidc = NonNullable<(typeof identityProvider)["fields"]["oidc"]["value"]>;

/** The arguments of an {@link IdentityProvider}. */
export type IdentityProviderArgs = ArgsOf<typeof identityProvider>;

/** The outputs of an {@link IdentityProvider} besides `uid`. */
export interface IdentityProvider extends OutputsOf<typeof identityProvider> {}

// Annotated, so that the emitted types keep the doc comments of the declaration.
const IdentityProviderResource: ResourceClass<typeof identityProvider> = resourceClass(identityProvider);

/**
 * An identity provider: where people sign in, and which role they get when they first do.
 *
 * @example
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import { getRoleOutput, IdentityProvider } from "pulumi-platform";
 *
 * export const staff = new IdentityProvider("staff", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   defaultRole: getRoleOutput({ name: "viewer" }).uid,
 *   oidc: {
 *     issuer: "https://login.example.com",
 *     clientId: "platform",
 *     clientSecret: new pulumi.Config().requireSecret("clientSecret"),
 *     groupsClaim: "groups",
 *   },
 * });
 * ```
 */
export class IdentityProvider extends IdentityProviderResource {}

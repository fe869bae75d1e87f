import * as data from "../functions/data-sources";
import { type ArgsOf, type Given, type OutputsOf, resourceClass } from "../resources/declared";

/** The OpenID Connect issuer of an identity provider, and how the platform is registered there. */
export type Oidc = Given<"identityProvider", "oidc">;

/** The arguments of an {@link IdentityProvider}. */
export type IdentityProviderArgs = ArgsOf<"identityProvider">;

/** The outputs of an {@link IdentityProvider} besides `uid`. */
export interface IdentityProvider extends OutputsOf<"identityProvider"> {}

/**
 * An identity provider, where people sign in and get a role at their first sign-in.
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
export class IdentityProvider extends resourceClass("identityProvider") {}

/** Which identity provider: by its uid or by its name. */
export type GetIdentityProviderArgs = data.GetArgsOf<"identityProvider">;

/** An identity provider as the platform returns it. */
export interface GetIdentityProviderResult extends data.GetResultOf<"identityProvider"> {}

const { one, oneOutput, all, allOutput } = data.dataSources("identityProvider");

/**
 * One identity provider, by its uid or by its name.
 *
 * @example
 * ```ts
 * import { getIdentityProviderOutput } from "pulumi-platform";
 *
 * export const defaultRole = getIdentityProviderOutput({ name: "corporate" }).defaultRole;
 * ```
 */
export const getIdentityProvider: data.GetFunction<GetIdentityProviderArgs, GetIdentityProviderResult> = one;

/** {@link getIdentityProvider} for arguments that may be outputs. */
export const getIdentityProviderOutput: data.GetOutputFunction<GetIdentityProviderArgs, GetIdentityProviderResult> = oneOutput;

/** Filters and order of {@link getIdentityProviders}. */
export type GetIdentityProvidersArgs = data.ListArgsOf<"identityProvider">;

/** The result of {@link getIdentityProviders}. */
export interface GetIdentityProvidersResult extends data.ListResultOf<"identityProvider"> {}

/**
 * Every identity provider that the filters select. Fails on platforms whose List of identity providers does not work.
 *
 * @example
 * ```ts
 * import { getIdentityProvidersOutput } from "pulumi-platform";
 *
 * export const providers = getIdentityProvidersOutput({ descendantsOf: "0123456789abcdef0123456789abcdef01234567" });
 * ```
 */
export const getIdentityProviders: data.ListFunction<GetIdentityProvidersArgs, GetIdentityProvidersResult> = all;

/** {@link getIdentityProviders} for arguments that may be outputs. */
export const getIdentityProvidersOutput: data.ListOutputFunction<GetIdentityProvidersArgs, GetIdentityProvidersResult> =
  allOutput;

import { identityProvider } from "../../provider/kinds/identity-provider";
import {
  dataSources,
  type GetArgsOf,
  type GetFunction,
  type GetResultOf,
  type ListArgsOf,
  type ListFunction,
  type ListResultOf,
} from "./data-sources";
import type { GetOutputFunction, ListOutputFunction } from "./output-form";

const identityProviders = dataSources(identityProvider);

/** Which identity provider: by its uid or by its name. */
export type GetIdentityProviderArgs = GetArgsOf<typeof identityProvider>;

/** An identity provider as the platform returns it. */
export interface GetIdentityProviderResult extends GetResultOf<typeof identityProvider> {}

/**
 * One identity provider, by its uid or by its name.
 *
 * @example
 * ```ts
 * import { getIdentityProviderOutput } from "pulumi-platform";
 *
 * export const issuer = getIdentityProviderOutput({ name: "corporate" }).oidc.apply((oidc) => oidc?.issuer);
 * ```
 */
export const getIdentityProvider: GetFunction<GetIdentityProviderArgs, GetIdentityProviderResult> = identityProviders.one;

/** {@link getIdentityProvider} for arguments that may be outputs. */
export const getIdentityProviderOutput: GetOutputFunction<GetIdentityProviderArgs, GetIdentityProviderResult> =
  identityProviders.oneOutput;

/** Filters and order of {@link getIdentityProviders}. */
export type GetIdentityProvidersArgs = ListArgsOf<typeof identityProvider>;

/** The result of {@link getIdentityProviders}. */
export interface GetIdentityProvidersResult extends ListResultOf<typeof identityProvider> {}

/**
 * Every identity provider that the filters select. Fails on platforms whose List of identity providers does not work.
 *
 * @example
 * ```ts
 * import { getIdentityProvidersOutput } from "pulumi-platform";
 *
 * const all = getIdentityProvidersOutput({ descendantsOf: "0123456789abcdef0123456789abcdef01234567" });
 * export const issuers = all.identityProviders.apply((providers) => providers.map(({ oidc }) => oidc?.issuer));
 * ```
 */
export const getIdentityProviders: ListFunction<GetIdentityProvidersArgs, GetIdentityProvidersResult> = identityProviders.all;

/** {@link getIdentityProviders} for arguments that may be outputs. */
export const getIdentityProvidersOutput: ListOutputFunction<GetIdentityProvidersArgs, GetIdentityProvidersResult> =
  identityProviders.allOutput;

import * as data from "../functions/data-sources";
import { type ArgsOf, type Given, type OutputsOf, resourceClass } from "../resources/declared";

export type { RelationshipType } from "../../provider/kinds/identity";

/** Which OIDC tokens may assume an identity, by keys that their issuer publishes. */
export type ClaimMatch = Given<"identity", "claimMatch">;

/** Which OIDC tokens may assume an identity, by keys that the program declares. */
export type StaticKeys = Given<"identity", "staticKeys">;

/** Which AWS principals may assume an identity. */
export type AwsIdentity = Given<"identity", "awsIdentity">;

/** The arguments of an {@link Identity}: exactly one of `claimMatch`, `staticKeys`, `awsIdentity` and `servicePrincipal`. */
export type IdentityArgs = ArgsOf<"identity">;

/** The outputs of an {@link Identity} besides `uid`. */
export interface Identity extends OutputsOf<"identity"> {}

/**
 * An identity, with the logins that may assume it.
 *
 * @example
 * ```ts
 * import { githubActions, Identity } from "pulumi-platform";
 *
 * export const deployer = new Identity("deployer", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   claimMatch: githubActions({ repository: "acme/shop", branch: "main" }),
 * });
 * ```
 */
export class Identity extends resourceClass("identity") {}

/** Which identity: by its uid or by its name. */
export type GetIdentityArgs = data.GetArgsOf<"identity">;

/** An identity as the platform returns it. */
export interface GetIdentityResult extends data.GetResultOf<"identity"> {}

const { one, oneOutput, all, allOutput } = data.dataSources("identity");

/**
 * One identity, by its uid or by its name.
 *
 * @example
 * ```ts
 * import { getIdentityOutput } from "pulumi-platform";
 *
 * export const deployerUid = getIdentityOutput({
 *   name: "deployer",
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 * }).uid;
 * ```
 */
export const getIdentity: data.GetFunction<GetIdentityArgs, GetIdentityResult> = one;

/** {@link getIdentity} for arguments that may be outputs. */
export const getIdentityOutput: data.GetOutputFunction<GetIdentityArgs, GetIdentityResult> = oneOutput;

/** Filters and order of {@link getIdentities}. */
export type GetIdentitiesArgs = data.ListArgsOf<"identity">;

/** The result of {@link getIdentities}. */
export interface GetIdentitiesResult extends data.ListResultOf<"identity"> {}

/**
 * Every identity that the filters select.
 *
 * @example
 * ```ts
 * import { getIdentitiesOutput } from "pulumi-platform";
 *
 * export const allIdentities = getIdentitiesOutput({ descendantsOf: "0123456789abcdef0123456789abcdef01234567" });
 * ```
 */
export const getIdentities: data.ListFunction<GetIdentitiesArgs, GetIdentitiesResult> = all;

/** {@link getIdentities} for arguments that may be outputs. */
export const getIdentitiesOutput: data.ListOutputFunction<GetIdentitiesArgs, GetIdentitiesResult> = allOutput;

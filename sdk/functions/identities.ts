import { identity } from "../../provider/kinds/identity";
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

export type { RelationshipType } from "../../provider/kinds/identity";

const identities = dataSources(identity);

/** Which identity: by its uid or by its name. */
export type GetIdentityArgs = GetArgsOf<typeof identity>;

/** An identity as the platform returns it. */
export interface GetIdentityResult extends GetResultOf<typeof identity> {}

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
export const getIdentity: GetFunction<GetIdentityArgs, GetIdentityResult> = identities.one;

/** {@link getIdentity} for arguments that may be outputs. */
export const getIdentityOutput: GetOutputFunction<GetIdentityArgs, GetIdentityResult> = identities.oneOutput;

/** Filters and order of {@link getIdentities}. */
export type GetIdentitiesArgs = ListArgsOf<typeof identity>;

/** The result of {@link getIdentities}. */
export interface GetIdentitiesResult extends ListResultOf<typeof identity> {}

/**
 * Every identity that the filters select.
 *
 * @example
 * ```ts
 * import { getIdentitiesOutput } from "pulumi-platform";
 *
 * const all = getIdentitiesOutput({ descendantsOf: "0123456789abcdef0123456789abcdef01234567" });
 * export const neverSeen = all.identities.apply((identities) =>
 *   identities.filter((identity) => identity.lastSeenTime === null).map((identity) => identity.name),
 * );
 * ```
 */
export const getIdentities: ListFunction<GetIdentitiesArgs, GetIdentitiesResult> = identities.all;

/** {@link getIdentities} for arguments that may be outputs. */
export const getIdentitiesOutput: ListOutputFunction<GetIdentitiesArgs, GetIdentitiesResult> = identities.allOutput;

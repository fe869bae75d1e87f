import { accountAssociation } from "../../provider/kinds/account-association";
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

const accountAssociations = dataSources(accountAssociation);

/** Which account association: by its uid, which is that of its group. */
export type GetAccountAssociationArgs = GetArgsOf<typeof accountAssociation>;

/** An account association as the platform returns it. */
export interface GetAccountAssociationResult extends GetResultOf<typeof accountAssociation> {}

/**
 * One account association, by the uid of its group, which is its own.
 *
 * @example
 * ```ts
 * import { getAccountAssociationOutput } from "pulumi-platform";
 *
 * const association = getAccountAssociationOutput({ uid: "0123456789abcdef0123456789abcdef01234567" });
 * export const account = association.amazon.apply((amazon) => amazon?.account);
 * ```
 */
export const getAccountAssociation: GetFunction<GetAccountAssociationArgs, GetAccountAssociationResult> = accountAssociations.one;

/** {@link getAccountAssociation} for arguments that may be outputs. */
export const getAccountAssociationOutput: GetOutputFunction<GetAccountAssociationArgs, GetAccountAssociationResult> =
  accountAssociations.oneOutput;

/** Filters and order of {@link getAccountAssociations}. */
export type GetAccountAssociationsArgs = ListArgsOf<typeof accountAssociation>;

/** The result of {@link getAccountAssociations}. */
export interface GetAccountAssociationsResult extends ListResultOf<typeof accountAssociation> {}

/**
 * Every account association that the filters select.
 *
 * @example
 * ```ts
 * import { getAccountAssociationsOutput } from "pulumi-platform";
 *
 * const all = getAccountAssociationsOutput({ name: "production" });
 * export const accounts = all.accountAssociations.apply((found) => found.flatMap(({ amazon }) => amazon?.account ?? []));
 * ```
 */
export const getAccountAssociations: ListFunction<GetAccountAssociationsArgs, GetAccountAssociationsResult> =
  accountAssociations.all;

/** {@link getAccountAssociations} for arguments that may be outputs. */
export const getAccountAssociationsOutput: ListOutputFunction<GetAccountAssociationsArgs, GetAccountAssociationsResult> =
  accountAssociations.allOutput;

import { type AccountCheck, checkAccount } from "../../provider/sources/account-check";
import * as data from "../functions/data-sources";
import { type ArgsOf, type OutputsOf, resourceClass } from "../resources/declared";

/** The arguments of an {@link AccountAssociation}. */
export type AccountAssociationArgs = ArgsOf<"accountAssociation">;

/** The outputs of an {@link AccountAssociation} besides `uid`, which is that of the group. */
export interface AccountAssociation extends OutputsOf<"accountAssociation"> {}

/**
 * An account association, which lists a group's accounts with cloud providers and GitHub. A group has at most one.
 *
 * @example
 * ```ts
 * import { AccountAssociation } from "pulumi-platform";
 *
 * export const accounts = new AccountAssociation("accounts", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   amazon: { account: "123456789012" },
 *   google: { projectId: "acme-shop", projectNumber: "1234567890" },
 * });
 * ```
 */
export class AccountAssociation extends resourceClass("accountAssociation") {}

/** Which account association: by its uid, which is that of its group. */
export type GetAccountAssociationArgs = data.GetArgsOf<"accountAssociation">;

/** An account association as the platform returns it. */
export interface GetAccountAssociationResult extends data.GetResultOf<"accountAssociation"> {}

const { one, oneOutput, all, allOutput } = data.dataSources("accountAssociation");

/**
 * One account association, by the uid of its group, which is its own.
 *
 * @example
 * ```ts
 * import { getAccountAssociationOutput } from "pulumi-platform";
 *
 * export const association = getAccountAssociationOutput({ uid: "0123456789abcdef0123456789abcdef01234567" });
 * ```
 */
export const getAccountAssociation: data.GetFunction<GetAccountAssociationArgs, GetAccountAssociationResult> = one;

/** {@link getAccountAssociation} for arguments that may be outputs. */
export const getAccountAssociationOutput: data.GetOutputFunction<GetAccountAssociationArgs, GetAccountAssociationResult> =
  oneOutput;

/** Filters and order of {@link getAccountAssociations}. */
export type GetAccountAssociationsArgs = data.ListArgsOf<"accountAssociation">;

/** The result of {@link getAccountAssociations}. */
export interface GetAccountAssociationsResult extends data.ListResultOf<"accountAssociation"> {}

/**
 * Every account association that the filters select.
 *
 * @example
 * ```ts
 * import { getAccountAssociationsOutput } from "pulumi-platform";
 *
 * export const inProduction = getAccountAssociationsOutput({ name: "production" });
 * ```
 */
export const getAccountAssociations: data.ListFunction<GetAccountAssociationsArgs, GetAccountAssociationsResult> = all;

/** {@link getAccountAssociations} for arguments that may be outputs. */
export const getAccountAssociationsOutput: data.ListOutputFunction<GetAccountAssociationsArgs, GetAccountAssociationsResult> =
  allOutput;

/** Which account to check. */
export interface CheckAccountAssociationArgs {
  /** Uid of the group, which is that of its association too. */
  uid: string;
  /** `ACCOUNT_PROVIDER_TYPE_AMAZON`, `ACCOUNT_PROVIDER_TYPE_AZURE` or `ACCOUNT_PROVIDER_TYPE_GOOGLE`. Names newer than this package pass. */
  providerType: string;
}

/** The result of {@link checkAccountAssociation}. */
export interface CheckAccountAssociationResult extends AccountCheck {}

/**
 * Checks that the platform can use a group's account with a cloud provider. The platform exchanges credentials with it during the
 * call. An account that is not ready is a result, not an error.
 *
 * @example
 * ```ts
 * import { AccountAssociation, checkAccountAssociationOutput } from "pulumi-platform";
 *
 * const accounts = new AccountAssociation("accounts", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   amazon: { account: "123456789012" },
 * });
 *
 * export const amazon = checkAccountAssociationOutput({
 *   uid: accounts.uid,
 *   providerType: "ACCOUNT_PROVIDER_TYPE_AMAZON",
 * }).status;
 * ```
 */
export const checkAccountAssociation: data.GetFunction<CheckAccountAssociationArgs, CheckAccountAssociationResult> =
  data.plainForm(checkAccount);

/** {@link checkAccountAssociation} for arguments that may be outputs. */
export const checkAccountAssociationOutput: data.GetOutputFunction<CheckAccountAssociationArgs, CheckAccountAssociationResult> =
  data.outputForm(checkAccount);

import { type AccountCheck, checkAccount } from "../../provider/sources/account-check";
import type { GetFunction } from "./data-sources";
import { type GetOutputFunction, outputForm } from "./output-form";
import { plainForm } from "./source";

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
 * Checks that the platform can use a group's account with a cloud provider: the platform exchanges credentials with it during the
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
export const checkAccountAssociation: GetFunction<CheckAccountAssociationArgs, CheckAccountAssociationResult> =
  plainForm(checkAccount);

/** {@link checkAccountAssociation} for arguments that may be outputs. */
export const checkAccountAssociationOutput: GetOutputFunction<CheckAccountAssociationArgs, CheckAccountAssociationResult> =
  outputForm(checkAccount);

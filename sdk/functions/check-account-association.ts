import { z } from "zod";
import { enumeration, text } from "../../provider/client/collection";
import { hasCode, PlatformError } from "../../provider/client/errors";
import { accountAssociation } from "../../provider/kinds/account-association";
import { someText, uid } from "../../provider/kinds/inputs";
import type { GetFunction } from "./data-sources";
import { type GetOutputFunction, outputForm } from "./output-form";
import { plainForm, type Source } from "./source";

/** Which account to check. */
export interface CheckAccountAssociationArgs {
  /** Uid of the group, which is that of its association too. */
  uid: string;
  /** `ACCOUNT_PROVIDER_TYPE_AMAZON`, `ACCOUNT_PROVIDER_TYPE_AZURE` or `ACCOUNT_PROVIDER_TYPE_GOOGLE`. Names newer than this package pass. */
  providerType: string;
}

/** The result of {@link checkAccountAssociation}. */
export interface CheckAccountAssociationResult {
  /** `CHECK_STATUS_READY` if the account accepts the platform, else `CHECK_STATUS_NOT_READY`. */
  readonly status: string;
  /** Why it is not ready, as one word; empty if it is. */
  readonly reason: string;
  /** Why it is not ready, for people; empty if it is. */
  readonly message: string;
}

const answer: z.ZodType<CheckAccountAssociationResult> = z.looseObject({ status: enumeration, reason: text, message: text });

const check: Source<CheckAccountAssociationResult> = {
  call: "checkAccountAssociation",
  area: "iam",
  rules: () => ({ uid, providerType: someText }),
  usage: "which account? Give uid and providerType.",
  async read({ uid, providerType }, client) {
    try {
      const { collection } = accountAssociation;
      return await client.ask(collection, String(uid), "checkAccountAssociation", { providerType }, answer);
    } catch (error) {
      if (!hasCode(error, "NOT_FOUND")) throw error;
      const why = `no account association of group ${String(uid)} is visible to these credentials. (${error.message})`;
      throw new PlatformError("NOT_FOUND", why, { cause: error });
    }
  },
};

/**
 * Checks that the platform can use a group's account with a cloud provider: it exchanges credentials there and then. An account that
 * is not ready is a result, not an error.
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
export const checkAccountAssociation: GetFunction<CheckAccountAssociationArgs, CheckAccountAssociationResult> = plainForm(check);

/** {@link checkAccountAssociation} for arguments that may be outputs. */
export const checkAccountAssociationOutput: GetOutputFunction<CheckAccountAssociationArgs, CheckAccountAssociationResult> =
  outputForm(check);

import { z } from "zod";
import { enumeration, text } from "../client/collection";
import { hasCode, PlatformError } from "../client/errors";
import { accountAssociation } from "../kinds/account-association";
import { someText, uid } from "../schema/inputs";
import type { ClientSource } from "./source";

/** Whether the platform can use an account. */
export interface AccountCheck {
  /** `CHECK_STATUS_READY` if the account accepts the platform, else `CHECK_STATUS_NOT_READY`. */
  readonly status: string;
  /** Why it is not ready, as one word; empty if it is. */
  readonly reason: string;
  /** Why it is not ready, for people; empty if it is. */
  readonly message: string;
}

const answer: z.ZodType<AccountCheck> = z.looseObject({ status: enumeration, reason: text, message: text });

/** Checks that the platform can use a group's account with a cloud provider. */
export const checkAccount: ClientSource<AccountCheck> = {
  call: "checkAccountAssociation",
  area: "iam",
  rules: () => ({ uid, providerType: someText }),
  usage: "which account? Pass uid and providerType.",
  async read({ uid, providerType }, client) {
    try {
      const { collection } = accountAssociation;
      return await client.ask(collection, String(uid), { action: "checkAccountAssociation", body: { providerType }, answer });
    } catch (error) {
      if (!hasCode(error, "NOT_FOUND")) throw error;
      const why = `no account association of group ${String(uid)} is visible to these credentials. (${error.message})`;
      throw new PlatformError("NOT_FOUND", why, { cause: error });
    }
  },
};

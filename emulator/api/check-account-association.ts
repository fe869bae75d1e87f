import { accountAssociations } from "../objects/account-associations";
import { invalidArgument } from "../wire/errors";
import { stringOf } from "../wire/json";
import { enumNamed, messageNamed } from "../contract/messages";
import { parseMessage } from "../wire/message";
import type { Action } from "./action";
import { Collection } from "./collection";

const request = messageNamed("iam.AccountAssociationsService.CheckAccountAssociationBody");

/** Whether a cloud account can be reached. There is no cloud here, so the setting `accountChecks` decides. */
export const checkAccountAssociation: Action = {
  method: "POST",
  kind: accountAssociations,
  suffix: ":checkAccountAssociation",
  on: "object",

  run({ services, access, uid, body }) {
    const association = new Collection(services, accountAssociations, access).require(uid, [
      accountAssociations.capabilities.list,
    ]);
    const asked = parseMessage(request, body);
    const type = stringOf(asked["providerType"]);
    const block = type.replace("ACCOUNT_PROVIDER_TYPE_", "").toLowerCase();
    if (type === "" || block === "unspecified") {
      const [, ...types] = enumNamed("iam.AccountProviderType");
      throw invalidArgument({ field: "provider_type", description: `is required: one of ${types.join(", ")}` });
    }
    if (association.fields[block] === undefined)
      return notReady("NOT_CONFIGURED", `the account association of group ${uid} has no block ${block}`);
    return services.settings.values.accountChecks === "ready"
      ? { status: "CHECK_STATUS_READY", reason: "", message: "" }
      : notReady("CREDENTIAL_EXCHANGE_FAILED", `the ${block} account did not accept the platform's credentials`);
  },
};

function notReady(reason: string, message: string) {
  return { status: "CHECK_STATUS_NOT_READY", reason, message };
}

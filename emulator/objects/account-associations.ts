import type { FieldViolation } from "../wire/errors";
import { isObject, stringOf, type Json } from "../wire/json";
import { messageNamed } from "../contract/messages";
import { byName } from "./filters";
import { checkDescription, checkPlainName } from "./name-rules";
import type { Draft, ObjectKind } from "./object-kind";

/** Account associations, which list a group's accounts with cloud providers and others (docs/platform-api.md#account-associations). */
export const accountAssociations: ObjectKind = {
  area: "iam",
  collection: "accountAssociations",
  noun: "account association",
  parent: "groups",
  sharesUid: true,
  message: messageNamed("iam.AccountAssociation"),
  capabilities: {
    list: "CAP_IAM_ACCOUNT_ASSOCIATIONS_LIST",
    create: ["CAP_IAM_ACCOUNT_ASSOCIATIONS_CREATE"],
    update: ["CAP_IAM_ACCOUNT_ASSOCIATIONS_UPDATE"],
    delete: ["CAP_IAM_ACCOUNT_ASSOCIATIONS_DELETE"],
  },
  orders: ["group", "uid", "name", "created_at", "updated_at"],
  defaultOrder: "group",
  filters: { name: byName },
  deleteIsIdempotent: true,

  check: (draft) => [
    ...checkPlainName(draft.fields),
    ...checkDescription(draft.fields),
    ...checkAmazon(draft.fields["amazon"]),
    ...checkServiceBindings(draft),
  ],
};

function checkAmazon(amazon: Json | undefined): FieldViolation[] {
  if (!isObject(amazon) || /^[0-9]{12}$/.test(stringOf(amazon["account"]))) return [];
  return [{ field: "amazon.account", description: "must be 12 digits" }];
}

/** A service acts through an identity directly in the group, which must name this service as its principal. */
function checkServiceBindings({ fields, parent, store }: Draft): FieldViolation[] {
  const block = fields["chainguard"];
  const bindings = isObject(block) && isObject(block["serviceBindings"]) ? block["serviceBindings"] : {};
  return Object.entries(bindings).flatMap(([service, identityUid]) => {
    const identity = store.get("identities", stringOf(identityUid));
    const principal = `SERVICE_PRINCIPAL_${service.toUpperCase()}`;
    if (identity?.parent === parent && identity.fields["servicePrincipal"] === principal) return [];
    const description = `must name an identity in group ${parent} whose service principal is ${principal}`;
    return [{ field: `chainguard.service_bindings.${service}`, description }];
  });
}

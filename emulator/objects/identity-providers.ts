import { isObject, stringOf, type Json, type JsonObject } from "../wire/json";
import type { FieldViolation } from "../wire/errors";
import { messageNamed } from "../contract/messages";
import { checkRole } from "./granted-role";
import { byName } from "./filters";
import { checkDescription, checkName } from "./name-rules";
import type { Draft, ObjectKind } from "./object-kind";
import { newScim, scimAt } from "./scim";

const unspecifiedRule = "CORRELATION_RULE_UNSPECIFIED";
const defaultRule = "CORRELATION_RULE_SUB_EQUALS_EXTERNAL_ID";

/** Identity providers, where people sign in (docs/platform-api.md#identity-providers). */
export const identityProviders: ObjectKind = {
  area: "iam",
  collection: "identityProviders",
  noun: "identity provider",
  parent: "groups",
  exactParent: true,
  message: messageNamed("iam.IdentityProvider"),
  capabilities: {
    list: "CAP_IAM_IDENTITY_PROVIDERS_LIST",
    create: ["CAP_IAM_IDENTITY_PROVIDERS_CREATE", "CAP_IAM_ROLE_BINDINGS_CREATE"],
    update: ["CAP_IAM_IDENTITY_PROVIDERS_UPDATE", "CAP_IAM_ROLE_BINDINGS_CREATE"],
    delete: ["CAP_IAM_IDENTITY_PROVIDERS_DELETE"],
  },
  orders: ["uid", "name", "created_at", "updated_at"],
  filters: { name: byName },
  naturalKey: ["name"],

  check(draft) {
    const { fields, store } = draft;
    return [
      ...checkName(fields),
      ...checkDescription(fields),
      ...checkRole("default_role", stringOf(fields["defaultRole"]), store),
      ...checkOidc(draft),
    ];
  },

  grant({ fields, previous, parent }) {
    const role = stringOf(fields["defaultRole"]);
    return role === previous?.["defaultRole"] ? undefined : { role, group: parent };
  },

  initial: () => ({ scim: newScim() }),

  present: (row, view) => ({ scim: view.isRow ? null : scimAt(row, view) }),
};

function checkOidc({ fields, previous }: Draft): FieldViolation[] {
  const config = fields["oidc"];
  if (!isObject(config)) return [{ field: "oidc", description: "is required: a provider has exactly one configuration" }];
  const isOpen = stringOf(config["clientSecret"]) === "" && config["pkceEnabled"] !== true;
  const secret = { field: "oidc.client_secret", description: "is required unless pkce_enabled is true" };
  const isMoved = previous !== undefined && ruleOf(config) !== ruleOf(previous["oidc"]);
  const rule = { field: "oidc.correlation_rule", description: "is immutable: create a new identity provider" };
  return [...(isOpen ? [secret] : []), ...(isMoved ? [rule] : [])];
}

function ruleOf(config: Json | undefined): string {
  const rule = stringOf((isObject(config) ? config : ({} as JsonObject))["correlationRule"]);
  return rule === "" || rule === unspecifiedRule ? defaultRule : rule;
}

import { isObject, stringOf, type Json, type JsonObject } from "../wire/json";
import type { FieldViolation } from "../wire/errors";
import type { Message } from "../wire/message";
import { checkRole, requireHeld } from "./granted-role";
import {
  checkDescription,
  checkName,
  equals,
  flag,
  message,
  output,
  shownIn,
  text,
  texts,
  time,
  uid,
  type Draft,
  type Kind,
} from "./kind";
import { newScim, scimAt, scimMessage } from "./scim";

const correlationRules = ["UNSPECIFIED", "SUB_EQUALS_EXTERNAL_ID", "OID_EQUALS_EXTERNAL_ID"];
const unspecifiedRule = "CORRELATION_RULE_UNSPECIFIED";
const defaultRule = "CORRELATION_RULE_SUB_EQUALS_EXTERNAL_ID";

const oidc: Message = {
  issuer: text,
  clientId: text,
  clientSecret: shownIn("none", text),
  additionalScopes: texts,
  groupsClaim: text,
  correlationRule: { type: "enum", names: correlationRules.map((name) => `CORRELATION_RULE_${name}`) },
  pkceEnabled: flag,
};

/** Identity providers: where people sign in (docs/platform-api.md#identity-providers). */
export const identityProviders: Kind = {
  area: "iam",
  collection: "identityProviders",
  noun: "identity provider",
  parent: "groups",
  exactParent: true,
  message: {
    uid,
    name: text,
    description: text,
    createTime: time,
    updateTime: time,
    defaultRole: text,
    oidc: { ...message(oidc), oneof: "configuration" },
    scim: output(message(scimMessage)),
  },
  capabilities: {
    list: "CAP_IAM_IDENTITY_PROVIDERS_LIST",
    create: ["CAP_IAM_IDENTITY_PROVIDERS_CREATE", "CAP_IAM_ROLE_BINDINGS_CREATE"],
    update: ["CAP_IAM_IDENTITY_PROVIDERS_UPDATE", "CAP_IAM_ROLE_BINDINGS_CREATE"],
    delete: ["CAP_IAM_IDENTITY_PROVIDERS_DELETE"],
  },
  orders: ["uid", "name", "created_at", "updated_at"],
  filters: { name: equals("name") },
  naturalKey: ["name"],

  check(draft) {
    const { fields, previous, parent, store, access } = draft;
    const role = stringOf(fields["defaultRole"]);
    const violations = [
      ...checkName(fields),
      ...checkDescription(fields),
      ...checkRole("default_role", role, store),
      ...checkOidc(draft),
    ];
    if (violations.length === 0 && role !== previous?.["defaultRole"]) requireHeld(role, parent, store, access);
    return violations;
  },

  initial: () => ({ scim: newScim() }),

  present: (row, view) => ({ scim: view.isRow ? null : scimAt(row, view) }),
};

function checkOidc({ fields, previous }: Draft): FieldViolation[] {
  const config = fields["oidc"];
  if (!isObject(config)) return [{ field: "oidc", description: "is required: a provider has exactly one configuration" }];
  const missing = [
    ...(stringOf(config["issuer"]) === "" ? ["issuer"] : []),
    ...(stringOf(config["clientId"]) === "" ? ["client_id"] : []),
  ].map((name) => ({ field: `oidc.${name}`, description: "is required" }));
  const isOpen = stringOf(config["clientSecret"]) === "" && config["pkceEnabled"] !== true;
  const secret = { field: "oidc.client_secret", description: "is required unless pkce_enabled is true" };
  const isMoved = previous !== undefined && ruleOf(config) !== ruleOf(previous["oidc"]);
  const rule = { field: "oidc.correlation_rule", description: "is immutable: create a new identity provider" };
  return [...missing, ...(isOpen ? [secret] : []), ...(isMoved ? [rule] : [])];
}

function ruleOf(config: Json | undefined): string {
  const rule = stringOf((isObject(config) ? config : ({} as JsonObject))["correlationRule"]);
  return rule === "" || rule === unspecifiedRule ? defaultRule : rule;
}

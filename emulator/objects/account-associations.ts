import type { FieldViolation } from "../wire/errors";
import { isObject, stringOf, type Json, type JsonObject } from "../wire/json";
import type { Field } from "../wire/message";
import { checkDescription, checkPlainName, equals, message, text, textMap, time, uid, type Draft, type Kind } from "./kind";

const installation = message({ installationId: { type: "int64" }, name: text });
const installations: Field = { type: "list", of: installation };

/** Account associations: a group's accounts with cloud providers and others (docs/platform-api.md#account-associations). */
export const accountAssociations: Kind = {
  area: "iam",
  collection: "accountAssociations",
  noun: "account association",
  parent: "groups",
  sharesUid: true,
  message: {
    uid,
    name: text,
    description: text,
    amazon: message({ account: text }),
    google: message({ projectId: text, projectNumber: text }),
    azure: message({ tenantId: text, clientIds: textMap }),
    github: message({ appInstallations: { type: "map", keys: "int64", of: message({ installations }) } }),
    chainguard: message({ serviceBindings: textMap }),
    createTime: time,
    updateTime: time,
  },
  capabilities: {
    list: "CAP_IAM_ACCOUNT_ASSOCIATIONS_LIST",
    create: ["CAP_IAM_ACCOUNT_ASSOCIATIONS_CREATE"],
    update: ["CAP_IAM_ACCOUNT_ASSOCIATIONS_UPDATE"],
    delete: ["CAP_IAM_ACCOUNT_ASSOCIATIONS_DELETE"],
  },
  orders: ["group", "uid", "name", "created_at", "updated_at"],
  defaultOrder: "group",
  filters: { name: equals("name") },
  deleteIsIdempotent: true,

  check: (draft) => [
    ...checkPlainName(draft.fields),
    ...checkDescription(draft.fields),
    ...checkAmazon(draft.fields["amazon"]),
    ...checkRequired("google", draft.fields["google"], { projectId: "project_id", projectNumber: "project_number" }),
    ...checkRequired("azure", draft.fields["azure"], { tenantId: "tenant_id", clientIds: "client_ids" }),
    ...checkGitHub(draft.fields["github"]),
    ...checkServiceBindings(draft),
  ],
};

function checkAmazon(amazon: Json | undefined): FieldViolation[] {
  if (!isObject(amazon) || /^[0-9]{12}$/.test(stringOf(amazon["account"]))) return [];
  return [{ field: "amazon.account", description: "must be 12 digits" }];
}

/** `names` are the required fields of a block, each with its spelling in violations. */
function checkRequired(block: string, value: Json | undefined, names: Readonly<Record<string, string>>): FieldViolation[] {
  if (!isObject(value)) return [];
  return Object.entries(names)
    .filter(([name]) => isEmpty(value[name]))
    .map(([, name]) => ({ field: `${block}.${name}`, description: "is required" }));
}

function isEmpty(value: Json | undefined): boolean {
  return isObject(value) ? Object.keys(value).length === 0 : stringOf(value) === "";
}

function checkGitHub(github: Json | undefined): FieldViolation[] {
  const apps = isObject(github) && isObject(github["appInstallations"]) ? Object.entries(github["appInstallations"]) : [];
  return apps.flatMap(([app, value]) => {
    const listed = isObject(value) && Array.isArray(value["installations"]) ? value["installations"] : [];
    const isMissing = listed.some((each) => !isObject(each) || ["", "0"].includes(stringOf(each["installationId"])));
    const field = `github.app_installations.${app}.installations.installation_id`;
    return isMissing ? [{ field, description: "is required" }] : [];
  });
}

/** A service acts through an identity directly in the group, whose service principal it is. */
function checkServiceBindings({ fields, parent, store }: Draft): FieldViolation[] {
  const block = fields["chainguard"];
  if (!isObject(block)) return [];
  const bindings: JsonObject = isObject(block["serviceBindings"]) ? block["serviceBindings"] : {};
  const field = "chainguard.service_bindings";
  if (Object.keys(bindings).length === 0) return [{ field, description: "is required" }];
  return Object.entries(bindings).flatMap(([service, identityUid]) => {
    const identity = store.get("identities", stringOf(identityUid));
    const principal = `SERVICE_PRINCIPAL_${service.toUpperCase()}`;
    if (identity?.parent === parent && identity.fields["servicePrincipal"] === principal) return [];
    const description = `must name an identity in group ${parent} whose service principal is ${principal}`;
    return [{ field: `${field}.${service}`, description }];
  });
}

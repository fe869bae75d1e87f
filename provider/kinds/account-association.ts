import { declare } from "../schema/declare";
import {
  createTime,
  description,
  detail,
  filled,
  listOf,
  mapOf,
  message,
  name,
  optional,
  parent,
  text,
  time,
  uidOf,
} from "../schema/fields";
import { awsAccount, decimalNumber } from "../schema/inputs";
import { inGroup } from "../schema/references";

const installation = message("GitHubInstallation", {
  /** Number of the installation, as decimal text. */
  installationId: text(decimalNumber),
  /** Label of the account in which the app is installed. Default: the name that the platform has. */
  name: filled(text()),
});

const installations = message("GitHubAppInstallations", {
  /** The installations of the app. */
  installations: listOf(installation),
});

/** An account association, which lists a group's accounts with other services (docs/platform-api.md#account-associations). */
export const accountAssociation = declare({
  name: "AccountAssociation",
  address: {
    noun: "account association",
    area: "iam",
    segment: "accountAssociations",
    capabilities: "IAM_ACCOUNT_ASSOCIATIONS",
  },
  fields: inGroup({
    /** Uid of the group that owns the accounts; a group has one association. A change replaces the association. */
    parentUid: parent(),
    /** Any text without control characters. Default: the logical name. */
    name: name(),
    /** Purpose of the association, on one line. Default: none. */
    description: description(),
    /** The group's account with Amazon Web Services. Default: none. */
    amazon: optional(
      message("AmazonAccount", {
        /** Number of the AWS account: 12 digits. */
        account: text(awsAccount),
      }),
    ),
    /** The group's project in Google Cloud. Default: none. */
    google: optional(
      message("GoogleAccount", {
        /** Id of the project. */
        projectId: text(),
        /** Number of the project, as decimal text. */
        projectNumber: text(decimalNumber),
      }),
    ),
    /** The group's tenant in Microsoft Azure. Default: none. */
    azure: optional(
      message("AzureAccount", {
        /** Id of the tenant. */
        tenantId: text(),
        /** Client id of each component of the platform in the tenant, by component. */
        clientIds: mapOf(text()),
      }),
    ),
    /** The group's installations of GitHub apps. Default: none. */
    github: optional(
      message("GitHubAccount", {
        /** The installations of each app, by the number of the app. */
        appInstallations: mapOf(installations),
      }),
    ),
    /** The platform's own services that act for the group. Default: none. */
    chainguard: optional(
      message("PlatformAccount", {
        /** Uid of the identity as which each service acts, by service. The identity must be directly in the group. */
        serviceBindings: mapOf(uidOf("identity")),
      }),
    ),
    /** When the association was created, RFC 3339. */
    createTime: createTime(),
    /** When the association last changed, RFC 3339. */
    updateTime: detail(time()),
  }),
  sharesUid: true,
  naturalKey: [],
  filters: {
    /** Only account associations with this name, exactly. */
    name: "name",
  },
  access: "gives",
  rank: 5,
  withGroup: true,
  // Most groups have none. Deleting one that does not exist succeeds.
  calls: { list: "may be empty" },
});

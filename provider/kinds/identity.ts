import { openProblems } from "../schema/open-problems";
import type { Values } from "../schema/values";
import { declare } from "../schema/declare";
import type { EnumName } from "../schema/field";
import {
  checkOnly,
  createTime,
  description,
  detail,
  enumInput,
  enumOf,
  filled,
  flag,
  having,
  mapOf,
  message,
  name,
  optional,
  parent,
  setOf,
  text,
  time,
} from "../schema/fields";
import { filter } from "../schema/filters";
import { awsAccount, awsText, groupName, issuerUrl } from "../schema/inputs";
import { jsonWebKeySet, sameJson } from "../schema/json-web-keys";
import { pattern } from "../schema/pattern";
import { inGroup } from "../schema/references";

/** The member in which an identity authenticates, by its name in the filter of the List. */
const relationshipMembers = {
  RELATIONSHIP_TYPE_CLAIM_MATCH: "claimMatch",
  RELATIONSHIP_TYPE_STATIC: "staticKeys",
  RELATIONSHIP_TYPE_AWS_IDENTITY: "awsIdentity",
  RELATIONSHIP_TYPE_SERVICE_PRINCIPAL: "servicePrincipal",
} as const;

type KnownRelationship = keyof typeof relationshipMembers;

/** How an identity authenticates, for the filter of its List. */
export type RelationshipType = EnumName<"RELATIONSHIP_TYPE_", KnownRelationship>;

const relationshipType = enumOf("RELATIONSHIP_TYPE_", Object.keys(relationshipMembers) as KnownRelationship[]);

/**
 * True for a row with the member of `type`. Also true for a type that is newer than this package, because the platform has filtered by it.
 */
function isRelated(row: Values, type: RelationshipType): boolean {
  const member = (relationshipMembers as Readonly<Record<string, string>>)[type];
  return member === undefined || Boolean(row[member]);
}

const servicePrincipals = [
  "COSIGNED",
  "INGESTER",
  "CATALOG_SYNCER",
  "APKO_BUILDER",
  "ENTITLEMENT_SYNCER",
  "TENANT_SCANNER",
  "SEDIMENTOLOGY",
  "SKILLUP",
  "MATERIALIZER",
  "MICROFLOW",
  "GUARDENER",
  "MICROVM",
  "SKILLS",
].map((service) => `SERVICE_PRINCIPAL_${service}`);

const claimMatch = message(
  "ClaimMatch",
  {
    /** Issuer of the token, exactly: an https URL, or http on this machine. */
    issuer: having({ patternIn: "issuerPattern" }, optional(text(issuerUrl))),
    /** Issuer of the token, as a regular expression (RE2). */
    issuerPattern: optional(text(pattern)),
    /** Subject of the token, exactly. */
    subject: having({ patternIn: "subjectPattern" }, optional(text())),
    /** Subject of the token, as a regular expression (RE2). */
    subjectPattern: optional(text(pattern)),
    /** Audience of the token, exactly. Default: the host of the platform's issuer. */
    audience: having({ patternIn: "audiencePattern" }, optional(text())),
    /** Audience of the token, as a regular expression (RE2). */
    audiencePattern: optional(text(pattern)),
    /** Further claims of the token by name, each exactly. */
    claims: having({ patternIn: "claimPatterns" }, optional(mapOf(text()))),
    /** Further claims of the token by name, each as a regular expression (RE2). */
    claimPatterns: optional(mapOf(text(pattern))),
  },
  {
    exactlyOne: [
      ["issuer", "issuerPattern"],
      ["subject", "subjectPattern"],
    ],
    atMostOne: [["audience", "audiencePattern"]],
  },
);

const staticKeys = message(
  "StaticKeys",
  {
    /** Issuer of the token, exactly. The platform does not fetch its keys. */
    issuer: having({ patternIn: "" }, text()),
    /** Subject of the token, exactly. */
    subject: having({ patternIn: "" }, text()),
    /** The issuer's public keys: a JSON Web Key Set as text. */
    issuerKeys: having({ normalise: sameJson }, text(jsonWebKeySet)),
    /** When the identity stops working, RFC 3339, at most 365 days after its creation. Default: 365 days after its creation. */
    expirationTime: having({ expiry: true }, filled(time())),
    /** Audiences of the token; the platform currently accepts one. Default: the host of the platform's issuer. */
    audiences: having({ patternIn: "" }, optional(setOf(text()))),
  },
  { update: "members" },
);

const awsIdentity = message(
  "AwsIdentity",
  {
    /** Number of the AWS account: 12 digits. */
    awsAccount: text(awsAccount),
    /** ARN of the caller, exactly. */
    arn: optional(text(awsText("arnPattern"))),
    /** ARN of the caller, as a regular expression (RE2). */
    arnPattern: optional(text(pattern)),
    /** Unique id of the caller, exactly. */
    userId: optional(text(awsText("userIdPattern"))),
    /** Unique id of the caller, as a regular expression (RE2). */
    userIdPattern: optional(text(pattern)),
  },
  {
    exactlyOne: [
      ["arn", "arnPattern"],
      ["userId", "userIdPattern"],
    ],
  },
);

/** An identity, with the logins that may assume it (docs/platform-api.md#identities). */
export const identity = declare({
  name: "Identity",
  address: { noun: "identity", area: "iam", segment: "identities", capabilities: "IAM_IDENTITY" },
  fields: inGroup({
    /** Uid of the group that the identity is in. A change replaces the identity. */
    parentUid: parent(),
    /** Lowercase letters, digits, spaces, dots, underscores and hyphens. Default: the logical name. */
    name: name(groupName),
    /** Purpose of the identity, on one line. Default: none. */
    description: description(),
    /** Company that the identity belongs to. Default: none. */
    company: optional(text()),
    /** Which OIDC tokens may assume the identity, by keys that their issuer publishes. Another form replaces the identity. */
    claimMatch: having({ form: true }, optional(claimMatch)),
    /** Which OIDC tokens may assume the identity, by keys given here. Another form replaces the identity. */
    staticKeys: having({ form: true }, optional(staticKeys)),
    /** Which AWS principals may assume the identity. Another form replaces the identity. */
    awsIdentity: having({ form: true }, optional(awsIdentity)),
    /** The service of the platform that the identity stands for, `SERVICE_PRINCIPAL_…`. A change replaces the identity. */
    servicePrincipal: having({ form: true, immutable: true }, optional(enumInput("SERVICE_PRINCIPAL_", servicePrincipals))),
    /** Allows a `claimMatch.issuerPattern` that names no host, or no customer. Never sent or kept in state. Default: false. */
    allowAnyIssuer: checkOnly(flag()),
    /** Allows a `claimMatch` whose subject, or its pattern, names no customer of the issuer. Never sent or kept in state. Default: false. */
    allowAnySubject: checkOnly(flag()),
    /** Allows an `awsIdentity` whose patterns do not name one role or user. Never sent or kept in state. Default: false. */
    allowAnyPrincipal: checkOnly(flag()),
    /** Verified e-mail address of a person; empty for others. */
    email: detail(text()),
    /** E-mail address of a person that is not verified; empty for others. */
    emailUnverified: detail(text()),
    /** Time when the identity was last assumed, RFC 3339. */
    lastSeenTime: detail(time()),
    /** When the identity was created, RFC 3339. */
    createTime: createTime(),
    /** When the identity last changed, RFC 3339. */
    updateTime: detail(time()),
  }),
  naturalKey: ["name"],
  exactlyOne: [["claimMatch", "staticKeys", "awsIdentity", "servicePrincipal"]],
  problems: openProblems,
  filters: {
    /** Only identities with this name, exactly. */
    name: "name",
    /** Only identities that authenticate in this way. */
    relationshipType: filter(relationshipType, isRelated),
  },
  access: "decides",
  rank: 2,
  withGroup: true,
  calls: { lookAhead: true },
});

/** The fields of an identity with its login. Each identity has one of them. */
export const loginForms: readonly string[] = Object.entries(identity.fields).flatMap(([name, { traits }]) =>
  traits.form ? [name] : [],
);

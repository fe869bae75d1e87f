import { patternProblem } from "../auth/pattern";
import type { FieldViolation, PreconditionViolation } from "../wire/errors";
import { isObject, stringOf, type JsonObject } from "../wire/json";
import { messageNamed } from "../contract/messages";
import { byName } from "./filters";
import { checkDescription, checkName } from "./name-rules";
import type { Draft, ObjectKind } from "./object-kind";
import type { Row, Store } from "../storage/store";

/** Relationships by their name in the List filter. An identity has exactly one (docs/platform-api.md#identities). */
const relationships: Readonly<Record<string, string>> = {
  RELATIONSHIP_TYPE_CLAIM_MATCH: "claimMatch",
  RELATIONSHIP_TYPE_STATIC: "staticKeys",
  RELATIONSHIP_TYPE_AWS_IDENTITY: "awsIdentity",
  RELATIONSHIP_TYPE_SERVICE_PRINCIPAL: "servicePrincipal",
};

/** Identities, which can log in (docs/platform-api.md#identities). */
export const identities: ObjectKind = {
  area: "iam",
  collection: "identities",
  noun: "identity",
  parent: "groups",
  message: messageNamed("iam.Identity"),
  capabilities: {
    list: "CAP_IAM_IDENTITY_LIST",
    create: ["CAP_IAM_IDENTITY_CREATE"],
    update: ["CAP_IAM_IDENTITY_UPDATE"],
    delete: ["CAP_IAM_IDENTITY_DELETE"],
  },
  orders: ["uid", "name", "created_at", "updated_at"],
  filters: {
    name: byName,
    relationship_type([type = ""]) {
      const member = relationships[type];
      return member === undefined ? undefined : { sql: "fields -> ? IS NOT NULL", values: [member] };
    },
  },
  naturalKey: ["name"],

  check: (draft) => [
    ...checkName(draft.fields),
    ...checkDescription(draft.fields),
    ...checkRelationship(draft.fields),
    ...checkExpiry(draft),
  ],

  complete({ fields, createTime }) {
    const keys = fields["staticKeys"];
    if (!isObject(keys) || stringOf(keys["expirationTime"]) !== "") return fields;
    return { ...fields, staticKeys: { ...keys, expirationTime: lastExpiry(createTime) } };
  },

  initial: (now) => ({ lastSeenTime: now }),

  blockers: (row, store) => bindingBlockers(row, store, "identity"),
};

/** Blocks the deletion of an identity or role that is still bound. */
export function bindingBlockers(row: Row, store: Store, column: "identity" | "role"): PreconditionViolation[] {
  const total = store.count("roleBindings", [{ sql: `${column} = ?`, values: [row.uid] }]);
  const description = `${column} ${row.uid} is still used by ${total} role bindings; delete those first`;
  return total === 0 ? [] : [{ type: "RESOURCE_IN_USE", subject: row.uid, description }];
}

/** Static keys live at most, and by default, a year from the creation of their identity. */
function lastExpiry(createTime: string): string {
  return new Date(Date.parse(createTime) + 365 * 24 * 3600 * 1000).toISOString();
}

function checkExpiry({ fields, createTime }: Draft): FieldViolation[] {
  const keys = fields["staticKeys"];
  const last = lastExpiry(createTime);
  if (!isObject(keys) || stringOf(keys["expirationTime"]) <= last) return [];
  return [{ field: "static_keys.expiration_time", description: `must be at most 365 days after creation: ${last}` }];
}

function checkRelationship(fields: JsonObject): FieldViolation[] {
  const match = fields["claimMatch"];
  if (isObject(match)) return checkClaimMatch(match);
  if (isObject(fields["staticKeys"])) return [];
  const aws = fields["awsIdentity"];
  if (isObject(aws)) {
    const isAccount = /^[0-9]{12}$/.test(stringOf(aws["awsAccount"]));
    return [
      ...(isAccount ? [] : [{ field: "aws_identity.aws_account", description: "must be 12 digits" }]),
      ...checkPatterns({
        "aws_identity.arn_pattern": stringOf(aws["arnPattern"]),
        "aws_identity.user_id_pattern": stringOf(aws["userIdPattern"]),
      }),
    ];
  }
  if (stringOf(fields["servicePrincipal"]) !== "") return [];
  return [
    {
      field: "claim_match",
      description: "one relationship is required: claim_match, static_keys, aws_identity or service_principal",
    },
  ];
}

function checkClaimMatch(match: JsonObject): FieldViolation[] {
  const missing = ["issuer", "subject"]
    .filter((name) => stringOf(match[name]) === "" && stringOf(match[`${name}Pattern`]) === "")
    .map((name) => ({ field: `claim_match.${name}`, description: `${name} or ${name}Pattern is required` }));
  const named = ["issuer", "subject", "audience"].map((name) => [
    `claim_match.${name}_pattern`,
    stringOf(match[`${name}Pattern`]),
  ]);
  const patterns = isObject(match["claimPatterns"]) ? Object.entries(match["claimPatterns"]) : [];
  const custom = patterns.map(([claim, pattern]) => [`claim_match.claim_patterns.${claim}`, stringOf(pattern)]);
  return [...missing, ...checkPatterns(Object.fromEntries([...named, ...custom]) as Record<string, string>)];
}

/** Violations of the rule for patterns, by field (docs/platform-api.md#patterns). */
function checkPatterns(patterns: Readonly<Record<string, string>>): FieldViolation[] {
  return Object.entries(patterns).flatMap(([field, pattern]) => {
    const problem = patternProblem(pattern);
    return problem === undefined ? [] : [{ field, description: `"${pattern}" is not a regular expression: ${problem}` }];
  });
}

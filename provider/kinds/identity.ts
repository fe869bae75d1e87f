import type { Filter, WireObject } from "../client/collection";
import { declare, type Wire } from "./declaration";
import { createTime, description, detail, message, name, parent, text, time } from "./fields";
import { groupName, issuerUrl } from "./inputs";
import { roleBinding } from "./role-binding";

/** How an identity authenticates, for the filter of its List. */
export type RelationshipType =
  | "RELATIONSHIP_TYPE_CLAIM_MATCH"
  | "RELATIONSHIP_TYPE_STATIC"
  | "RELATIONSHIP_TYPE_AWS_IDENTITY"
  | "RELATIONSHIP_TYPE_SERVICE_PRINCIPAL";

const relationshipMember: Readonly<Record<RelationshipType, string>> = {
  RELATIONSHIP_TYPE_CLAIM_MATCH: "claimMatch",
  RELATIONSHIP_TYPE_STATIC: "staticKeys",
  RELATIONSHIP_TYPE_AWS_IDENTITY: "awsIdentity",
  RELATIONSHIP_TYPE_SERVICE_PRINCIPAL: "servicePrincipal",
};

const byRelationship: Filter<WireObject, RelationshipType> = {
  parameter: "relationship_type",
  matches: (row, type) => Boolean(Reflect.get(row, relationshipMember[type])),
};

/** An identity: who may log in, with which OIDC token (docs/platform-api.md#identities). */
export const identity = declare({
  name: "Identity",
  address: { noun: "identity", area: "iam", segment: "identities", capabilities: "IAM_IDENTITY" },
  fields: {
    /** Uid of the group that the identity is in. A change replaces the identity. */
    parentUid: parent(),
    /** Lowercase letters, digits, spaces, dots, underscores and hyphens. Default: the logical name. */
    name: name(groupName),
    /** What the identity is for, on one line. Default: none. */
    description: description(),
    /** Which OIDC tokens may assume the identity. */
    claimMatch: message("ClaimMatch", {
      /** Issuer of the token: an https URL, or http to localhost. */
      issuer: text(issuerUrl),
      /** Subject of the token, exactly. */
      subject: text(),
    }),
    /** When it was last assumed, RFC 3339. */
    lastSeenTime: detail(time()),
    /** When the identity was created, RFC 3339. */
    createTime: createTime(),
    /** When the identity last changed, RFC 3339. */
    updateTime: detail(time()),
  },
  naturalKey: ["name"],
  filters: { name: "name", relationshipType: byRelationship },
  blockers: [{ collection: roleBinding.collection, query: (uid) => ({ identity: uid }) }],
  calls: { delete: "refuses missing", lookAhead: true },
});

/** An identity as the platform returns it. */
export type WireIdentity = Wire<(typeof identity)["fields"]>;

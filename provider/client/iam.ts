import { z } from "zod";
import { byName, type Collection, enumeration, flag, listOf, objectUid, referenceUid, text, timestamp } from "./collection";
import { isBelow, parentOf } from "./uid";

const groupSchema = z.looseObject({
  uid: objectUid,
  name: text,
  description: text,
  resourceLimits: z
    .record(z.string(), z.number())
    .nullish()
    .transform((value) => value ?? {}),
  verified: flag,
  kind: enumeration,
  status: enumeration,
  createTime: timestamp,
  updateTime: timestamp,
});

/** A group as the platform answers it (SPEC §2, API-FACTS §2.1). */
export type WireGroup = z.infer<typeof groupSchema>;

/** Groups: the tree of an organisation. */
export const groups: Collection<WireGroup, { name?: string; ancestorsOf?: string }> = {
  noun: "group",
  area: "iam",
  segment: "groups",
  schema: groupSchema,
  filters: {
    name: byName,
    // Whether a group is upward of itself, only the platform knows.
    ancestorsOf: { parameter: "uidp.ancestors_of", matches: (row, uid) => row.uid === uid || isBelow(uid, row.uid) },
  },
};

const claimMatchSchema = z.record(z.string(), z.unknown());

const identitySchema = z.looseObject({
  uid: objectUid,
  name: text,
  description: text,
  /** Kept whole, so that a member nobody declared is seen (DESIGN §5). */
  claimMatch: claimMatchSchema.nullish().transform((value) => value ?? undefined),
  lastSeenTime: timestamp,
  createTime: timestamp,
  updateTime: timestamp,
});

/** An identity as the platform answers it (SPEC §2, API-FACTS §2.2). */
export type WireIdentity = z.infer<typeof identitySchema>;

/** How an identity proves itself (API-FACTS §2.2). */
export type RelationshipType =
  | "RELATIONSHIP_TYPE_CLAIM_MATCH"
  | "RELATIONSHIP_TYPE_STATIC"
  | "RELATIONSHIP_TYPE_AWS_IDENTITY"
  | "RELATIONSHIP_TYPE_SERVICE_PRINCIPAL";

const relationshipMember: Record<RelationshipType, string> = {
  RELATIONSHIP_TYPE_CLAIM_MATCH: "claimMatch",
  RELATIONSHIP_TYPE_STATIC: "staticKeys",
  RELATIONSHIP_TYPE_AWS_IDENTITY: "awsIdentity",
  RELATIONSHIP_TYPE_SERVICE_PRINCIPAL: "servicePrincipal",
};

/** Identities: who may log in. */
export const identities: Collection<WireIdentity, { name?: string; relationshipType?: RelationshipType }> = {
  noun: "identity",
  area: "iam",
  segment: "identities",
  schema: identitySchema,
  filters: {
    name: byName,
    relationshipType: {
      parameter: "relationship_type",
      matches: (row, type) => Boolean(row[relationshipMember[type]]),
    },
  },
};

const roleSchema = z.looseObject({
  uid: objectUid,
  name: text,
  description: text,
  capabilities: listOf(z.union([z.string(), z.number()]).transform(String)),
  createTime: timestamp,
  updateTime: timestamp,
});

/** A role as the platform answers it (SPEC §2, API-FACTS §2.3). Built-in ones have a uid without `/`. */
export type WireRole = z.infer<typeof roleSchema>;

/** Roles: what may be done. */
export const roles: Collection<WireRole, { name?: string }> = {
  noun: "role",
  area: "iam",
  segment: "roles",
  schema: roleSchema,
  filters: { name: byName },
};

const reference = z.looseObject({ uid: referenceUid, name: text, description: text });

/** True when two places that speak of one object do not contradict each other; either may be empty. */
function agree(one: string | undefined, other: string | undefined): boolean {
  return !one || !other || one === other;
}

const roleBindingSchema = z
  .looseObject({
    uid: objectUid,
    identity: reference.extend({ subject: text, issuer: text }).nullish(),
    group: reference.nullish(),
    role: reference.nullish(),
    identityUid: referenceUid,
    roleUid: referenceUid,
    createTime: timestamp,
  })
  .refine(({ identity, identityUid }) => agree(identity?.uid, identityUid), "names two identities")
  .refine(({ role, roleUid }) => agree(role?.uid, roleUid), "names two roles")
  .refine(({ uid, group }) => agree(group?.uid, parentOf(uid)), "names a group that it does not lie in");

/** A role binding as the platform answers it, its references expanded (SPEC §2, API-FACTS §2.4). */
export type WireRoleBinding = z.infer<typeof roleBindingSchema>;

/** The identity of a binding: the bare field comes back empty from a server that expands (API-FACTS §2.4). */
export function boundIdentity(binding: WireRoleBinding): string {
  return binding.identity?.uid || binding.identityUid;
}

/** The role of a binding. */
export function boundRole(binding: WireRoleBinding): string {
  return binding.role?.uid || binding.roleUid;
}

/** Role bindings: who has which role where. */
export const roleBindings: Collection<WireRoleBinding, { identity?: string; group?: string; role?: string }> = {
  noun: "role binding",
  area: "iam",
  segment: "roleBindings",
  batch: { limit: 25, member: "roleBinding" },
  schema: roleBindingSchema,
  filters: {
    identity: { parameter: "identity", matches: (row, uid) => boundIdentity(row) === uid },
    group: { parameter: "group", matches: (row, uid) => (row.group?.uid || parentOf(row.uid)) === uid },
    role: { parameter: "role", matches: (row, uid) => boundRole(row) === uid },
  },
};

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

/** A group as the platform returns it (docs/platform-api.md#groups). */
export type WireGroup = z.infer<typeof groupSchema>;

/** Groups: the tree of an organisation. */
export const groups: Collection<WireGroup, { name?: string; ancestorsOf?: string }> = {
  noun: "group",
  area: "iam",
  segment: "groups",
  capabilities: "IAM_GROUPS",
  schema: groupSchema,
  filters: {
    name: byName,
    // Whether a group counts as its own ancestor is the platform's choice.
    ancestorsOf: { parameter: "uidp.ancestors_of", matches: (row, uid) => row.uid === uid || isBelow(uid, row.uid) },
  },
};

const claimMatchSchema = z.record(z.string(), z.unknown());

const identitySchema = z.looseObject({
  uid: objectUid,
  name: text,
  description: text,
  /** Kept whole, so that undeclared members show as drift. */
  claimMatch: claimMatchSchema.nullish().transform((value) => value ?? undefined),
  lastSeenTime: timestamp,
  createTime: timestamp,
  updateTime: timestamp,
});

/** An identity as the platform returns it (docs/platform-api.md#identities). */
export type WireIdentity = z.infer<typeof identitySchema>;

/** How an identity authenticates. */
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
  capabilities: "IAM_IDENTITY",
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

/** A role as the platform returns it (docs/platform-api.md#roles). Built-in ones have a uid without `/`. */
export type WireRole = z.infer<typeof roleSchema>;

/** Roles: what may be done. */
export const roles: Collection<WireRole, { name?: string }> = {
  noun: "role",
  area: "iam",
  segment: "roles",
  capabilities: "IAM_ROLES",
  schema: roleSchema,
  filters: { name: byName },
};

const reference = z.looseObject({ uid: referenceUid, name: text, description: text });

/** True when two references to one object do not contradict each other; either may be empty. */
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
  .refine(({ uid, group }) => agree(group?.uid, parentOf(uid)), "names a group other than its parent");

/** A role binding as the platform returns it, its references expanded (docs/platform-api.md#role-bindings). */
export type WireRoleBinding = z.infer<typeof roleBindingSchema>;

/** Uid of the identity of a binding. A server that expands references leaves the bare field empty. */
export function boundIdentity(binding: WireRoleBinding): string {
  return binding.identity?.uid || binding.identityUid;
}

/** Uid of the role of a binding. */
export function boundRole(binding: WireRoleBinding): string {
  return binding.role?.uid || binding.roleUid;
}

/** Role bindings: who has which role where. */
export const roleBindings: Collection<WireRoleBinding, { identity?: string; group?: string; role?: string }> = {
  noun: "role binding",
  area: "iam",
  segment: "roleBindings",
  capabilities: "IAM_ROLE_BINDINGS",
  batch: { limit: 25, member: "roleBinding" },
  schema: roleBindingSchema,
  filters: {
    identity: { parameter: "identity", matches: (row, uid) => boundIdentity(row) === uid },
    group: { parameter: "group", matches: (row, uid) => (row.group?.uid || parentOf(row.uid)) === uid },
    role: { parameter: "role", matches: (row, uid) => boundRole(row) === uid },
  },
};

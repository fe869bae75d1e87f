import type { Access } from "../auth/authorization";
import { groups } from "../objects/groups";
import { termsAcceptances } from "../objects/terms-acceptances";
import type { Services } from "./services";
import { ancestorsOf } from "../storage/uid";
import { invalidArgument } from "../wire/errors";
import type { Json, JsonObject } from "../wire/json";
import { messageNamed } from "../contract/messages";
import { parseMessage } from "../wire/message";
import type { Query } from "../wire/query";
import { Collection } from "./collection";

const request = messageNamed("iam.TermsService.AcceptTermsBody");

/** Accepts terms for a group. Accepting one again changes nothing. */
export function acceptTerms(services: Services, access: Access, group: string, body: Json): JsonObject {
  const { store, settings } = services;
  new Collection(services, groups, access).require(group, ["CAP_TERMS_ACCEPT"]);
  const parsed = parseMessage(request, body);
  const documentIds = (parsed["documentIds"] ?? []) as string[];
  if (documentIds.length === 0 || documentIds.includes(""))
    throw invalidArgument({ field: "document_ids", description: "must name at least one document" });
  const accepted = store
    .select(termsAcceptances.collection, [{ sql: "parent = ?", values: [group] }])
    .map(({ fields }) => fields["docId"]);
  for (const docId of new Set(documentIds.filter((id) => !accepted.includes(id)))) {
    const fields = { docId, acceptedBy: access.identity };
    store.insert({ kind: termsAcceptances.collection, parent: group, createTime: settings.timestamp(), fields });
  }
  return { group, documentIds };
}

/** The terms accepted for a group or one above it. */
export function listTerms(services: Services, access: Access, group: string, query: Query): JsonObject {
  new Collection(services, groups, access).require(group, [termsAcceptances.capabilities.list]);
  const places = JSON.stringify([group, ...ancestorsOf(group)]);
  return new Collection(services, termsAcceptances, access).list(query, {
    sql: "parent IN (SELECT value FROM json_each(?))",
    values: [places],
  });
}

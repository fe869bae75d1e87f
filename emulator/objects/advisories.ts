import { messageNamed } from "../contract/messages";
import { equals, isOneOf } from "./filters";
import type { Filter, ObjectKind } from "./object-kind";

/** Members of an advisory event by their name in the event type filters (docs/platform-api.md#advisories). */
const eventTypes: Readonly<Record<string, string>> = {
  DETECTION: "detection",
  TRUE_POSITIVE_DETERMINATION: "truePositiveDetermination",
  FIXED: "fixed",
  FALSE_POSITIVE_DETERMINATION: "falsePositiveDetermination",
  ANALYSIS_NOT_PLANNED: "analysisNotPlanned",
  FIX_NOT_PLANNED: "fixNotPlanned",
  PENDING_UPSTREAM_FIX: "pendingUpstreamFix",
  PATCHED: "patched",
};
/** Advisories on vulnerabilities; read-only (docs/platform-api.md#advisories). */
export const advisories: ObjectKind = {
  area: "vulnerabilities",
  collection: "advisories",
  noun: "advisory",
  parent: "groups",
  message: messageNamed("vulnerabilities.Advisory"),
  capabilities: { list: "CAP_ADVISORIES_LIST" },
  orders: ["uid", "created_at", "updated_at"],
  filters: {
    advisory_ids: isOneOf("fields ->> 'advisoryId'"),
    legacy_advisory_ids: isOneOf("fields ->> 'legacyAdvisoryId'"),
    artifact_names: isOneOf("fields ->> 'artifactName'"),
    artifact_types: isOneOf("fields ->> 'artifactType'"),
    artifact_architectures: isOneOf("fields ->> 'artifactArchitecture'"),
    component_names: isOneOf("fields ->> 'componentName'"),
    component_types: isOneOf("fields ->> 'componentType'"),
    component_locations: isOneOf("fields ->> 'componentLocation'"),
    aliases: anyOf("$.aliases", "item.value"),
    origin: equals("fields ->> 'artifactName'"),
    event_review_states: anyOf("$.events", "item.value ->> 'reviewState'"),
    event_authors: anyOf("$.events", "item.value ->> 'author'"),
    exclude_event_authors: (values) => ({
      sql: `NOT EXISTS (SELECT 1 FROM json_each(fields, '$.events') AS item
        WHERE item.value ->> 'author' IN (SELECT value FROM json_each(?)))`,
      values: [JSON.stringify(values)],
    }),
    event_reviewers: anyOf("$.events", "item.value ->> 'reviewer'"),
    event_types: (values) => ({
      sql: `EXISTS (SELECT 1 FROM json_each(fields, '$.events') AS item, json_each(item.value) AS member
        WHERE member.key IN (SELECT value FROM json_each(?)))`,
      values: [JSON.stringify(values.flatMap(eventMember))],
    }),
    latest_event_type([type = ""]) {
      const [member] = eventMember(type);
      return member === undefined
        ? undefined
        : { sql: "json_extract(fields, '$.events[#-1].' || ?) IS NOT NULL", values: [member] };
    },
    query: ([query = ""]) => ({
      sql: `instr(lower(concat_ws(' ', fields ->> 'advisoryId', fields ->> 'artifactName', fields ->> 'componentName',
        fields ->> 'aliases')), lower(?)) > 0`,
      values: [query],
    }),
  },
  overrides: { origin: "artifact_names" },
};

function anyOf(path: string, expression: string): Filter {
  return (values) => ({
    sql: `EXISTS (SELECT 1 FROM json_each(fields, '${path}') AS item WHERE ${expression} IN (SELECT value FROM json_each(?)))`,
    values: [JSON.stringify(values)],
  });
}

function eventMember(type: string): string[] {
  const member = eventTypes[type.replace(/^EVENT_TYPE_FILTER_/, "")];
  return member === undefined ? [] : [member];
}

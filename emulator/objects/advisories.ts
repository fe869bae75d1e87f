import { isOneOf, output, text, texts, time, uid, type Filter, type Kind } from "./kind";
import type { Field, Message } from "../wire/message";

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
const eventTypeNames = ["UNSPECIFIED", ...Object.keys(eventTypes)].map((name) => `EVENT_TYPE_FILTER_${name}`);

const reviewStates = ["UNSPECIFIED", "PENDING", "APPROVED", "REQUEST_CHANGES", "REJECTED"].map((name) => `REVIEW_STATE_${name}`);

const falsePositives = [
  "UNSPECIFIED",
  "VULNERABILITY_RECORD_ANALYSIS_CONTESTED",
  "COMPONENT_VULNERABILITY_MISMATCH",
  "VULNERABLE_CODE_VERSION_NOT_USED",
  "VULNERABLE_CODE_NOT_INCLUDED_IN_PACKAGE",
  "VULNERABLE_CODE_NOT_IN_EXECUTION_PATH",
  "VULNERABLE_CODE_CANNOT_BE_CONTROLLED_BY_ADVERSARY",
  "INLINE_MITIGATIONS_EXIST",
].map((name) => `TYPE_${name}`);

const happening = (of: Message): Field => ({ type: "message", of, oneof: "event" });
const note = happening({ note: text });

const event: Message = {
  uid,
  createTime: time,
  findings: text,
  author: text,
  reviewer: text,
  reviewState: { type: "enum", names: reviewStates },
  issue: { ...text, optional: true },
  detection: happening({
    nvdapi: { type: "message", of: { cpeSearched: text, cpeFound: text }, oneof: "source" },
    manual: { type: "message", of: {}, oneof: "source" },
    scanv1: { type: "message", of: { scanner: text, componentVersion: text }, oneof: "source" },
  }),
  fixed: happening({ fixedVersion: text }),
  falsePositiveDetermination: happening({ type: { type: "enum", names: falsePositives }, note: text }),
  analysisNotPlanned: note,
  fixNotPlanned: note,
  pendingUpstreamFix: note,
  truePositiveDetermination: note,
  patched: happening({ patchedVersions: texts, note: text }),
};

/** Advisories on vulnerabilities; read-only (docs/platform-api.md#advisories). */
export const advisories: Kind = {
  area: "vulnerabilities",
  collection: "advisories",
  noun: "advisory",
  parent: "groups",
  message: {
    uid,
    advisoryId: text,
    createTime: time,
    updateTime: time,
    deleteTime: output({ type: "timestamp", optional: true }),
    author: text,
    artifactName: text,
    artifactType: text,
    artifactArchitecture: text,
    componentName: text,
    componentLocation: text,
    componentType: text,
    aliases: texts,
    events: { type: "list", of: { type: "message", of: event } },
    legacyAdvisoryId: { ...text, optional: true },
    severities: {
      type: "list",
      of: {
        type: "message",
        of: {
          type: { type: "enum", names: ["UNSPECIFIED", "CVSS_V2", "CVSS_V3", "CVSS_V4"].map((name) => `TYPE_${name}`) },
          score: text,
        },
      },
    },
  },
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
    origin: {
      type: "string",
      overrides: "artifact_names",
      condition: ([origin = ""]) => ({ sql: "fields ->> 'artifactName' = ?", values: [origin] }),
    },
    event_review_states: anyOf("$.events", "item.value ->> 'reviewState'", reviewStates),
    event_authors: anyOf("$.events", "item.value ->> 'author'"),
    exclude_event_authors: {
      type: "string",
      isRepeated: true,
      condition: (values) => ({
        sql: `NOT EXISTS (SELECT 1 FROM json_each(fields, '$.events') AS item
          WHERE item.value ->> 'author' IN (SELECT value FROM json_each(?)))`,
        values: [JSON.stringify(values)],
      }),
    },
    event_reviewers: anyOf("$.events", "item.value ->> 'reviewer'"),
    event_types: {
      type: eventTypeNames,
      isRepeated: true,
      condition: (values) => ({
        sql: `EXISTS (SELECT 1 FROM json_each(fields, '$.events') AS item, json_each(item.value) AS member
          WHERE member.key IN (SELECT value FROM json_each(?)))`,
        values: [JSON.stringify(values.flatMap(eventMember))],
      }),
    },
    latest_event_type: {
      type: eventTypeNames,
      condition([type = ""]) {
        const [member] = eventMember(type);
        return member === undefined
          ? undefined
          : { sql: "json_extract(fields, '$.events[#-1].' || ?) IS NOT NULL", values: [member] };
      },
    },
    query: {
      type: "string",
      condition: ([query = ""]) => ({
        sql: `instr(lower(concat_ws(' ', fields ->> 'advisoryId', fields ->> 'artifactName', fields ->> 'componentName',
          fields ->> 'aliases')), lower(?)) > 0`,
        values: [query],
      }),
    },
  },
  check: () => [],
};

function anyOf(path: string, expression: string, type: Filter["type"] = "string"): Filter {
  return {
    type,
    isRepeated: true,
    condition: (values) => ({
      sql: `EXISTS (SELECT 1 FROM json_each(fields, '${path}') AS item WHERE ${expression} IN (SELECT value FROM json_each(?)))`,
      values: [JSON.stringify(values)],
    }),
  };
}

function eventMember(type: string): string[] {
  const member = eventTypes[type.replace(/^EVENT_TYPE_FILTER_/, "")];
  return member === undefined ? [] : [member];
}

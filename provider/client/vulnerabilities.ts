import { z } from "zod";
import { type Collection, enumeration, type Filter, listOf, objectUid, text, timestamp } from "./collection";

const eventSchema = z.looseObject({
  uid: text,
  createTime: timestamp,
  author: text,
  reviewer: text,
  reviewState: enumeration,
});

const advisorySchema = z.looseObject({
  uid: objectUid,
  advisoryId: text,
  author: text,
  artifactName: text,
  artifactType: text,
  artifactArchitecture: text,
  componentName: text,
  componentLocation: text,
  componentType: text,
  legacyAdvisoryId: text,
  aliases: listOf(z.string()),
  events: listOf(eventSchema),
  severities: listOf(z.looseObject({ type: enumeration, score: z.union([z.string(), z.number()]).nullish() })),
  createTime: timestamp,
  updateTime: timestamp,
});

/** A vulnerability advisory (docs/platform-api.md#advisories). */
export type WireAdvisory = z.infer<typeof advisorySchema>;

/** States of the review of an event. */
export const reviewStates = [
  "REVIEW_STATE_PENDING",
  "REVIEW_STATE_APPROVED",
  "REVIEW_STATE_REQUEST_CHANGES",
  "REVIEW_STATE_REJECTED",
] as const;

/** State of the review of an event. */
export type ReviewState = (typeof reviewStates)[number];

/** The member that an event of each type has, by the type's name in filters. */
const memberOfType = {
  EVENT_TYPE_FILTER_DETECTION: "detection",
  EVENT_TYPE_FILTER_TRUE_POSITIVE_DETERMINATION: "truePositiveDetermination",
  EVENT_TYPE_FILTER_FIXED: "fixed",
  EVENT_TYPE_FILTER_FALSE_POSITIVE_DETERMINATION: "falsePositiveDetermination",
  EVENT_TYPE_FILTER_ANALYSIS_NOT_PLANNED: "analysisNotPlanned",
  EVENT_TYPE_FILTER_FIX_NOT_PLANNED: "fixNotPlanned",
  EVENT_TYPE_FILTER_PENDING_UPSTREAM_FIX: "pendingUpstreamFix",
  EVENT_TYPE_FILTER_PATCHED: "patched",
} as const;

/** Type of an event of an advisory, by its name in filters. */
export type EventType = keyof typeof memberOfType;

/** All types of events. */
export const eventTypes = Object.keys(memberOfType) as EventType[];

/** Filters of the List of advisories; a list matches any of its items (docs/platform-api.md#list-filters). */
export interface AdvisoryFilters {
  advisoryIds?: string[];
  legacyAdvisoryIds?: string[];
  /** Not together with `origin`, which overrides it on the platform. */
  artifactNames?: string[];
  artifactTypes?: string[];
  artifactArchitectures?: string[];
  componentNames?: string[];
  componentTypes?: string[];
  componentLocations?: string[];
  aliases?: string[];
  /** Only advisories of packages built from this one. */
  origin?: string;
  eventReviewStates?: ReviewState[];
  eventAuthors?: string[];
  excludeEventAuthors?: string[];
  eventReviewers?: string[];
  eventTypes?: EventType[];
  latestEventType?: EventType;
  /** Substring; case does not count. */
  query?: string;
}

type TextMember =
  | "artifactName"
  | "artifactType"
  | "artifactArchitecture"
  | "componentName"
  | "componentType"
  | "componentLocation"
  | "advisoryId"
  | "legacyAdvisoryId";

function anyOf(parameter: string, member: TextMember): Filter<WireAdvisory, string[]> {
  return { parameter, matches: (row, values) => values.includes(row[member]) };
}

type Event = WireAdvisory["events"][number];

/** Rows with an event that matches. A row without events passes: a List may omit the history. */
function someEvent<Value>(parameter: string, matches: (event: Event, value: Value) => boolean): Filter<WireAdvisory, Value> {
  return { parameter, matches: ({ events }, value) => events.length === 0 || events.some((event) => matches(event, value)) };
}

function isOfType(event: Event, type: EventType): boolean {
  return Boolean(event[memberOfType[type]]);
}

/** Advisories: read-only. */
export const advisories: Collection<WireAdvisory, AdvisoryFilters> = {
  noun: "advisory",
  area: "vulnerabilities",
  segment: "advisories",
  capabilities: "ADVISORIES",
  schema: advisorySchema,
  filters: {
    advisoryIds: anyOf("advisory_ids", "advisoryId"),
    legacyAdvisoryIds: anyOf("legacy_advisory_ids", "legacyAdvisoryId"),
    artifactNames: anyOf("artifact_names", "artifactName"),
    artifactTypes: anyOf("artifact_types", "artifactType"),
    artifactArchitectures: anyOf("artifact_architectures", "artifactArchitecture"),
    componentNames: anyOf("component_names", "componentName"),
    componentTypes: anyOf("component_types", "componentType"),
    componentLocations: anyOf("component_locations", "componentLocation"),
    aliases: { parameter: "aliases", matches: (row, values) => row.aliases.some((alias) => values.includes(alias)) },
    // No row shows which package it was built from.
    origin: { parameter: "origin" },
    eventReviewStates: someEvent("event_review_states", ({ reviewState }, states) =>
      states.some((state) => state === reviewState),
    ),
    eventAuthors: someEvent("event_authors", ({ author }, authors) => authors.includes(author)),
    excludeEventAuthors: {
      parameter: "exclude_event_authors",
      matches: ({ events }, authors) => !events.some(({ author }) => authors.includes(author)),
    },
    eventReviewers: someEvent("event_reviewers", ({ reviewer }, reviewers) => reviewers.includes(reviewer)),
    eventTypes: someEvent("event_types", (event, types) => types.some((type) => isOfType(event, type))),
    // Only the platform knows which event counts as the latest; a row without any event of the type cannot match.
    latestEventType: someEvent("latest_event_type", isOfType),
    // Only the platform knows which members it searches; a text in none of them cannot match.
    query: {
      parameter: "query",
      matches: (row, query) =>
        Object.values(row)
          .flat()
          .some((text) => typeof text === "string" && text.toLowerCase().includes(query.trim().toLowerCase())),
    },
  },
};

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

/** A vulnerability advisory (API-FACTS §2.11). */
export type WireAdvisory = z.infer<typeof advisorySchema>;

/** The filters that the List of advisories has of its own; a list matches any of its members (API-FACTS §3.1). */
export interface AdvisoryFilters {
  advisoryIds?: string[];
  legacyAdvisoryIds?: string[];
  artifactNames?: string[];
  artifactTypes?: string[];
  artifactArchitectures?: string[];
  componentNames?: string[];
  componentTypes?: string[];
  componentLocations?: string[];
  aliases?: string[];
  /** Overrides `artifactNames` on the platform. */
  origin?: string;
  eventReviewStates?: string[];
  eventAuthors?: string[];
  excludeEventAuthors?: string[];
  eventReviewers?: string[];
  eventTypes?: string[];
  latestEventType?: string;
  /** Substring, upper and lower case alike. */
  query?: string;
}

type TextMember =
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

/** Advisories: read-only. */
export const advisories: Collection<WireAdvisory, AdvisoryFilters> = {
  noun: "advisory",
  area: "vulnerabilities",
  segment: "advisories",
  schema: advisorySchema,
  filters: {
    advisoryIds: anyOf("advisory_ids", "advisoryId"),
    legacyAdvisoryIds: anyOf("legacy_advisory_ids", "legacyAdvisoryId"),
    // `origin` overrides the names, so they are no test of a row on this side.
    artifactNames: { parameter: "artifact_names" },
    artifactTypes: anyOf("artifact_types", "artifactType"),
    artifactArchitectures: anyOf("artifact_architectures", "artifactArchitecture"),
    componentNames: anyOf("component_names", "componentName"),
    componentTypes: anyOf("component_types", "componentType"),
    componentLocations: anyOf("component_locations", "componentLocation"),
    aliases: { parameter: "aliases", matches: (row, values) => row.aliases.some((alias) => values.includes(alias)) },
    origin: { parameter: "origin" },
    eventReviewStates: { parameter: "event_review_states" },
    eventAuthors: { parameter: "event_authors" },
    excludeEventAuthors: { parameter: "exclude_event_authors" },
    eventReviewers: { parameter: "event_reviewers" },
    eventTypes: { parameter: "event_types" },
    latestEventType: { parameter: "latest_event_type" },
    query: { parameter: "query" },
  },
};

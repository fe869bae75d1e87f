import type { Wire } from "../schema/declaration";
import { declareReadable } from "../schema/declare";
import type { EnumName, Field } from "../schema/field";
import { answeredMessage, detail, enumeration, enumOf, listOf, setOf, text, time } from "../schema/fields";
import { type DeclaredFilter, filter } from "../schema/filters";

// Editors show the comments of messages only if these are declared in the file of their kind, because the compiler copies no others.

/** A remark on an event. */
const note = text();

const detection = answeredMessage("AdvisoryDetection", {
  /** Set if a person reported it. */
  manual: answeredMessage("AdvisoryManualDetection", {}),
  /** Set if the National Vulnerability Database reports it. */
  nvdapi: answeredMessage("AdvisoryDatabaseDetection", {
    /** The CPE name that was searched for. */
    cpeSearched: text(),
    /** The CPE name that was found. */
    cpeFound: text(),
  }),
  /** Set if a scanner found it. */
  scanv1: answeredMessage("AdvisoryScanDetection", {
    /** Name of the scanner. */
    scanner: text(),
    /** Version of the scanner. */
    scannerVersion: text(),
    /** When the scanner's database was built. */
    grypeDbBuilt: text(),
    /** Checksum of the scanner's database. */
    grypeDbChecksum: text(),
    /** Version of the scanned artifact. */
    artifactVersion: text(),
    /** Name of the package in which the artifact has the component. */
    subpackage: text(),
    /** Id of the component, by the scanner. */
    componentId: text(),
    /** Name of the component. */
    component: text(),
    /** Version of the component. */
    componentVersion: text(),
    /** Type of the component. */
    componentType: text(),
    /** Where the artifact has the component. */
    componentLocation: text(),
  }),
});

/** One step in the history of an advisory. */
const advisoryEvent = answeredMessage("AdvisoryEvent", {
  /** Uid of the event. */
  uid: text(),
  /** When the event was added, RFC 3339. */
  createTime: time(),
  /** Who added the event. */
  author: text(),
  /** Who reviewed the event; empty before the review. */
  reviewer: text(),
  /** State of the review, `REVIEW_STATE_…`; empty if unknown. */
  reviewState: enumeration(),
  /** Findings of the author, in Base64; empty if unset. */
  findings: text(),
  /** The issue that tracks the event; empty if unset. */
  issue: text(),
  /** Set if the vulnerability was detected. */
  detection,
  /** Set if the vulnerability was confirmed. */
  truePositiveDetermination: answeredMessage("AdvisoryTruePositive", {
    /** A remark. */
    note,
  }),
  /** Set if the vulnerability is fixed. */
  fixed: answeredMessage("AdvisoryFixed", {
    /** The first version without the vulnerability. */
    fixedVersion: text(),
    /** Version of the scanner that confirmed it. */
    scannerVersion: text(),
    /** When the scanner's database was built. */
    grypeDbBuilt: text(),
    /** Checksum of the scanner's database. */
    grypeDbChecksum: text(),
    /** A remark. */
    note,
  }),
  /** Set if the detection was wrong. */
  falsePositiveDetermination: answeredMessage("AdvisoryFalsePositive", {
    /** Why it was wrong, `TYPE_…`; empty if unknown. */
    type: enumeration(),
    /** A remark. */
    note,
  }),
  /** Set if it will not be analysed. */
  analysisNotPlanned: answeredMessage("AdvisoryAnalysisNotPlanned", {
    /** A remark. */
    note,
  }),
  /** Set if it will not be fixed. */
  fixNotPlanned: answeredMessage("AdvisoryFixNotPlanned", {
    /** A remark. */
    note,
  }),
  /** Set if the fix must come from upstream. */
  pendingUpstreamFix: answeredMessage("AdvisoryPendingUpstreamFix", {
    /** A remark. */
    note,
  }),
  /** Set if versions of the component were patched. */
  patched: answeredMessage("AdvisoryPatched", {
    /** The patched versions. */
    patchedVersions: listOf(text()),
    /** A remark. */
    note,
  }),
});

const fields = {
  /** Published id of the advisory. */
  advisoryId: text(),
  /** Its id in an older numbering; empty if unset. */
  legacyAdvisoryId: text(),
  /** Who published the advisory. */
  author: text(),
  /** Name of the affected artifact. */
  artifactName: text(),
  /** Type of the affected artifact. */
  artifactType: text(),
  /** Architecture of the affected artifact. */
  artifactArchitecture: text(),
  /** Name of the vulnerable component. */
  componentName: text(),
  /** Where the artifact has the component. */
  componentLocation: text(),
  /** Type of the component. */
  componentType: text(),
  /** Names of the same vulnerability elsewhere. */
  aliases: setOf(text()),
  /** The history of the advisory, in the order of the platform. */
  events: detail(listOf(advisoryEvent)),
  /** How severe the vulnerability is, on one or more scales. */
  severities: detail(
    listOf(
      answeredMessage("AdvisorySeverity", {
        /** The scale: `TYPE_CVSS_V2`, `TYPE_CVSS_V3`, `TYPE_CVSS_V4`; empty if unknown. */
        type: enumeration(),
        /** The score on this scale. */
        score: text(),
      }),
    ),
  ),
  /** When the advisory was created, RFC 3339. */
  createTime: time(),
  /** When the advisory last changed, RFC 3339. */
  updateTime: time(),
  /** When the advisory was withdrawn, RFC 3339. */
  deleteTime: time(),
};

/** A vulnerability advisory as the platform returns it. */
export type WireAdvisory = Wire<typeof fields>;

type Event = WireAdvisory["events"][number];

const reviewState = enumOf("REVIEW_STATE_", [
  "REVIEW_STATE_PENDING",
  "REVIEW_STATE_APPROVED",
  "REVIEW_STATE_REQUEST_CHANGES",
  "REVIEW_STATE_REJECTED",
]);

/** The member of an event of each type, by the type's name in filters. */
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

type KnownType = keyof typeof memberOfType;

/** The known types of events. */
export const eventTypes = Object.keys(memberOfType) as KnownType[];

const eventType = enumOf("EVENT_TYPE_FILTER_", eventTypes);

/** State of the review of an event. */
export type ReviewState = NonNullable<(typeof reviewState)["value"]>;

/** Type of an event of an advisory, by its name in filters. */
export type EventType = EnumName<"EVENT_TYPE_FILTER_", KnownType>;

type TextMember = { [Name in keyof WireAdvisory]: WireAdvisory[Name] extends string ? Name : never }[keyof WireAdvisory];

function anyOf(member: TextMember): DeclaredFilter<string[]> {
  return filter(setOf(text()), (row: WireAdvisory, values) => values.includes(row[member]));
}

/** Rows with a matching event. A row without events passes, because a List may omit the history. */
function someEvent<Value>(of: Field<Value>, matches: (event: Event, value: Value) => boolean): DeclaredFilter<Value> {
  return filter(of, ({ events }: WireAdvisory, value) => events.length === 0 || events.some((event) => matches(event, value)));
}

/** True for a type that is newer than this package, because the platform has filtered by it. */
function isOfType(event: Event, type: EventType): boolean {
  const member = (memberOfType as Readonly<Record<string, keyof Event>>)[type];
  return member === undefined || Boolean(event[member]);
}

/** A vulnerability advisory (docs/platform-api.md#advisories). Programs can only read it. */
export const advisory = declareReadable({
  name: "Advisory",
  address: { noun: "advisory", area: "vulnerabilities", segment: "advisories", capabilities: "ADVISORIES" },
  fields,
  naturalKey: ["advisoryId"],
  lookup: ({ advisoryId }) => ({ advisoryIds: [advisoryId] }),
  filters: {
    /** Only advisories with one of these published ids. */
    advisoryIds: anyOf("advisoryId"),
    /** Only advisories with one of these ids in the older numbering. */
    legacyAdvisoryIds: anyOf("legacyAdvisoryId"),
    /** Only advisories for one of these artifacts. Not together with `origin`. */
    artifactNames: anyOf("artifactName"),
    /** Only advisories for artifacts of one of these types. */
    artifactTypes: anyOf("artifactType"),
    /** Only advisories for one of these architectures. */
    artifactArchitectures: anyOf("artifactArchitecture"),
    /** Only advisories for one of these components. */
    componentNames: anyOf("componentName"),
    /** Only advisories for components of one of these types. */
    componentTypes: anyOf("componentType"),
    /** Only advisories for components in one of these places. */
    componentLocations: anyOf("componentLocation"),
    /** Only advisories for a vulnerability with one of these names elsewhere. */
    aliases: filter(setOf(text()), (row: WireAdvisory, values) => row.aliases.some((alias) => values.includes(alias))),
    // No row shows which package it was built from.
    /** Only advisories for packages built from this one. Not together with `artifactNames`. */
    origin: filter(text()),
    /** Only advisories with an event whose review is in one of these states. */
    eventReviewStates: someEvent(setOf(reviewState), (event, states) => states.some((state) => state === event.reviewState)),
    /** Only advisories with an event by one of these authors. */
    eventAuthors: someEvent(setOf(text()), ({ author }, authors) => authors.includes(author)),
    /** Only advisories without any event by one of these authors. */
    excludeEventAuthors: filter(
      setOf(text()),
      ({ events }: WireAdvisory, authors) => !events.some(({ author }) => authors.includes(author)),
    ),
    /** Only advisories with an event that one of these people reviewed. */
    eventReviewers: someEvent(setOf(text()), ({ reviewer }, reviewers) => reviewers.includes(reviewer)),
    /** Only advisories with an event of one of these types. */
    eventTypes: someEvent(setOf(eventType), (event, types) => types.some((type) => isOfType(event, type))),
    // Only the platform knows which event is the latest. A row without any event of the type cannot match.
    /** Only advisories whose latest event is of this type. */
    latestEventType: someEvent(eventType, isOfType),
    // Only the platform knows which members it searches. A text in none of them cannot match.
    /** Only advisories that contain this text, in upper or lower case. */
    query: filter(text(), (row: WireAdvisory, query) =>
      Object.values(row)
        .flat()
        .some((text) => typeof text === "string" && text.toLowerCase().includes(query.trim().toLowerCase())),
    ),
  },
  // The platform would ignore the names.
  atMostOneFilter: [["origin", "artifactNames"]],
});

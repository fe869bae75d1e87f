import { advisories, type AdvisoryFilters, eventTypes, reviewStates } from "../../provider/client/vulnerabilities";
import { oneOf, someOf, someText, someTexts } from "./arguments";
import { type ByUid, type Either, type GetFunction, sourceOfOne } from "./get-function";
import { type ListArgs, type ListFunction, sourceOfAll } from "./list-function";
import { type GetOutputFunction, type ListOutputFunction, outputForm } from "./output-form";
import { plainForm, type Source } from "./source";

export type { EventType, ReviewState } from "../../provider/client/vulnerabilities";

/** An advisory by its published id. */
export interface ByAdvisoryId {
  /** Published id of the advisory, exactly. */
  advisoryId: string;
}

/** Which advisory: by its uid or by its published id. */
export type GetAdvisoryArgs = Either<ByUid, ByAdvisoryId>;

/** One step in the history of an advisory. */
export interface AdvisoryEvent {
  readonly uid: string;
  /** RFC 3339. */
  readonly createTime: string | null;
  readonly author: string;
  readonly reviewer: string;
  /** `REVIEW_STATE_…`; empty if unknown. */
  readonly reviewState: string;
}

/** The severity of a vulnerability on one scale. */
export interface AdvisorySeverity {
  /** `TYPE_CVSS_V2`, `TYPE_CVSS_V3` or `TYPE_CVSS_V4`; empty if unknown. */
  readonly type: string;
  readonly score?: string | number | null | undefined;
}

/** A vulnerability advisory as the platform returns it. */
export interface GetAdvisoryResult {
  readonly uid: string;
  readonly advisoryId: string;
  readonly author: string;
  readonly artifactName: string;
  readonly artifactType: string;
  readonly artifactArchitecture: string;
  readonly componentName: string;
  readonly componentLocation: string;
  readonly componentType: string;
  /** Empty if unset. */
  readonly legacyAdvisoryId: string;
  /** Names of the same vulnerability elsewhere. */
  readonly aliases: string[];
  /** Its history, in the order of the platform. */
  readonly events: AdvisoryEvent[];
  readonly severities: AdvisorySeverity[];
  /** RFC 3339. */
  readonly createTime: string | null;
  /** RFC 3339. */
  readonly updateTime: string | null;
}

const one: Source<GetAdvisoryResult> = sourceOfOne("getAdvisory", {
  collection: advisories,
  key: { advisoryId: someText },
  query: ({ advisoryId }) => ({ advisoryIds: [advisoryId] }),
});

/**
 * One advisory, by its uid or by its published id.
 *
 * @example
 * ```ts
 * import { getAdvisoryOutput } from "pulumi-platform";
 *
 * export const component = getAdvisoryOutput({ advisoryId: "ADV-2026-0001" }).componentName;
 * ```
 */
export const getAdvisory: GetFunction<GetAdvisoryArgs, GetAdvisoryResult> = plainForm(one);

/** {@link getAdvisory} for arguments that may be outputs. */
export const getAdvisoryOutput: GetOutputFunction<GetAdvisoryArgs, GetAdvisoryResult> = outputForm(one);

/** The filters that only advisories have. */
type Filters = { [Name in keyof AdvisoryFilters]: AdvisoryFilters[Name] | undefined };

/** Filters and order of {@link getAdvisories}. */
export type GetAdvisoriesArgs = ListArgs &
  Omit<Filters, "origin" | "artifactNames"> &
  Either<Pick<Filters, "origin">, Pick<Filters, "artifactNames">>;

/** The result of {@link getAdvisories}. */
export interface GetAdvisoriesResult {
  readonly advisories: GetAdvisoryResult[];
}

const all: Source<GetAdvisoriesResult> = sourceOfAll(
  "getAdvisories",
  advisories,
  {
    advisoryIds: someTexts,
    legacyAdvisoryIds: someTexts,
    artifactNames: someTexts,
    artifactTypes: someTexts,
    artifactArchitectures: someTexts,
    componentNames: someTexts,
    componentTypes: someTexts,
    componentLocations: someTexts,
    aliases: someTexts,
    origin: someText,
    eventReviewStates: someOf(oneOf(...reviewStates)),
    eventAuthors: someTexts,
    excludeEventAuthors: someTexts,
    eventReviewers: someTexts,
    eventTypes: someOf(oneOf(...eventTypes)),
    latestEventType: oneOf(...eventTypes),
    query: someText,
  },
  (rows) => ({ advisories: rows }),
  // The platform would ignore the names.
  { origin: ["artifactNames"] },
);

/**
 * Every advisory that the filters select.
 *
 * @example
 * ```ts
 * import { getAdvisoriesOutput } from "pulumi-platform";
 *
 * const fixed = getAdvisoriesOutput({ artifactNames: ["web-server"], latestEventType: "EVENT_TYPE_FILTER_FIXED" });
 * export const fixedIds = fixed.advisories.apply((advisories) => advisories.map((advisory) => advisory.advisoryId));
 * ```
 */
export const getAdvisories: ListFunction<GetAdvisoriesArgs, GetAdvisoriesResult> = plainForm(all);

/** {@link getAdvisories} for arguments that may be outputs. */
export const getAdvisoriesOutput: ListOutputFunction<GetAdvisoriesArgs, GetAdvisoriesResult> = outputForm(all);

import { advisory } from "../../provider/kinds/advisory";
import {
  dataSources,
  type GetArgsOf,
  type GetFunction,
  type GetResultOf,
  type ListArgsOf,
  type ListFunction,
  type ListResultOf,
} from "./data-sources";
import type { GetOutputFunction, ListOutputFunction } from "./output-form";

export type { EventType, ReviewState } from "../../provider/kinds/advisory";

const advisories = dataSources(advisory);

/** Which advisory: by its uid or by its published id. */
export type GetAdvisoryArgs = GetArgsOf<typeof advisory>;

/** An advisory as the platform returns it. */
export interface GetAdvisoryResult extends GetResultOf<typeof advisory> {}

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
export const getAdvisory: GetFunction<GetAdvisoryArgs, GetAdvisoryResult> = advisories.one;

/** {@link getAdvisory} for arguments that may be outputs. */
export const getAdvisoryOutput: GetOutputFunction<GetAdvisoryArgs, GetAdvisoryResult> = advisories.oneOutput;

/** Filters and order of {@link getAdvisories}. */
export type GetAdvisoriesArgs = ListArgsOf<typeof advisory>;

/** The result of {@link getAdvisories}. */
export interface GetAdvisoriesResult extends ListResultOf<typeof advisory> {}

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
export const getAdvisories: ListFunction<GetAdvisoriesArgs, GetAdvisoriesResult> = advisories.all;

/** {@link getAdvisories} for arguments that may be outputs. */
export const getAdvisoriesOutput: ListOutputFunction<GetAdvisoriesArgs, GetAdvisoriesResult> = advisories.allOutput;

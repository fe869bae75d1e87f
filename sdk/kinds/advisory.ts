import * as data from "../functions/data-sources";

export type { EventType, ReviewState } from "../../provider/kinds/advisory";

/** Which advisory: by its uid or by its published id. */
export type GetAdvisoryArgs = data.GetArgsOf<"advisory">;

/** An advisory as the platform returns it. */
export interface GetAdvisoryResult extends data.GetResultOf<"advisory"> {}

const { one, oneOutput, all, allOutput } = data.dataSources("advisory");

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
export const getAdvisory: data.GetFunction<GetAdvisoryArgs, GetAdvisoryResult> = one;

/** {@link getAdvisory} for arguments that may be outputs. */
export const getAdvisoryOutput: data.GetOutputFunction<GetAdvisoryArgs, GetAdvisoryResult> = oneOutput;

/** Filters and order of {@link getAdvisories}. */
export type GetAdvisoriesArgs = data.ListArgsOf<"advisory">;

/** The result of {@link getAdvisories}. */
export interface GetAdvisoriesResult extends data.ListResultOf<"advisory"> {}

/**
 * Every advisory that the filters select.
 *
 * @example
 * ```ts
 * import { getAdvisoriesOutput } from "pulumi-platform";
 *
 * export const fixed = getAdvisoriesOutput({ artifactNames: ["web-server"], latestEventType: "EVENT_TYPE_FILTER_FIXED" });
 * ```
 */
export const getAdvisories: data.ListFunction<GetAdvisoriesArgs, GetAdvisoriesResult> = all;

/** {@link getAdvisories} for arguments that may be outputs. */
export const getAdvisoriesOutput: data.ListOutputFunction<GetAdvisoriesArgs, GetAdvisoriesResult> = allOutput;

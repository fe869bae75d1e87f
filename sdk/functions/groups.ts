import { group } from "../../provider/kinds/group";
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

const groups = dataSources(group);

/** Which group: by its uid or by its name. */
export type GetGroupArgs = GetArgsOf<typeof group>;

/** A group as the platform returns it. */
export interface GetGroupResult extends GetResultOf<typeof group> {}

/**
 * One group, by its uid or by its name.
 *
 * @example
 * ```ts
 * import { getGroupOutput } from "pulumi-platform";
 *
 * export const engineeringUid = getGroupOutput({ name: "engineering" }).uid;
 * ```
 */
export const getGroup: GetFunction<GetGroupArgs, GetGroupResult> = groups.one;

/** {@link getGroup} for arguments that may be outputs. */
export const getGroupOutput: GetOutputFunction<GetGroupArgs, GetGroupResult> = groups.oneOutput;

/** Filters and order of {@link getGroups}. */
export type GetGroupsArgs = ListArgsOf<typeof group>;

/** The result of {@link getGroups}. */
export interface GetGroupsResult extends ListResultOf<typeof group> {}

/**
 * Every group that the filters select.
 *
 * @example
 * ```ts
 * import { getGroupsOutput } from "pulumi-platform";
 *
 * const teams = getGroupsOutput({ childrenOf: "0123456789abcdef0123456789abcdef01234567", orderBy: "name" });
 * export const teamNames = teams.groups.apply((groups) => groups.map((group) => group.name));
 * ```
 */
export const getGroups: ListFunction<GetGroupsArgs, GetGroupsResult> = groups.all;

/** {@link getGroups} for arguments that may be outputs. */
export const getGroupsOutput: ListOutputFunction<GetGroupsArgs, GetGroupsResult> = groups.allOutput;

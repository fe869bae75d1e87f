import * as data from "../functions/data-sources";
import { type ArgsOf, type OutputsOf, resourceClass } from "../resources/declared";

/** The arguments of a {@link Group}. */
export type GroupArgs = ArgsOf<"group">;

/** The outputs of a {@link Group} besides `uid`. */
export interface Group extends OutputsOf<"group"> {}

/**
 * A group, which is a node of the organisation's tree.
 *
 * @example
 * ```ts
 * import { Group } from "pulumi-platform";
 *
 * const engineering = new Group("engineering", { parentUid: "0123456789abcdef0123456789abcdef01234567" });
 * const storage = new Group("storage", { parentUid: engineering.uid, description: "Keeps the data" });
 * export const storageUid = storage.uid;
 * ```
 */
export class Group extends resourceClass("group") {}

/** Which group: by its uid or by its name. */
export type GetGroupArgs = data.GetArgsOf<"group">;

/** A group as the platform returns it. */
export interface GetGroupResult extends data.GetResultOf<"group"> {}

const { one, oneOutput, all, allOutput } = data.dataSources("group");

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
export const getGroup: data.GetFunction<GetGroupArgs, GetGroupResult> = one;

/** {@link getGroup} for arguments that may be outputs. */
export const getGroupOutput: data.GetOutputFunction<GetGroupArgs, GetGroupResult> = oneOutput;

/** Filters and order of {@link getGroups}. */
export type GetGroupsArgs = data.ListArgsOf<"group">;

/** The result of {@link getGroups}. */
export interface GetGroupsResult extends data.ListResultOf<"group"> {}

/**
 * Every group that the filters select.
 *
 * @example
 * ```ts
 * import { getGroupsOutput } from "pulumi-platform";
 *
 * export const teams = getGroupsOutput({ childrenOf: "0123456789abcdef0123456789abcdef01234567", orderBy: "name" });
 * ```
 */
export const getGroups: data.ListFunction<GetGroupsArgs, GetGroupsResult> = all;

/** {@link getGroups} for arguments that may be outputs. */
export const getGroupsOutput: data.ListOutputFunction<GetGroupsArgs, GetGroupsResult> = allOutput;

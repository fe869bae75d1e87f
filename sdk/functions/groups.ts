import { group } from "../../provider/kinds/group";
import { uid } from "../../provider/kinds/inputs";
import { someText } from "./arguments";
import { type ByName, type ByUid, type Either, type GetFunction, sourceOfOne, under } from "./get-function";
import { type ListArgs, type ListFunction, sourceOfAll } from "./list-function";
import { type GetOutputFunction, type ListOutputFunction, outputForm } from "./output-form";
import { plainForm, type Source } from "./source";

/** Which group: by its uid or by its name. */
export type GetGroupArgs = Either<ByUid, ByName>;

// Results list their members one by one and have no index signature: `Output` loses the names of those that have.

/** A group as the platform returns it. */
export interface GetGroupResult {
  readonly uid: string;
  readonly name: string;
  /** Empty if unset. */
  readonly description: string;
  /** Maximum number of objects of each kind in the organisation; empty for ordinary groups. */
  readonly resourceLimits: Record<string, number>;
  /** Whether the platform has verified the organisation; false below its root. */
  readonly verified: boolean;
  /** Kind of organisation, `ORG_KIND_…`; empty if unknown. */
  readonly kind: string;
  /** Status of the organisation, `ORG_STATUS_…`; empty if unknown. */
  readonly status: string;
  /** RFC 3339. */
  readonly createTime: string | null;
  /** RFC 3339. */
  readonly updateTime: string | null;
}

const one: Source<GetGroupResult> = sourceOfOne("getGroup", {
  collection: group.collection,
  key: { name: someText, parentUid: uid.optional() },
  query: ({ name, parentUid }) => ({ name, ...under(parentUid) }),
});

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
export const getGroup: GetFunction<GetGroupArgs, GetGroupResult> = plainForm(one);

/** {@link getGroup} for arguments that may be outputs. */
export const getGroupOutput: GetOutputFunction<GetGroupArgs, GetGroupResult> = outputForm(one);

/** Filters and order of {@link getGroups}. */
export interface GetGroupsArgs extends ListArgs {
  /** Only groups of this name, exactly. */
  name?: string | undefined;
}

/** The result of {@link getGroups}. */
export interface GetGroupsResult {
  readonly groups: GetGroupResult[];
}

const all: Source<GetGroupsResult> = sourceOfAll("getGroups", group.collection, { name: someText, ancestorsOf: uid }, (rows) => ({
  groups: rows,
}));

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
export const getGroups: ListFunction<GetGroupsArgs, GetGroupsResult> = plainForm(all);

/** {@link getGroups} for arguments that may be outputs. */
export const getGroupsOutput: ListOutputFunction<GetGroupsArgs, GetGroupsResult> = outputForm(all);

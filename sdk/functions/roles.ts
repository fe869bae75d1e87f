import { role } from "../../provider/kinds/role";
import { parentOf } from "../../provider/client/uid";
import { uid } from "../../provider/kinds/inputs";
import { someText } from "./arguments";
import { type ByUid, type Either, type GetFunction, sourceOfOne, under } from "./get-function";
import { type ListArgs, type ListFunction, sourceOfAll } from "./list-function";
import { type GetOutputFunction, type ListOutputFunction, outputForm } from "./output-form";
import { plainForm, type Source } from "./source";

/** A role by its name. */
export interface RoleByName {
  /** Name of the role, exactly. */
  name: string;
  /** Uid of the parent group of a custom role. Default: any place; a built-in role of that name wins. */
  parentUid?: string | undefined;
}

/** Which role: by its uid or by its name. */
export type GetRoleArgs = Either<ByUid, RoleByName>;

/** A role as the platform returns it. */
export interface GetRoleResult {
  /** Without a `/` for built-in roles. */
  readonly uid: string;
  readonly name: string;
  /** Empty if unset. */
  readonly description: string;
  /** What the role allows, `CAP_…`, in no particular order. */
  readonly capabilities: string[];
  /** RFC 3339. */
  readonly createTime: string | null;
  /** RFC 3339. */
  readonly updateTime: string | null;
}

const one: Source<GetRoleResult> = sourceOfOne("getRole", {
  collection: role.collection,
  key: { name: someText, parentUid: uid.optional() },
  query: ({ name, parentUid }) => ({ name, ...under(parentUid) }),
  prefer(rows) {
    const builtIn = rows.filter((role) => parentOf(role.uid) === undefined);
    return builtIn.length > 0 ? builtIn : rows;
  },
});

/**
 * One role, by its uid or by its name. Without `parentUid`, a built-in role of that name wins over custom roles.
 *
 * @example
 * ```ts
 * import { getRoleOutput } from "pulumi-platform";
 *
 * export const viewerUid = getRoleOutput({ name: "viewer" }).uid;
 * ```
 */
export const getRole: GetFunction<GetRoleArgs, GetRoleResult> = plainForm(one);

/** {@link getRole} for arguments that may be outputs. */
export const getRoleOutput: GetOutputFunction<GetRoleArgs, GetRoleResult> = outputForm(one);

/** Filters and order of {@link getRoles}. */
export interface GetRolesArgs extends ListArgs {
  /** Only roles of this name, exactly. */
  name?: string | undefined;
}

/** The result of {@link getRoles}. */
export interface GetRolesResult {
  readonly roles: GetRoleResult[];
}

const all: Source<GetRolesResult> = sourceOfAll("getRoles", role.collection, { name: someText }, (rows) => ({
  roles: rows,
}));

/**
 * Every role that the filters select, built-in and custom ones.
 *
 * @example
 * ```ts
 * import { getRolesOutput } from "pulumi-platform";
 *
 * export const builtIn = getRolesOutput({ inRoot: true }).roles.apply((roles) => roles.map((role) => role.name));
 * ```
 */
export const getRoles: ListFunction<GetRolesArgs, GetRolesResult> = plainForm(all);

/** {@link getRoles} for arguments that may be outputs. */
export const getRolesOutput: ListOutputFunction<GetRolesArgs, GetRolesResult> = outputForm(all);

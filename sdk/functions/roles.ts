import { roles } from "../../provider/client/iam";
import { parentOf } from "../../provider/client/uid";
import { uid } from "../../provider/resources/inputs";
import { someText } from "./arguments";
import { type ByUid, type GetFunction, getFunction, under } from "./get-function";
import { type ListArgs, type ListFunction, listFunction } from "./list-function";
import { outputForm } from "./output-form";

/** A role by its name. */
export interface RoleByName {
  /** Name of the role, exactly. */
  name: string;
  /** Uid of the group that a custom role lies in. Default: anywhere, and a built-in role of that name before any other. */
  parentUid?: string | undefined;
}

/** Which role: by its uid or by its name. */
export type GetRoleArgs = ByUid | RoleByName;

/** A role as the platform holds it (SPEC §2, API-FACTS §2.3). */
export interface GetRoleResult {
  /** Without a `/` for built-in roles. */
  readonly uid: string;
  readonly name: string;
  /** Empty when there is none. */
  readonly description: string;
  /** What the role allows, `CAP_…`, in no promised order. */
  readonly capabilities: string[];
  /** RFC 3339. */
  readonly createTime: string | null;
  /** RFC 3339. */
  readonly updateTime: string | null;
}

/**
 * One role, by its uid or by its name. A name without `parentUid` means the built-in role, if there is one of that name.
 *
 * @example
 * ```ts
 * import { getRoleOutput } from "pulumi-platform";
 *
 * export const viewerUid = getRoleOutput({ name: "viewer" }).uid;
 * ```
 */
export const getRole: GetFunction<GetRoleArgs, GetRoleResult> = getFunction("getRole", {
  collection: roles,
  key: { name: someText, parentUid: uid.optional() },
  query: ({ name, parentUid }) => ({ name, ...under(parentUid) }),
  prefer(rows) {
    const builtIn = rows.filter((role) => parentOf(role.uid) === undefined);
    return builtIn.length > 0 ? builtIn : rows;
  },
});

/** {@link getRole} for arguments that may be outputs. */
export const getRoleOutput = outputForm(getRole);

/** Filters and order of {@link getRoles}. */
export interface GetRolesArgs extends ListArgs {
  /** Only roles of this name, exactly. */
  name?: string | undefined;
}

/** What {@link getRoles} gives. */
export interface GetRolesResult {
  readonly roles: GetRoleResult[];
}

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
export const getRoles: ListFunction<GetRolesArgs, GetRolesResult> = listFunction(
  "getRoles",
  roles,
  { name: someText },
  (rows) => ({
    roles: rows,
  }),
);

/** {@link getRoles} for arguments that may be outputs. */
export const getRolesOutput = outputForm(getRoles);

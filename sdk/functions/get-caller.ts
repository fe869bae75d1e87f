import { caller } from "../../inventory/caller";
import type { ListFunction } from "./data-sources";
import { type ListOutputFunction, outputForm } from "./output-form";
import { plainForm } from "./source";

/** The place whose capabilities are of interest. */
export interface GetCallerArgs {
  /** Uid of a group. Default: `platform:organization`, else the organisation of the identity. */
  group?: string | undefined;
}

/** The result of {@link getCaller}. */
export interface GetCallerResult {
  /** Uid of the identity. */
  readonly uid: string;
  /** Its path: names from the root organisation down. Absent if these credentials cannot read all of them. */
  readonly path?: string;
  /**
   * The capabilities that its role bindings give it in the group, by those there and above, sorted. It may hold more: role bindings and roles
   * that these credentials cannot read are left out, and so is access by an external group.
   */
  readonly capabilities: readonly string[];
}

/**
 * The identity as which the program calls the platform. A preview that runs as another identity gets the other one.
 *
 * @example
 * ```ts
 * import { getCallerOutput, Group, GroupAccess } from "pulumi-platform";
 *
 * const team = new Group("team", { parentPath: "acme/engineering" });
 * export const access = new GroupAccess("team", {
 *   parentUid: team.uid,
 *   access: { viewer: { reader: "0123456789abcdef0123456789abcdef01234567/0123456789abcdef" } },
 *   exempt: { identityUids: [getCallerOutput().uid] },
 * });
 * ```
 */
export const getCaller: ListFunction<GetCallerArgs, GetCallerResult> = plainForm(caller);

/** {@link getCaller} for an argument that may be an output. */
export const getCallerOutput: ListOutputFunction<GetCallerArgs, GetCallerResult> = outputForm(caller);

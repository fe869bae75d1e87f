import { groupInvite } from "../../provider/kinds/group-invite";
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

const groupInvites = dataSources(groupInvite);

/** Which group invite: by its uid. */
export type GetGroupInviteArgs = GetArgsOf<typeof groupInvite>;

/** A group invite as the platform returns it. */
export interface GetGroupInviteResult extends GetResultOf<typeof groupInvite> {}

/**
 * One group invite, by its uid.
 *
 * @example
 * ```ts
 * import { getGroupInviteOutput } from "pulumi-platform";
 *
 * const invite = getGroupInviteOutput({ uid: "0123456789abcdef0123456789abcdef01234567/89abcdef01234567" });
 * export const expires = invite.expirationTime;
 * ```
 */
export const getGroupInvite: GetFunction<GetGroupInviteArgs, GetGroupInviteResult> = groupInvites.one;

/** {@link getGroupInvite} for arguments that may be outputs. */
export const getGroupInviteOutput: GetOutputFunction<GetGroupInviteArgs, GetGroupInviteResult> = groupInvites.oneOutput;

/** Filters and order of {@link getGroupInvites}. */
export type GetGroupInvitesArgs = ListArgsOf<typeof groupInvite>;

/** The result of {@link getGroupInvites}. */
export interface GetGroupInvitesResult extends ListResultOf<typeof groupInvite> {}

/**
 * Every group invite that the filters select.
 *
 * @example
 * ```ts
 * import { getGroupInvitesOutput } from "pulumi-platform";
 *
 * const all = getGroupInvitesOutput({ descendantsOf: "0123456789abcdef0123456789abcdef01234567" });
 * export const invited = all.groupInvites.apply((invites) => invites.map(({ email, role }) => [email, role?.name]));
 * ```
 */
export const getGroupInvites: ListFunction<GetGroupInvitesArgs, GetGroupInvitesResult> = groupInvites.all;

/** {@link getGroupInvites} for arguments that may be outputs. */
export const getGroupInvitesOutput: ListOutputFunction<GetGroupInvitesArgs, GetGroupInvitesResult> = groupInvites.allOutput;

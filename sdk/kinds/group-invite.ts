import * as data from "../functions/data-sources";
import { type ArgsOf, type OutputsOf, resourceClass } from "../resources/declared";

/** The arguments of a {@link GroupInvite}. */
export type GroupInviteArgs = ArgsOf<"groupInvite">;

/** The outputs of a {@link GroupInvite} besides `uid`. */
export interface GroupInvite extends OutputsOf<"groupInvite"> {}

/**
 * An invite, whose code lets anybody join a group with a role. An invite that was accepted or has expired is not created again.
 *
 * @example
 * ```ts
 * import { getRoleOutput, GroupInvite } from "pulumi-platform";
 *
 * const invite = new GroupInvite("jo", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   roleUid: getRoleOutput({ name: "viewer" }).uid,
 *   email: "jo@example.com",
 *   ttl: "7d",
 *   singleUse: true,
 * });
 *
 * export const code = invite.code;
 * ```
 */
export class GroupInvite extends resourceClass("groupInvite") {}

/** Which group invite: by its uid. */
export type GetGroupInviteArgs = data.GetArgsOf<"groupInvite">;

/** A group invite as the platform returns it. */
export interface GetGroupInviteResult extends data.GetResultOf<"groupInvite"> {}

const { one, oneOutput, all, allOutput } = data.dataSources("groupInvite");

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
export const getGroupInvite: data.GetFunction<GetGroupInviteArgs, GetGroupInviteResult> = one;

/** {@link getGroupInvite} for arguments that may be outputs. */
export const getGroupInviteOutput: data.GetOutputFunction<GetGroupInviteArgs, GetGroupInviteResult> = oneOutput;

/** Filters and order of {@link getGroupInvites}. */
export type GetGroupInvitesArgs = data.ListArgsOf<"groupInvite">;

/** The result of {@link getGroupInvites}. */
export interface GetGroupInvitesResult extends data.ListResultOf<"groupInvite"> {}

/**
 * Every group invite that the filters select.
 *
 * @example
 * ```ts
 * import { getGroupInvitesOutput } from "pulumi-platform";
 *
 * export const invites = getGroupInvitesOutput({ descendantsOf: "0123456789abcdef0123456789abcdef01234567" });
 * ```
 */
export const getGroupInvites: data.ListFunction<GetGroupInvitesArgs, GetGroupInvitesResult> = all;

/** {@link getGroupInvites} for arguments that may be outputs. */
export const getGroupInvitesOutput: data.ListOutputFunction<GetGroupInvitesArgs, GetGroupInvitesResult> = allOutput;

import { groupInvite } from "../../provider/kinds/group-invite";
import { type ArgsOf, type OutputsOf, resourceClass, type ResourceClass } from "./declared";

/** The arguments of a {@link GroupInvite}. */
export type GroupInviteArgs = ArgsOf<typeof groupInvite>;

/** The outputs of a {@link GroupInvite} besides `uid`. */
export interface GroupInvite extends OutputsOf<typeof groupInvite> {}

// Annotated, so that the emitted types keep the doc comments of the declaration.
const GroupInviteResource: ResourceClass<typeof groupInvite> = resourceClass(groupInvite);

/**
 * An invite: anyone who has its code can join a group with a role. An invite that was accepted or has expired is not created again.
 *
 * @example
 * ```ts
 * import { getRoleOutput, GroupInvite } from "pulumi-platform";
 *
 * const invite = new GroupInvite("jo", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   roleUid: getRoleOutput({ name: "viewer" }).uid,
 *   email: "jo@example.com",
 *   ttl: "604800s",
 *   singleUse: true,
 * });
 *
 * export const code = invite.code;
 * ```
 */
export class GroupInvite extends GroupInviteResource {}

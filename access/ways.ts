import { type Level, levelOf } from "./capabilities";
import { type Holder, holder, located } from "./holders";
import type { Snapshot } from "./snapshot";
import { valueInWords } from "./values";

/** What gives a role. */
export type GrantKind = "roleBinding" | "externalGroupRoleMapping" | "identityProvider" | "groupInvite" | "accountAssociation";

/** What gives a role, or changes what it gives; a subscription lets somebody see events. */
export type SourceKind = GrantKind | "login" | "role" | "subscription";

/** One way in which someone has a role in a group. */
export interface Source {
  /** The holder, for comparison: equal in two snapshots if it is the same one. */
  readonly who: string;
  readonly holder: Holder;
  /** What a `GroupAccess` calls the holder, in a program or after a refresh. It proves nothing. */
  readonly label?: string;
  /** Uid of what logs the holder in: the identity, or the identity provider. */
  readonly loginUid?: string;
  readonly roleUid: string;
  /** Uid of the group in which the role is given. */
  readonly place: string;
  readonly through: { readonly kind: GrantKind; readonly uid: string };
}

/** The uid that stands for the roles of an account with another service: the platform does not name them. */
export const accountRole = "account association";

/** What the role `uid` lets its holder do; with {@link accountRole}, which names no capabilities, they change things other than access. */
export function levelOfRole(uid: string, capabilities: readonly string[] | undefined): Level {
  return uid === accountRole ? "write" : levelOf(capabilities);
}

/**
 * Every way in which someone has a role.
 *
 * @param same the uid by which an object is known in the other snapshot
 */
export function sourcesOf(snapshot: Snapshot, same: (uid: string) => string): Source[] {
  const { bindings, mappings, offers = [], accounts = [] } = snapshot;
  const provider = (uid: string): Holder => {
    const login = snapshot.providers?.get(uid)?.login;
    return { identityProviderUid: uid, ...located(snapshot, uid), ...(login && { login }) };
  };
  const nameOf = (uid: string) => valueInWords(located(snapshot, uid).path ?? uid);
  return [
    ...bindings.map(({ uid, place, identityUid, roleUid, label }): Source => ({
      who: `identity ${same(identityUid)}`,
      holder: holder(snapshot, identityUid),
      ...(label !== undefined && { label }),
      loginUid: identityUid,
      roleUid,
      place,
      through: { kind: "roleBinding", uid },
    })),
    ...mappings.map(({ uid, place, externalGroupId, identityProviderUid, roleUid }): Source => ({
      who: `external group ${same(identityProviderUid)} ${externalGroupId}`,
      holder: { ...provider(identityProviderUid), externalGroupId },
      loginUid: identityProviderUid,
      roleUid,
      place,
      through: { kind: "externalGroupRoleMapping", uid },
    })),
    ...offers.map(({ uid, kind, place, roleUid, email }): Source =>
      kind === "identityProvider"
        ? {
            who: `people of ${same(uid)}`,
            holder: provider(uid),
            loginUid: uid,
            roleUid,
            place,
            through: { kind, uid },
          }
        : {
            // A new invite lets somebody in again, also where it replaces one for the same person.
            who: `invite ${uid}`,
            holder: email === undefined ? {} : { email },
            roleUid,
            place,
            through: { kind, uid },
          },
    ),
    ...accounts.map(({ uid, place, account, identityUid }): Source => ({
      who: `account ${account}${identityUid === undefined ? "" : ` as ${same(identityUid)}`}`,
      holder: { account: identityUid === undefined ? account : `${account}, as identity ${nameOf(identityUid)}` },
      roleUid: accountRole,
      place,
      through: { kind: "accountAssociation", uid },
    })),
  ];
}

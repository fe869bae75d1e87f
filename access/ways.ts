import { type Level, levelOf } from "./capabilities";
import { type Holder, holder, located } from "./holders";
import type { Snapshot } from "./snapshot";
import { valueInWords } from "./values";

/** The kinds of objects that give a role. */
export type GrantKind = "roleBinding" | "externalGroupRoleMapping" | "identityProvider" | "groupInvite" | "accountAssociation";

/** The kinds of objects that give a role or change its effect. A subscription lets somebody see events. */
export type SourceKind = GrantKind | "login" | "role" | "subscription";

/** One way in which somebody gets a role in a group. */
export interface Source {
  /** The holder as a key, equal in two snapshots for the same holder. */
  readonly who: string;
  readonly holder: Holder;
  /** The name that a `GroupAccess` gives the holder, in a program or after a refresh. It does not identify the holder. */
  readonly label?: string;
  /** Uid of the identity or identity provider that logs the holder in. */
  readonly loginUid?: string;
  readonly roleUid: string;
  /** Uid of the group that grants the role. */
  readonly place: string;
  readonly through: { readonly kind: GrantKind; readonly uid: string };
}

/** Stands for the roles of an account with another service, which the platform does not name. */
export const accountRole = "account association";

/** The level of the role `uid`. {@link accountRole} names no capabilities, and such accounts can change objects other than access. */
export function levelOfRole(uid: string, capabilities: readonly string[] | undefined): Level {
  return uid === accountRole ? "write" : levelOf(capabilities);
}

/**
 * Every way in which somebody gets a role.
 *
 * @param same maps a uid to the uid of the same object in the other snapshot
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
            // A new invite lets somebody in again, even if it replaces an invite for the same person.
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

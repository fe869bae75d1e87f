/** What is known of an object besides its uid. */
export interface Named {
  readonly name: string;
}

/** An identity. */
export interface SnapshotIdentity extends Named {
  /** How it logs in, by the platform's names: `{ claimMatch: { issuer, subject } }`. Absent if it cannot be read. */
  readonly login?: Readonly<Record<string, unknown>>;
  /** A person's address, as far as the platform has verified it. */
  readonly verifiedEmail?: string;
}

/** A role. */
export interface SnapshotRole extends Named {
  /** Absent if the role cannot be read. */
  readonly capabilities?: readonly string[];
}

/** One identity has one role in a group and below. */
export interface SnapshotBinding {
  readonly uid: string;
  /** Uid of the group in which the role is bound. */
  readonly place: string;
  readonly identityUid: string;
  readonly roleUid: string;
  /** What a `GroupAccess` calls the holder, in a program or after a refresh. It proves nothing. */
  readonly label?: string;
}

/** The members of a group of an identity provider have one role in a group and below. */
export interface SnapshotMapping {
  readonly uid: string;
  /** Uid of the group in which the role is granted. */
  readonly place: string;
  readonly externalGroupId: string;
  readonly identityProviderUid: string;
  readonly roleUid: string;
}

/** An identity provider. */
export interface SnapshotProvider extends Named {
  /** Who can sign in, by the platform's names: `{ oidc: { issuer, clientId } }`. Absent if it cannot be read. */
  readonly login?: Readonly<Record<string, unknown>>;
}

/** A role in a group and below that the platform gives to whoever takes it up. */
export interface SnapshotOffer {
  /** Uid of the identity provider, whose people get it at their first sign-in, or of the invite that someone accepts. */
  readonly uid: string;
  readonly kind: "identityProvider" | "groupInvite";
  /** Uid of the group in which the role is offered. */
  readonly place: string;
  readonly roleUid: string;
  /** The only person who can accept an invite. Absent: whoever has its code. */
  readonly email?: string;
}

/** An account with another service that acts for a group, or a service of the platform that acts for it. */
export interface SnapshotAccount {
  /** Uid of the account association. */
  readonly uid: string;
  /** Uid of the group. */
  readonly place: string;
  /** For people: `AWS account 123456789012`. */
  readonly account: string;
  /** Uid of the identity as which it acts, for a service of the platform. */
  readonly identityUid?: string;
}

/** Something that could not be read: what depends on it is missing. */
export interface Unreadable {
  /** What is missing: `role bindings in acme (<uid>)`. */
  readonly what: string;
  /** Why it could not be read. */
  readonly reason: string;
}

/** What could not be read, by the objects that are hidden. */
export interface Hidden extends Unreadable {
  /** Published names of their kinds: it is complete for whoever accepts that these are hidden. Default: none, it stays incomplete. */
  readonly kinds?: readonly string[];
}

/** Who may do what where, as far as it could be read, by uid. */
export interface Snapshot {
  readonly groups: ReadonlyMap<string, Named>;
  readonly identities: ReadonlyMap<string, SnapshotIdentity>;
  readonly roles: ReadonlyMap<string, SnapshotRole>;
  readonly bindings: readonly SnapshotBinding[];
  readonly mappings: readonly SnapshotMapping[];
  /** Default: none. */
  readonly providers?: ReadonlyMap<string, SnapshotProvider>;
  /** Default: none. */
  readonly offers?: readonly SnapshotOffer[];
  /** Default: none. */
  readonly accounts?: readonly SnapshotAccount[];
  readonly unreadable: readonly Hidden[];
}

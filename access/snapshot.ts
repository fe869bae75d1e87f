/** The name and place of an object. */
export interface Named {
  readonly name: string;
}

/** An identity. */
export interface SnapshotIdentity extends Named {
  /** How it logs in, in the platform's names: `{ claimMatch: { issuer, subject } }`. Absent if it cannot be read. */
  readonly login?: Readonly<Record<string, unknown>>;
  /** A person's address, if the platform has verified it. */
  readonly verifiedEmail?: string;
}

/** A role. */
export interface SnapshotRole extends Named {
  /** Absent if the role cannot be read. */
  readonly capabilities?: readonly string[];
}

/** A binding of one role to one identity, in a group and below. */
export interface SnapshotBinding {
  readonly uid: string;
  /** Uid of the group in which the role is bound. */
  readonly place: string;
  readonly identityUid: string;
  readonly roleUid: string;
  /** The name that a `GroupAccess` gives the holder, in a program or after a refresh. It does not identify the holder. */
  readonly label?: string;
}

/** A grant of one role to the members of a group of an identity provider, in a group and below. */
export interface SnapshotMapping {
  readonly uid: string;
  /** Uid of the group that grants the role. */
  readonly place: string;
  readonly externalGroupId: string;
  readonly identityProviderUid: string;
  readonly roleUid: string;
}

/** An identity provider. */
export interface SnapshotProvider extends Named {
  /** Who can sign in, in the platform's names: `{ oidc: { issuer, clientId } }`. Absent if it cannot be read. */
  readonly login?: Readonly<Record<string, unknown>>;
}

/** A role, in a group and below, that the platform gives to anybody who takes it up. */
export interface SnapshotOffer {
  /** Uid of the invite, or of the identity provider whose people get the role at their first sign-in. */
  readonly uid: string;
  readonly kind: "identityProvider" | "groupInvite";
  /** Uid of the group that offers the role. */
  readonly place: string;
  readonly roleUid: string;
  /** The only person who can accept an invite. If absent, anybody with its code can. */
  readonly email?: string;
}

/** An account with another service, or a service of the platform, that acts for a group. */
export interface SnapshotAccount {
  /** Uid of the account association. */
  readonly uid: string;
  /** Uid of the group. */
  readonly place: string;
  /** The account for people: `AWS account 123456789012`. */
  readonly account: string;
  /** Uid of the identity as which a service of the platform acts. */
  readonly identityUid?: string;
}

/** An unreadable part, whose dependents are missing. */
export interface Unreadable {
  /** The missing part: `role bindings in acme (<uid>)`. */
  readonly what: string;
  /** Why it could not be read. */
  readonly reason: string;
}

/** An unreadable part, with the kinds that it hides. */
export interface Hidden extends Unreadable {
  /**
   * Published names of the kinds that are hidden. A caller who accepts the absence of these kinds may take the result as complete. Default:
   * none, so the result stays incomplete.
   */
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

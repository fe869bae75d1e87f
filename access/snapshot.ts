/** What is known of an object besides its uid. */
export interface Named {
  readonly name: string;
}

/** An identity. */
export interface SnapshotIdentity extends Named {
  /** How it logs in, by the platform's names: `{ claimMatch: { issuer, subject } }`. Absent if it cannot be read. */
  readonly login?: Readonly<Record<string, unknown>>;
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

/** Something that could not be read: what depends on it is missing. */
export interface Unreadable {
  /** What is missing: `role bindings in acme (<uid>)`. */
  readonly what: string;
  /** Why it could not be read. */
  readonly reason: string;
}

/** Who may do what where, as far as it could be read, by uid. */
export interface Snapshot {
  readonly groups: ReadonlyMap<string, Named>;
  readonly identities: ReadonlyMap<string, SnapshotIdentity>;
  readonly roles: ReadonlyMap<string, SnapshotRole>;
  readonly bindings: readonly SnapshotBinding[];
  readonly mappings: readonly SnapshotMapping[];
  readonly unreadable: readonly Unreadable[];
}

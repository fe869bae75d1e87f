/** A resource, as most calls of the engine describe it. */
export interface Subject {
  readonly urn: string;
  /** Token of the type: `platform:iam:Group`. */
  readonly type: string;
  /** Logical name. */
  readonly name: string;
}

/** A resource with an object. */
export interface Existing extends Subject {
  readonly id: string;
}

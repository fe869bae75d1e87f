/** A part of a copy that may be missing, or that may differ from the platform. */
export interface InexactPart {
  /** The part: `subscriptions in acme`. */
  readonly what: string;
  readonly reason: string;
  /** Published names of the kinds of object that are concerned. */
  readonly kinds?: readonly string[];
}

/** A copy in an emulator. */
export interface CopyReport {
  /** Name of the organisation. */
  readonly name: string;
  /** Number of copied objects, built-in roles and people included. */
  readonly objects: number;
  /** Whether logins and addresses of people are hidden. */
  readonly hidesPeople: boolean;
  /** Everything that is not exact. If empty, the copy shows every object as the platform does. */
  readonly inexact: readonly InexactPart[];
}

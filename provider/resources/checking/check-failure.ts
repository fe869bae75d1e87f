/** One reason why inputs are rejected. */
export interface CheckFailure {
  /** Path of the input: `claimMatch.issuer`. */
  property: string;
  reason: string;
}

/** One reason why inputs are refused. */
export interface CheckFailure {
  /** Path of the input: `claimMatch.issuer`. */
  property: string;
  reason: string;
}

/** A part of a login that lets in anybody, because it does not provably mean one customer of the issuer. */
export interface OpenLogin {
  /** Who can log in: `anybody who can run a GitHub Actions workflow`. */
  readonly who: string;
  /** True if the service of these people is known. */
  readonly isKnownService: boolean;
  /** Path of the argument that decides it: `claimMatch.subjectPattern`. */
  readonly property: string;
  /** Why it does not limit who can log in, as a sentence. */
  readonly why: string;
  /** Ways to limit them, each as a sentence. */
  readonly ways: readonly string[];
  /** The argument by which a program consents; absent if there is none. */
  readonly consent?: "allowAnyIssuer" | "allowAnySubject" | "allowAnyPrincipal";
}

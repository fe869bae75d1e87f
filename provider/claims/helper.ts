import type { ArgumentRules } from "../sources/source";

/** The arguments that a claim helper takes, with their rules. */
export interface HelperRules {
  readonly required: ArgumentRules;
  /** Exactly one of these is given. Default: there are none. */
  readonly choices?: ArgumentRules;
  /** Default: there are none. */
  readonly optional?: ArgumentRules;
}

/** A claim helper: it builds the login of an identity from the names of a pipeline or a workload, without asking anybody. */
export interface ClaimHelper<Args extends object, Claims extends object> {
  /** Name of the function: `githubActions`. Error messages begin with it. */
  readonly call: string;
  /** The argument of an identity that takes the claims. */
  readonly makes: "claimMatch" | "staticKeys" | "awsIdentity";
  /** @param given the arguments, of any type */
  takes(given: unknown): HelperRules;
  /** @param args arguments that {@link takes} accepts */
  claims(args: Args): Claims;
}

/** Every argument of a helper. */
export function argumentsOf({ required, choices, optional }: HelperRules): ArgumentRules {
  return { ...required, ...choices, ...optional };
}

/** A claim match with an exact issuer and an exact subject. */
export interface ExactClaims {
  /** Issuer of the token, exactly. */
  readonly issuer: string;
  /** Subject of the token, exactly. */
  readonly subject: string;
}

/** A claim match with an exact issuer and a pattern for the subject, which is anchored at both ends. */
export interface PatternClaims {
  /** Issuer of the token, exactly. */
  readonly issuer: string;
  /** Subject of the token, as a regular expression (RE2). */
  readonly subjectPattern: string;
}

/** The audience that the claim match requires. */
export interface WithAudience {
  /** Audience of the token, exactly. */
  readonly audience: string;
}

/** A login whose tokens may have any audience. */
export interface ForAudience {
  /** Audience of the tokens. Default: the host of the platform's issuer. */
  audience?: string;
}

/** Further claims that tokens must have, exactly. */
export interface WithClaims {
  /** Further claims of the token by name, each exactly. */
  readonly claims: Readonly<Record<string, string>>;
}

/** The audience that the claim match requires, if one is given. */
export function audienceOf({ audience }: ForAudience): Partial<WithAudience> {
  return audience === undefined ? {} : { audience };
}

/** Exactly one member of `Choices`. The most usual member comes last, because the compiler's messages are about that one. */
export type OneOf<Choices> = {
  [Name in keyof Choices]: Pick<Choices, Name> & { [Other in Exclude<keyof Choices, Name>]?: never };
}[keyof Choices];

/**
 * An issuer of tokens for the customers of a service, or the form of such issuers. In every text, `*` stands for a name that one
 * customer has and nobody else can choose. What follows the `*` closes the name, and so does the end of the value. `#` stands for a
 * value that is a number.
 */
export interface SharedIssuer {
  /** Its URL, exactly as tokens have it. With a `*`, each customer has an issuer; `&` stands for a region. */
  readonly issuer: string;
  /** Who gets tokens of it, after "anybody who". */
  readonly who: string;
  /** A public page about the issuer, its subjects and its claims. */
  readonly source: string;
  /** Date of the row. A service may have changed since. */
  readonly asOf: string;
  /** Beginnings of the subjects that name one customer. Default: none does. */
  readonly subjects?: readonly string[];
  /** Claims that name one customer, with the form of their values. Default: none does. */
  readonly claims?: Readonly<Record<string, string>>;
}

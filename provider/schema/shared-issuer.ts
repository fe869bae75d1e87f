/**
 * An issuer of tokens for the customers of a service, or the form of such issuers. In every text, `*` stands for a name that belongs to one
 * customer and that nobody else can choose. The name ends with the text after `*`, or with the value. `#` stands for a value that is a
 * number.
 */
export interface SharedIssuer {
  /** Its URL, exactly as in tokens. With a `*`, each customer has an issuer; `&` stands for a region. */
  readonly issuer: string;
  /** The people who get its tokens, in words after "anybody who". */
  readonly who: string;
  /** A public page about the issuer, its subjects and its claims. */
  readonly source: string;
  /** Date of the row. A service may have changed since. */
  readonly asOf: string;
  /** Beginnings of the subjects that name one customer. Default: none. */
  readonly subjects?: readonly string[];
  /** Claims that name one customer, with the form of their values. Default: none. */
  readonly claims?: Readonly<Record<string, string>>;
}
